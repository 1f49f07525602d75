import { startMock } from 'platform-mock';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    mockUrl: string;
  }
}

/** One mock for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const mock = await startMock();
  project.provide('mockUrl', mock.baseUrl);
  return () => mock.close();
}
