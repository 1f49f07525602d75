import { createRequire } from 'node:module';
import { namedActors } from '../api/named-actors.ts';
import { UsageError } from '../errors.ts';
import type { DidYouMean } from '../files/schema-check.ts';
import { modelWith } from '../own/model-file.ts';
import { ownRequirements } from '../own/rules-file.ts';
import { allReaders } from '../readers/catalogue.ts';
import type { Rule } from '../rules/rule.ts';
import { allRules } from '../rules/rules.ts';
import type { SessionConfig } from '../session/connection.ts';
import { assertVersionNotInBase, discoverTarget } from '../session/discover.ts';
import { checkAnswers, type GivenAnswers, loadGivenAnswers, NO_ANSWERS } from '../session/gap-answers.ts';
import { readTarget, type Target, type TargetChoice } from '../session/target-file.ts';
import { loadRequirements } from '../spec-data.ts';
import { decodeJwt } from '../values/jwt.ts';
import { isLoopback } from '../wire/loopback.ts';
import { Pace } from '../wire/pace.ts';
import { loadBaseline } from './baseline.ts';

/** What to run, and how: the options of `learn` and `verify`, by their names on the command line. */
export interface RunOptions
  extends TargetChoice,
    Partial<Pick<SessionConfig, 'allowWrites' | 'quick' | 'requests' | 'seed' | 'concurrency'>> {
  /** Check or requirement ids. */
  only?: string[];
  skip?: string[];
  /** Requirement ids that may stay untested, or `all`. */
  allowUntested?: string[];
  /** A file of known findings, which do not gate. */
  baseline?: string;
  /** How many generated requests of each kind are sent, too. */
  explore?: number;
  /** For how many seconds a short-lived access token is waited for to expire. */
  wait?: number;
  /** Maximum requests that may be sent again because of trouble on the way; more make the verdict `inconclusive`. */
  maxTrouble?: number;
  /** Whether a gap that differs from what is assumed makes the verdict `violates`. */
  strict?: boolean;
  /** Whether the gaps are observed as well. Default: yes, unless `only` limits the run and `strict` does not ask for it. */
  probe?: boolean;
  /** Rules that are not ours, as `loadRules` gives them; they are judged and gate like ours. */
  rules?: readonly Rule[];
  /** A file with more values and requests (spec/schemas/model.schema.json). */
  model?: string;
}

/** How the caller improves messages about its input. */
export interface InputHints {
  /** What to add to a message about an id that is none of these. */
  didYouMean?: DidYouMean;
  /** Reads a named profile first; throws what explains its faults better. */
  checkProfile?(fileOrName: string): void;
}

/** The input of a run, read and checked: nothing in it is a usage error. */
export type RunInput = ReturnType<typeof readRunInput>;

/** Reads and checks the input of a run; sends nothing. Throws UsageError for what cannot be used. */
export function readRunInput(options: RunOptions, hints: InputHints = {}) {
  const { only = [], skip = [], allowUntested = [], strict = false, quick = false, rules = [] } = options;
  if (quick && strict)
    throw new UsageError('--strict asks about every gap, and --quick observes none: leave out one of them.');
  if (quick && options.requests !== undefined)
    throw new UsageError(
      '--quick is a run of at most 60 requests, and --requests says how many: leave out one of them.',
    );
  if (options.explore) requireFastCheck();
  const all = [...allRules, ...rules];
  const own = ownRequirements(rules);
  const ids = [...loadRequirements(), ...own].map(({ id }) => id);
  const judged = all.flatMap(({ id, requirements }) => [id, ...requirements]);
  assertKnown('--allow-untested', allowUntested, 'requirement', ['all', ...ids], hints);
  assertKnown('--only', only, 'check or requirement', judged, hints);
  assertKnown('--skip', skip, 'check or requirement', judged, hints);
  const baseline = options.baseline === undefined ? undefined : loadBaseline(options.baseline, all, ids);
  const waivers = [...(baseline?.waivers ?? [])].flatMap(([id, { isExpired }]) => (isExpired ? [] : [id]));
  const waived = new Set([...allowUntested, ...waivers]);
  const target = (options.baseUrl ?? options.target) === undefined ? undefined : readTarget(options, hints.didYouMean);
  const profile = options.profile ?? target?.profile;
  if (typeof profile === 'string') hints.checkProfile?.(profile);
  const { probe = !quick && (only.length === 0 || strict) } = options;
  return {
    ...options,
    ...{ strict, baseline },
    /** Absent where no target was named: the caller sets one before the run. */
    target,
    isFromTargetFile: options.target !== undefined,
    /** The answers of the profile that was named, by an option or by the target file. */
    given: profile === undefined ? undefined : givenBy(profile, target),
    ...select(only, skip, all),
    /** Those of rules that are not ours. */
    ownRequirements: own,
    /** What is asked, where it is not our model alone. */
    model: options.model === undefined ? undefined : modelWith(options.model, hints.didYouMean),
    /** The probes that follow, none when the run does not observe gaps. */
    probes: probe ? allReaders : [],
    waiver: { requirements: waived, all: waived.has('all') },
  };
}

