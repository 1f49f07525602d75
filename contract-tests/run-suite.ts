import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskMeta } from 'vitest';
import type { Reporter, TestCase } from 'vitest/node';
import type { Exploration } from './explore/explore.ts';
import { leftAt, undoOnInterruption } from './interruption.ts';
import type { CheckResult, RequestCounts } from './model.ts';
import type { ProbeRun } from './probe-target.ts';
import { answerRun, type Beginning } from './run-channel.ts';
import type { SessionConfig } from './session/connection.ts';
import type { Session } from './session/session.ts';
import { packageRoot } from './spec-data.ts';
import type { NamedSecret } from './wire/secrets.ts';

/** What is to be run, as data: it is handed to the worker that runs the checks. */
export interface Selection {
  /** The checks to run, by id. */
  checkIds: string[];
  /** What to generate beyond the checks. */
  exploration?: Exploration;
  /** Whether the exchanges of checks that pass are left out: a terminal does not show them. */
  isBrief?: boolean;
}

/** What is to be run, and where. */
export interface SuiteConfig extends Selection {
  session: SessionConfig;
}

export interface SuiteResult {
  checks: CheckResult[];
  leftovers: string[];
  requests: RequestCounts;
  /** The credentials that the answers showed. */
  secrets: NamedSecret[];
  probed?: Probed;
}

/** What the probes found, without their exchanges. */
export type Probed = Omit<ProbeRun, 'exchanges'>;

/** What a caller is told during a run. */
export interface SuiteHooks {
  /** What begins: a check by its id, `gaps` for all probes, `clean-up`. */
  onBegin?: (name: string) => void;
  /** A check has ended. */
  onCheck?: (result: CheckResult) => void;
  /** The gap that is observed next, by its id. */
  onGap?: (id: string) => void;
}

declare module 'vitest' {
  interface ProvidedContext {
    suite: Selection & { runId: string };
  }
  interface TaskMeta {
    check?: CheckResult;
    probed?: Probed;
    ended?: Awaited<ReturnType<Session['finish']>>;
  }
}

/** Runs the selected checks at a target that is known, as `runSelection` does. */
export const runSuite = ({ session, ...selection }: SuiteConfig, hooks?: SuiteHooks): Promise<SuiteResult> =>
  runSelection(selection, async () => ({ session }), hooks);

/**
 * Runs the selected checks under vitest in one worker, one after the other: they share a session, and write to one
 * recording. `begin` finds the target, while the worker loads the checks. Throws what `begin` throws, and when vitest
 * itself did not run every check.
 */
export async function runSelection(
  selection: Selection,
  begin: () => Promise<Beginning>,
  { onBegin, onCheck, onGap }: SuiteHooks = {},
): Promise<SuiteResult> {
  const results = new Map<string, CheckResult>();
  let ended: TaskMeta['ended'];
  let probed: Probed | undefined;
  const runId = randomUUID();
  let session: SessionConfig | undefined;
  let beginning: Promise<Beginning> | undefined;
  const begun = (): Promise<Beginning> => {
    beginning ??= begin().then((found) => {
      session = found.session;
      watch.found();
      return found;
    });
    return beginning;
  };
  const channel = answerRun(runId, begun);
  const watch = undoOnInterruption(
    runId,
    () => session,
    (line) => process.stderr.write(line),
  );
  const collect: Reporter = {
    onInit: () => watch.removeOtherListeners(),
    // Once the worker is on its way: this thread has nothing else to do until it is ready.
    onTestRunStart: () => void setImmediate(() => void begun().catch(() => {})),
    onTestCaseReady: ({ name }) => onBegin?.(name),
    onTestCaseAnnotate: (_testCase, { message }) => onGap?.(message),
    onTestCaseResult(testCase: TestCase) {
      const { check, ended: end, probed: gaps } = testCase.meta();
      ended ??= end;
      probed ??= gaps;
      if (!check) return;
      results.set(check.id, check);
      onCheck?.(check);
    },
  };
  const { startVitest } = await import('vitest/node');
  const cacheDir = await mkdtemp(join(tmpdir(), 'platform-mock-'));
  // Whoever interrupts ends the process from within.
  const removeCache = (): void => rmSync(cacheDir, { recursive: true, force: true });
  process.once('exit', removeCache);
  try {
    const isSource = import.meta.url.endsWith('.ts');
    // The checks as one file (build.js): loading it need not go through vite, which takes longer than the checks themselves.
    const built = { root: join(packageRoot, 'dist/verified'), server: { deps: { external: [/\.js$/] } } };
    const vitest = await startVitest(
      'test',
      [],
      {
        ...(isSource ? { root: import.meta.dirname } : built),
        config: false,
        watch: false,
        include: [`suite.contract.${isSource ? 'ts' : 'js'}`],
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
        provide: { suite: { ...selection, runId } },
      },
      { cacheDir, clearScreen: false, logLevel: 'silent' },
    );
    const broken =
      vitest.state.getUnhandledErrors()[0] ??
      vitest.state.getFiles().find((file) => file.result?.errors?.length)?.result?.errors?.[0];
    await vitest.close();
    const { session } = await begun();
    assertComplete(selection, session, new Set([...results.keys(), ...(probed ? ['gaps'] : [])]), broken);
  } catch (error) {
    // Without a report, nothing else says what stays at the target.
    process.stderr.write(leftAt(watch.leftovers));
    throw error;
  } finally {
    watch.stop();
    channel.close();
    process.off('exit', removeCache);
    await rm(cacheDir, { recursive: true, force: true });
  }
  return {
    checks: selection.checkIds.flatMap((id) => results.get(id) ?? []),
    ...(ended ?? { leftovers: [], requests: { total: 0, writes: 0, byOperation: {} }, secrets: [] }),
    ...(probed ? { probed } : {}),
  };
}

function assertComplete(
  { checkIds }: Selection,
  { probing }: SessionConfig,
  ran: ReadonlySet<string>,
  broken: unknown,
): void {
  const missing = [...checkIds, ...(probing ? ['gaps'] : [])].filter((name) => !ran.has(name));
  if (missing.length === 0) return;
  const hasMessage = typeof broken === 'object' && broken !== null && 'message' in broken;
  const cause = hasMessage ? String(broken.message) : '';
  throw new Error(`The suite did not run ${missing.length} of its checks (${missing[0]}, …). ${cause}`.trim());
}
