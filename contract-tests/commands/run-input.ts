import { createRequire } from 'node:module';
import { namedActors } from '../api/named-actors.ts';
import { ifAnswered, UsageError } from '../errors.ts';
import type { DidYouMean } from '../files/schema-check.ts';
import { modelWith } from '../own/model-file.ts';
import { ownRequirements } from '../own/rules-file.ts';
import { allReaders } from '../readers/catalogue.ts';
import { idsOf } from '../report/text.ts';
import type { Waivers } from '../report/verdict.ts';
import type { Rule } from '../rules/rule.ts';
import { allRules, isShownByWrites } from '../rules/rules.ts';
import type { SessionConfig } from '../session/connection.ts';
import { assertVersionNotInBase, discoverTarget, isMock } from '../session/discover.ts';
import { checkAnswers, type GivenAnswers, loadGivenAnswers, NO_ANSWERS } from '../session/gap-answers.ts';
import { readTarget, type Target, type TargetChoice } from '../session/target-file.ts';
import { loadRequirements } from '../spec-data.ts';
import { decodeJwt } from '../values/jwt.ts';
import { Pace } from '../wire/pace.ts';
import { loadBaseline } from './baseline.ts';

/** The options of `learn` and `verify` by their names on the command line: what to run, and how. */
export interface RunOptions
  extends TargetChoice,
    Partial<Pick<SessionConfig, 'allowWrites' | 'quick' | 'requests' | 'seed' | 'concurrency' | 'explore' | 'wait'>> {
  only?: string[];
  skip?: string[];
  /** Requirement ids that may stay untested, or `all`. */
  allowUntested?: string[];
  /** A file of known findings, which do not gate. */
  baseline?: string;
  /** Maximum requests that may be sent again because of trouble on the way; more make the verdict `inconclusive`. */
  maxTrouble?: number;
  /** Seconds after which a command ends the run, with the judgements so far. */
  timeLimit?: number;
  /** Whether a gap that differs from what is assumed makes the verdict `violates`. */
  strict?: boolean;
  /** Whether the gaps are observed as well. Default: yes, unless `only` limits the run and `strict` does not ask for it. */
  probe?: boolean;
  /** Rules that are not ours, as `loadRules` gives them; they are judged and gate like ours. */
  rules?: readonly Rule[];
  /** Whether reports have names and types of members in the place of the values of bodies. */
  withoutBodies?: boolean;
  /** A file with more values and requests (spec/schemas/model.schema.json). */
  model?: string;
}

/** The input of a run, read and checked: nothing in it is a usage error. */
export type RunInput = ReturnType<typeof readRunInput> & Pick<SessionConfig, 'tearDown' | 'learns'>;

/** Reads and checks the input of a run; sends nothing. Throws UsageError for what cannot be used. */
export function readRunInput(options: RunOptions, didYouMean?: DidYouMean) {
  const { only = [], skip = [], allowUntested = [], strict = false, quick = false, rules = [] } = options;
  if (quick && strict)
    throw new UsageError('--strict asks about every gap, and --quick observes none: leave out one of them.');
  if (quick && options.requests !== undefined)
    throw new UsageError('--quick limits a run to 60 requests, and --requests says how many: leave out one of them.');
  if (options.explore) requireFastCheck();
  const all = [...allRules, ...rules];
  const requirements = [...loadRequirements(), ...ownRequirements(rules)];
  const judged = all.flatMap((rule) => [rule.id, ...rule.requirements]);
  const assertKnown = (option: string, ids: readonly string[], kind: string, known: readonly string[]): void => {
    const unknown = ids.find((id) => !known.includes(id));
    if (unknown === undefined) return;
    const hint = didYouMean?.(unknown, [...new Set(known)]) ?? '';
    throw new UsageError(`${option} ${unknown}: unknown ${kind}; 'platform-mock verify --plan' lists them${hint}`);
  };
  assertKnown('--allow-untested', allowUntested, 'requirement', ['all', ...requirements.map(({ id }) => id)]);
  assertKnown('--only', only, 'check or requirement', judged);
  assertKnown('--skip', skip, 'check or requirement', judged);
  const baseline = loadBaseline(options.baseline, all, requirements);
  const target = (options.baseUrl ?? options.target) === undefined ? undefined : readTarget(options, didYouMean);
  const profile = options.profile ?? target?.profile;
  const { probe = !quick && (only.length === 0 || strict) } = options;
  const matching = (ids: readonly string[]): Rule[] =>
    all.filter((rule) => [rule.id, ...rule.requirements].some((id) => ids.includes(id)));
  const chosen = only.length > 0 ? matching(only) : all;
  const skipped = matching(skip).filter((rule) => chosen.includes(rule));
  const checks = chosen.filter((rule) => !skipped.includes(rule));
  if (checks.length === 0) throw new UsageError('No check is left: --only and --skip exclude each other.');
  // Limited to some checks, a run says nothing about the requirements of the others.
  const scope = only.flatMap((id) => all.find((rule) => rule.id === id)?.requirements ?? [id]);
  const left = new Set(checks.flatMap((rule) => rule.requirements));
  const skippedWhole = skipped.flatMap((rule) => rule.requirements).filter((id) => !left.has(id));
  return {
    ...options,
    ...{ strict, baseline, checks, skipped: idsOf(skipped) },
    target,
    targetFile: options.target,
    given: profile === undefined ? undefined : givenBy(profile, target),
    requirements: requirements.filter(({ id }) => only.length === 0 || scope.includes(id)),
    model: options.model === undefined ? undefined : modelWith(options.model, didYouMean),
    probes: probe ? allReaders : [],
    waivers: new Map<string, string>([
      ...allowUntested.map((id) => [id, `--allow-untested${id === 'all' ? ' all' : ''}`] as const),
      ...[...baseline.waivers].map(([id, reason]) => [id, `the baseline (${reason})`] as const),
      ...skippedWhole.map((id) => [id, '--skip'] as const),
    ]) satisfies Waivers,
  };
}

