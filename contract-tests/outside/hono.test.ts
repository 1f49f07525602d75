import { describeServer } from './describe-server.ts';

await describeServer('hono');
