import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { buildGenerated } from './build.js';

const timesFile = resolve(import.meta.dirname, 'test-times.json');
/** Path -> seconds, for the test files that took at least a second when `npm run test:times` measured them. */
const times: Readonly<Record<string, number>> = JSON.parse(readFileSync(timesFile, 'utf8'));
const attacks = Number(process.env.ATTACK ?? 1);
/** Tests of browsers, of other programs (Redis, proxies, generators, Prism), and of servers that a test waits for. */
const outside = [
  'bench/**/*.test.ts',
  'contract-tests/{servers,commands/learn,report/in-browser}*{,/**/*}.test.ts',
  'src/{deploy,outside-data,papers,patterns}.test.ts',
  'src/{dashboard,doors,examples,generate,server/store,vary}/**/*.test.ts',
  'src/cli/balanced.test.ts',
  'src/server/{differential,prism-process,document-server,upstream-pages}.test.ts',
];
const excluded = ['**/node_modules/**', '.cache/**'];
const slowFiles = Object.keys(times);
const pathOf = (file: string): string => relative(import.meta.dirname, file);

/** No worker is left alone with a long file at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      (times[pathOf(moduleId)] ?? 0) * (pathOf(moduleId).startsWith('bench/attack/') ? attacks : 1);
    return (await super.sort(files)).toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}

/** Writes the times of the files that ran. */
const timesWriter: Reporter = {
  onTestRunEnd(modules) {
    const measured = new Map(Object.entries(times).filter(([path]) => existsSync(path)));
    for (const module of modules) {
      const seconds = Math.round(module.diagnostic().duration / 1000);
      if (seconds >= 1) measured.set(pathOf(module.moduleId), seconds);
      else measured.delete(pathOf(module.moduleId));
    }
    writeFileSync(timesFile, `${JSON.stringify(Object.fromEntries([...measured].sort()), undefined, 2)}\n`);
  },
};

// What tests leave in the folder of temporary files goes with the run. This file is read once a project; the paths of sockets must be short.
if (!basename(tmpdir()).startsWith('mock-')) {
  const temporary = mkdtempSync(join(tmpdir(), 'mock-'));
  process.env.TMPDIR = temporary;
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
}

// What is generated from spec/ is next to the compiled sources: the tests use the same, rebuilt where spec/ changed.
await buildGenerated();

// The contract suite as tests (src/examples/contract) is not here: `npm run contract` runs it, at a target.
export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^.*\/generated\/([a-z-]*data|[a-z-]*validators)\.js$/,
        replacement: resolve(import.meta.dirname, 'dist/src/core/generated/$1.js'),
      },
    ],
  },
  test: {
    pool: 'threads',
    // Half of the time would go into loading the same modules for every file; no test changes what another one sees.
    isolate: false,
    // Many tests wait for servers and processes: two workers a core, and one.
    maxWorkers: 2 * availableParallelism() + 1,
    // Tests that run side by side in a file wait for a server most of the time.
    maxConcurrency: 10,
    // They end what hangs; no test is about time, and a machine may be busy with ten other things.
    testTimeout: 300_000 + 40_000 * attacks,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    sequence: { sequencer: LongestFirst },
    ...(process.env.TEST_TIMES && { reporters: ['default', timesWriter] }),
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['src/**/*.test.ts', 'contract-tests/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...outside, ...slowFiles, ...excluded],
        },
      },
      { extends: true, test: { name: 'slow', include: slowFiles, exclude: [...outside, ...excluded] } },
      { extends: true, test: { name: 'outside', include: outside, exclude: excluded } },
    ],
  },
});
