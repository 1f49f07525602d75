import {
  type SecondImplementationOptions,
  startSecondImplementation,
  type TargetFile,
} from '../../fixtures/servers/second/server.ts';
import { type Learned, learnFrom } from '../commands/learn.ts';
import { type RunOptions, readRunInput } from '../commands/run-input.ts';
import { type RunHooks, verifyInput } from '../commands/verify.ts';
import type { CheckResult, Report } from '../model.ts';
import { allRules } from '../rules/rules.ts';
import { runSuite, type SuiteResult } from '../run/run.ts';
import type { Target } from '../session/target-file.ts';
import { gapOf } from '../spec-data.ts';
import { withoutWaiting } from '../wire/time.ts';
import { withFiles } from './fixtures.ts';

interface Judging extends SecondImplementationOptions {
  /** What the target file says instead of the implementation's own resources. */
  resources?: Partial<TargetFile['resources']>;
  /** Runs at the same implementation, of which the last one is judged by; default 1. */
  times?: number;
  /** Only the checks of this requirement, with the requests that they need. */
  requirement?: string;
}

export interface VerifyOptions extends RunOptions, RunHooks {}

/** Runs the contract suite by options that are read for it. */
export const verify = async (options: VerifyOptions): Promise<Report> => verifyInput(readRunInput(options), options);

/** The same for the probes. */
export const learn = async (options: RunOptions): Promise<Learned> => learnFrom(readRunInput(options));

/** Verifies a deployment by the target file that describes it. */
export const verifyAt = (target: object, options: VerifyOptions = {}): Promise<Report> =>
  withFiles({ 'target.yaml': target }, (path) =>
    verify({ target: path('target.yaml'), allowWrites: true, ...options }),
  );

/** Runs the probes at a deployment by the target file that describes it. */
export const learnAt = (target: object): Promise<Learned> =>
  withFiles({ 'target.yaml': target }, (path) => learn({ target: path('target.yaml'), allowWrites: true }));

/** What a target would have shown with these answers. */
export function learnedAs(answers: Record<string, unknown>): Learned {
  const gaps = Object.entries(answers).map(([id, observed]) => {
    const { section, question, default: assumed } = gapOf(id);
    return { id, section, question, assumed, observed, outcome: 'differs' as const };
  });
  return { baseUrl: 'http://host.test', learnedAt: '', answers, gaps, leftovers: [] };
}

/** Verifies a second implementation, without probes, by its target file or what `change` makes of that. */
export async function verifySecond(
  implementation: SecondImplementationOptions,
  change: (target: Target) => Target = (target) => target,
  options: VerifyOptions = {},
): Promise<Report> {
  await using server = await startSecondImplementation(implementation);
  return await verifyAt(change(structuredClone(server.target)), { probe: false, ...options });
}

/** Runs the whole suite at a second implementation that is started for it. */
export async function runAtSecond({ resources, times = 1, requirement, ...options }: Judging): Promise<SuiteResult> {
  // Besides waits, each look at the clock takes a tenth of a millisecond: what is found does not depend on the machine.
  let looks = 0;
  const begun = Date.now();
  const now = () => begun + Math.floor(looks / 10);
  await using server = await startSecondImplementation({ ...options, now });
  const { target, pass } = server;
  const config = {
    target: structuredClone({ ...target, resources: { ...target.resources, ...resources } }),
    answers: {},
    allowWrites: true,
  };
  const look = () => {
    looks += 1;
    return looks / 10;
  };
  const rules = allRules.filter(({ requirements }) => requirement === undefined || requirements.includes(requirement));
  const run = () => withoutWaiting(pass, () => runSuite(config, rules), look);
  for (let before = 1; before < times; before += 1) await run();
  return await run();
}

/** The results of every check of such a run. */
export const judge = async (judging: Judging = {}): Promise<CheckResult[]> => (await runAtSecond(judging)).checks;

/** Ids of the requirements that a run found violated. */
export const violatedIn = (checks: readonly CheckResult[]): string[] => [
  ...new Set(checks.filter(({ outcome }) => outcome === 'violation').flatMap(({ requirements }) => requirements)),
];
