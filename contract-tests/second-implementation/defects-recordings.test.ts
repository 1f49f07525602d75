import { describeDefects } from '../testing/judge.ts';

describeDefects('recordings');
