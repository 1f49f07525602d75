import { describeDefects } from '../testing/judge.ts';

describeDefects('keys');