/** Finds the target, and completes the input. Throws TransportError when nothing answers, UsageError without a usable target. */
export async function planRun(input: RunInput) {
  const named = namedIn(input);
  const pace = new Pace(named.limits);
  const target = await discoverTarget(named, pace);
  await assertVersionNotInBase(target, pace);
  const mayWriteUnasked = whyNoWrites(input, target) === UNASKED && (await isMock(target, pace));
  return { ...completed(input, target, mayWriteUnasked), pace } satisfies SessionConfig;
}

/** The same for a plan. Nothing is sent where a file describes the target; else it is asked what it says of itself, if it is there. */
export async function planOnly(input: RunInput) {
  const named = namedIn(input);
  if (named.folder !== undefined) return completed(input, named, false);
  const described = await ifAnswered(discoverTarget(named));
  return completed(input, described ?? named, described !== undefined && (await isMock(named)));
}

function namedIn(input: RunInput): Target {
  const target = input.target ?? readTarget({});
  assertFresh(target);
  return target;
}

function completed(input: RunInput, target: Target, mayWriteUnasked: boolean) {
  const given = input.given ?? (target.profile === undefined ? NO_ANSWERS : givenBy(target.profile, target));
  const why = whyNoWrites(input, target);
  const noWrites = why === UNASKED && mayWriteUnasked ? undefined : why;
  // What only writes would show is not reported where it is optional.
  const isReported = (rule: Rule): boolean => !(rule.isOptional && isShownByWrites(rule, target.actors?.admin));
  const checks = noWrites === undefined ? input.checks : input.checks.filter(isReported);
  return {
    ...input,
    ...{ target, given, answers: given.answers, noWrites, checks: checks.length > 0 ? checks : input.checks },
    allowWrites: noWrites === undefined,
    probing: input.probes.length > 0 || input.learns,
  };
}

/** Why nothing may be written unless the target says that it is a mock. */
const UNASKED = 'only a mock is written to unasked; add --allow-writes';

/** What forbids writes, and what would allow them, as far as the input says it; undefined where they are allowed. */
function whyNoWrites({ allowWrites }: RunInput, { writes }: Target): string | undefined {
  if (writes === 'never') return 'the target file says "writes: never"';
  if (allowWrites === undefined) return UNASKED;
  return allowWrites ? undefined : '--no-allow-writes forbids them';
}

/** Throws UsageError where an access token of the target file says itself that it is over: nothing could be judged with it. */
function assertFresh({ actors }: Target): void {
  for (const [name, actor] of Object.entries(namedActors(actors))) {
    const exp = decodeJwt(actor?.accessToken)?.payload.exp;
    if (typeof exp !== 'number' || exp * 1000 > Date.now()) continue;
    const at = new Date(exp * 1000).toISOString();
    const advice = 'give one that lives for the run, or sso or login';
    throw new UsageError(`actors.${name}.accessToken expired at ${at}: ${advice}.`);
  }
}

function requireFastCheck(): void {
  const advice = 'which is not installed with the mock; run:  npm install --save-dev fast-check@4';
  try {
    createRequire(import.meta.url).resolve('fast-check');
  } catch {
    throw new UsageError(`--explore needs the package fast-check, ${advice}`);
  }
}

function givenBy(profile: NonNullable<Target['profile']>, target: Target | undefined): GivenAnswers {
  if (typeof profile === 'string') return loadGivenAnswers(profile);
  checkAnswers(profile.answers, () => `${target?.baseUrl}: profile of the target`);
  return { name: profile.name ?? 'of the target', answers: profile.answers };
}
