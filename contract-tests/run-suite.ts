import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestSequencer, TestSpecification } from 'vitest/node';
import { CHECK_FILES } from './checks/catalogue.ts';
import type { SuiteConfig } from './checks/register.ts';
import { undoOnInterruption } from './interruption.ts';
import type { CheckResult } from './model.ts';
import type { ProbeRun } from './probe-target.ts';

export interface SuiteResult {
  checks: CheckResult[];
  leftovers: string[];
  probed?: ProbeRun;
}

/** The checks in their order, then what is generated, then the probes: what a check judges none of them must have touched. */
class InOrder implements TestSequencer {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }

  sort(files: TestSpecification[]): TestSpecification[] {
    const place = ({ moduleId }: TestSpecification): number => {
      if (moduleId.includes('/probes/')) return CHECK_FILES.length + 1;
      const at = CHECK_FILES.indexOf(basename(moduleId).replace(/\.contract\.[jt]s$/, ''));
      return at >= 0 ? at : CHECK_FILES.length;
    };
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

/**
 * Runs the selected checks under vitest in one worker, one after the other: they share a session, and write to one
 * recording. Calls `onCheck` as each one ends. Throws when vitest itself did not get as far as running every check.
 */
export async function runSuite(
  suite: SuiteConfig,
  onCheck: (result: CheckResult) => void = () => {},
): Promise<SuiteResult> {
  const results = new Map<string, CheckResult>();
  const leftovers = new Set<string>();
  let probed: ProbeRun | undefined;
  const watch = undoOnInterruption(suite.session.target, (line) => process.stderr.write(line));
  const collect: Reporter = {
    onInit: () => watch.beTheOnlyOne(),
    onTestCaseResult(testCase: TestCase) {
      const { check, leftovers: left = [], probed: gaps } = testCase.meta();
      for (const line of left) leftovers.add(line);
      probed ??= gaps;
      if (!check) return;
      results.set(check.id, check);
      onCheck(check);
    },
  };
  const { startVitest } = await import('vitest/node');
  const cacheDir = await mkdtemp(join(tmpdir(), 'platform-mock-'));
  try {
    const here = fileURLToPath(new URL('.', import.meta.url));
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const vitest = await startVitest(
      'test',
      [],
      {
        root: here,
        config: false,
        watch: false,
        include: [`{checks,probes}/*.contract.${extension}`],
        sequence: { sequencer: InOrder },
        // What is JavaScript already need not go through vite, which takes longer than the checks themselves.
        ...(extension === 'js' ? { server: { deps: { external: [/\/contract-tests\/.*\.js$/] } } } : {}),
        exclude: [],
        pool: 'threads',
        isolate: false,
        fileParallelism: false,
        maxWorkers: 1,
        reporters: [collect],
        silent: true,
        printConsoleTrace: false,
        includeTaskLocation: false,
        passWithNoTests: true,
        provide: { suite },
      },
      { cacheDir, clearScreen: false, logLevel: 'silent' },
    );
    const broken =
      vitest.state.getUnhandledErrors()[0] ??
      vitest.state.getFiles().find((file) => file.result?.errors?.length)?.result?.errors?.[0];
    await vitest.close();
    const missing = suite.checkIds.filter((id) => !results.has(id));
    if (missing.length > 0) {
      const cause =
        broken instanceof Error || (typeof broken === 'object' && broken !== null && 'message' in broken)
          ? String(broken.message)
          : '';
      throw new Error(`The suite did not run ${missing.length} of its checks (${missing[0]}, …). ${cause}`.trim());
    }
  } finally {
    watch.stop();
    await rm(cacheDir, { recursive: true, force: true });
  }
  return {
    checks: suite.checkIds.map((id) => results.get(id) as CheckResult),
    leftovers: [...leftovers],
    ...(probed ? { probed } : {}),
  };
}