/**
 * Finds the target, which may describe itself, and completes the input of the run. `started` is one that was started for the
 * run, with all that a target file says: nothing needs to be found. Throws TransportError when the target does not answer,
 * UsageError where no target was named or its base URL is wrong.
 */
export async function planRun(input: RunInput, started?: Target) {
  const named = started ?? input.target;
  if (!named) throw new UsageError('Name the target: --base-url URL, or --target FILE.');
  assertFresh(named);
  const pace = new Pace(named.limits);
  const target = started ?? (await discoverTarget(named, !input.isFromTargetFile, pace));
  if (!started) await assertVersionNotInBase(target, pace);
  const given = input.given ?? (target.profile === undefined ? NO_ANSWERS : givenBy(target.profile, target));
  const isLocal = await isLoopback(target.baseUrl);
  const { quick, concurrency, requests, model, seed, wait, explore } = input;
  const session: SessionConfig = {
    ...{ target, answers: given.answers, quick, concurrency, requests, model, seed, waitSeconds: wait },
    exploration: explore === undefined ? undefined : { runs: explore, seed: seed ?? 1 },
    allowWrites: input.allowWrites ?? isLocal,
    loopbackOnly: input.allowWrites === undefined && isLocal,
    probing: input.probes.length > 0,
    waitedMs: pace.waitedMs,
    // Lean requests only verify a profile that answers this gap; a PAT with few scopes would cost checks.
    leanPat: 'pat-create-request' in given.answers,
  };
  return { ...input, target, given, session };
}

/** A token that is over may be one only by a clock that differs. */
const LEEWAY_MS = 60_000;

/** Throws UsageError where an access token of the target file says itself that it is over: nothing could be judged with it. */
function assertFresh({ actors }: Target): void {
  for (const [name, actor] of Object.entries(namedActors(actors))) {
    const exp = decodeJwt(actor?.accessToken)?.payload.exp;
    if (typeof exp !== 'number' || exp * 1000 > Date.now() - LEEWAY_MS) continue;
    const at = new Date(exp * 1000).toISOString();
    throw new UsageError(
      `actors.${name.replace(/\.(\d+)$/, '[$1]')}.accessToken expired at ${at}: give one that lives for the run, or sso or login.`,
    );
  }
}

/** What generates requests is not installed with the package. */
function requireFastCheck(): void {
  try {
    createRequire(import.meta.url).resolve('fast-check');
  } catch {
    throw new UsageError(
      '--explore needs the package fast-check, which is not installed with the mock; run:  npm install --save-dev fast-check@4',
    );
  }
}

function givenBy(profile: NonNullable<Target['profile']>, target: Target | undefined): GivenAnswers {
  if (typeof profile === 'string') return loadGivenAnswers(profile);
  checkAnswers(profile.answers, () => `${target?.baseUrl}: profile of the target`);
  return { name: profile.name ?? 'of the target', answers: profile.answers };
}

/** The checks of the run, and the requirements that it is limited to; all where `scope` is absent. */
function select(only: readonly string[], skip: readonly string[], all: readonly Rule[]) {
  const matching = (ids: readonly string[]): Rule[] =>
    all.filter(({ id, requirements }) => ids.includes(id) || requirements.some((each) => ids.includes(each)));
  const chosen = only.length > 0 ? matching(only) : all;
  const skipped = matching(skip);
  const checks = chosen.filter((rule) => !skipped.includes(rule));
  if (checks.length === 0) throw new UsageError('No check is left: --only and --skip exclude each other.');
  // Limited to some checks, a run says nothing about the requirements of the others.
  const scope = only.flatMap((id) => all.find((rule) => rule.id === id)?.requirements ?? [id]);
  return { checks, scope: only.length > 0 ? new Set(scope) : undefined };
}

function assertKnown(
  option: string,
  ids: readonly string[],
  kind: string,
  known: readonly string[],
  { didYouMean = () => '' }: InputHints,
): void {
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return;
  throw new UsageError(
    `${option} ${unknown}: unknown ${kind}; 'platform-mock verify --plan' lists them${didYouMean(unknown, [...new Set(known)])}`,
  );
}
