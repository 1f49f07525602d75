import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { buildGenerated } from './build.js';

/**
 * The tests that take seconds, the longest first: whole runs of the suite by the hundred, processes, browsers. They start
 * first, so that no worker is left alone with one of them at the end; `npm run test:quick` leaves them out.
 */
const slow = [
  'outside/fastify.test.ts',
  'outside/hono.test.ts',
  'examples/generated-clients.test.ts',
  'examples/importing-tools.test.ts',
  'har/verify-har.test.ts',
  'second-implementation/defects-recordings.test.ts',
  'second-implementation/defects-access.test.ts',
  'second-implementation/defects-keys.test.ts',
  'cli/prism-process.test.ts',
  'dashboard/views.test.ts',
  'dashboard/docs.test.ts',
  'dashboard/faults.test.ts',
  'dashboard/journal.test.ts',
  'dashboard/state.test.ts',
  'dashboard/gaps.test.ts',
  'cli/proxy.test.ts',
  'faults/faults.test.ts',
  'src/patterns.test.ts',
  'faults/titles.test.ts',
  'server/differential.test.ts',
  'second-implementation/styles.test.ts',
  'cli/learn.test.ts',
  'explore/explore.test.ts',
  'files/shipped-profiles.test.ts',
  'generate/contributing.test.ts',
  'cli/cli.test.ts',
  'cli/har.test.ts',
  'cli/hardness.test.ts',
  'readers/round-trip.test.ts',
  'faults/environment.test.ts',
  'contract-tests/learn.test.ts',
  'contract-tests/learn-likeness.test.ts',
  'compare/compare.test.ts',
  'src/profile-mix.test.ts',
  'cli/overlay.test.ts',
  'checks/recordings.test.ts',
  'contract-tests/baseline.test.ts',
  'src/malformed.test.ts',
  'contract-tests/mistaken-targets.test.ts',
  'src/fuzz.test.ts',
  'control/bombs.test.ts',
  'journal/mask.test.ts',
  'contract-tests/broken-targets.test.ts',
  'score/score.test.ts',
  'cli/verify-input.test.ts',
  'cli/profiles.test.ts',
  'contract-tests/interruption.test.ts',
  'contract-tests/artefacts.test.ts',
  'cli/crash.test.ts',
  'cli/watch.test.ts',
  'src/browser.test.ts',
  'dashboard/use.test.ts',
  'dashboard/worlds.test.ts',
  'dashboard/forms.test.ts',
  'examples/msw-browser.test.ts',
  'examples/vite.test.ts',
  'examples/newcomer.test.ts',
  'doors/bundle.test.ts',
  'doors/fetch.test.ts',
  'examples/page.test.ts',
  'examples/vitest-parallel.test.ts',
  'examples/vitest-app.test.ts',
  'src/package.test.ts',
  'cli/request-log.test.ts',
  'attack/replicas.test.ts',
  'store/replicas.test.ts',
  'store/topologies.test.ts',
  'store/store.test.ts',
  'cli/store.test.ts',
  'cli/serve-operation.test.ts',
  'cli/balanced.test.ts',
  'src/deploy.test.ts',
];
const slowFiles = slow.map((file) => `**/${file}`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = slow.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at < 0 ? slow.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

// What is generated from spec/ stands beside the compiled sources: the tests use the same, made anew where spec/ changed.
await buildGenerated();

// The contract checks (*.contract.ts) are not here: `platform-mock verify` runs them, at a target.
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
