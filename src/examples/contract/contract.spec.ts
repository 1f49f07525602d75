// The contract suite as tests of Vitest, at BASE_URL, at the target file TARGET, or at a mock of their own.
import { startMock } from 'platform-mock';
import { contractTests } from 'platform-mock/contract';
import { afterAll } from 'vitest';

const { TARGET_URL, TARGET } = process.env;
const mock = TARGET_URL || TARGET ? undefined : await startMock({ port: 0 });
afterAll(() => mock?.close());

// A mock in the same process answers once Vitest has loaded it, which may take a busy machine a while.
contractTests({ baseUrl: TARGET_URL ?? mock?.baseUrl, target: TARGET, ...(mock && { timeout: 120_000 }) });
