import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { buildGenerated } from './build.js';

/**
 * How the paths of tests begin that take seconds, the longest first: whole runs of the suite by the hundred, processes, browsers.
 * They start first, so that no worker is left alone with one of them at the end; `npm run test:quick` leaves them out.
 */
const slow = [
  'contract-tests/servers/',
  'src/examples/',
  'src/papers',
  'src/dashboard/',
  'src/server/upstream-pages',
  'src/generate/contributing',
  'src/patterns',
  'contract-tests/commands/',
  'src/cli/',
  'bench/attack/',
  'contract-tests/readers/round-trip',
  'contract-tests/har/verify-har',
  'contract-tests/har/live-run',
  'contract-tests/compare/',
  'src/server/differential',
  'src/server/files/shipped-profiles',
  'src/server/store/',
  'src/score/',
  'src/core/faults/',
  'src/control/bombs',
  'src/control/journal/mask',
  'src/profile-mix',
  'src/malformed',
  'src/fuzz',
  'src/browser',
  'src/doors/bundle',
  'src/doors/fetch',
  'src/package',
  'src/deploy',
];
const slowFiles = slow.map((start) => `**/${start}*.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = slow.findIndex((start) => moduleId.includes(`/${start}`));
      return at < 0 ? slow.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

// What is generated from spec/ is next to the compiled sources: the tests use the same, rebuilt where spec/ changed.
await buildGenerated();

// The contract suite as tests (src/examples/contract) is not here: `npm run contract` runs it, at a target.
export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^.*\/generated\/(data|[a-z-]*validators)\.js$/,
        replacement: resolve(import.meta.dirname, 'dist/src/core/generated/$1.js'),
      },
    ],
  },
  test: {
    pool: 'threads',
    // Half of the time would go into loading the same modules for every file; no test changes what another one sees.
    isolate: false,
    // Many tests wait for servers and processes: one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // Tests that run side by side in a file wait for a server most of the time.
    maxConcurrency: 10,
    // They end what hangs; no test is about time, and a machine may be busy with ten other things.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['src/**/*.test.ts', 'contract-tests/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...slowFiles, '**/node_modules/**'],
        },
      },
      { extends: true, test: { name: 'slow', include: slowFiles, exclude: ['**/node_modules/**', '.cache/**'] } },
    ],
  },
});
