import { isPathOf, type OperationId } from '../api/operations.ts';
import { TransportError } from '../errors.ts';
import type { GapResult } from '../model.ts';
import { runSuite, type SuiteHooks } from '../run/run.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { TargetChoice } from '../session/target-choice.ts';
import { withoutUserInfo } from '../values/url.ts';
import { whilePrepared } from './preparation.ts';
import { planRun, type RunInput, readRunInput } from './run-input.ts';

export interface LearnOptions extends TargetChoice {
  allowWrites?: boolean;
}

/** What the probes of one target showed. Nothing in it is a secret. */
export type Learned = ReturnType<typeof learnedFrom>;
/** A gap whose answer was observed but contradicts others, and why: it is not among the answers. */
type Conflict = { gap: string; reason: string };

/** The target could not be reached or accepted no credentials, so that nothing could be learned. */
export class NothingLearned extends Error {
  override name = 'NothingLearned';
}

/** Runs the probes at a target. Throws UsageError for bad input, NothingLearned where no target answers or admin is refused. */
export async function learn(options: LearnOptions): Promise<Learned> {
  return learnFrom(readRunInput(options));
}

/** The same for input that has been read already. */
export async function learnFrom(input: RunInput, hooks: SuiteHooks = {}): Promise<Learned> {
  const { done, left } = await whilePrepared(input, async (ready, ending) => {
    const { target, session } = await planRun(ready);
    const config = { ...session, ...ending, probing: true, leanPat: true, learns: true };
    return { target, ...(await runSuite(config, [], hooks)) };
  }).catch((error: unknown) => {
    throw error instanceof TransportError ? new NothingLearned(error.message) : error;
  });
  const { target, probed, secrets: seen } = done;
  const leftovers = [...done.leftovers, ...left];
  const secrets = new Secrets(target);
  secrets.add(seen);
  const { gaps = [], adminProblem } = probed ?? {};
  const problem = problemOf(gaps, adminProblem);
  if (problem !== undefined) throw new NothingLearned(secrets.scrub(problem + leftIn(leftovers)));
  return learnedFrom(withoutUserInfo(target.baseUrl), gaps, secrets, leftovers);
}

/** What is known of a target by the gaps that were read. */
export function learnedFrom(baseUrl: string, gaps: GapResult[], secrets: Secrets, leftovers: string[] = []) {
  const conflicts = [...conflictsIn(gaps), ...secretAnswers(gaps, secrets)];
  const observed = gaps.filter(
    (gap) => gap.outcome !== 'undetermined' && !conflicts.some((conflict) => conflict.gap === gap.id),
  );
  /** Those that fit together. */
  const answers: Record<string, unknown> = Object.fromEntries(observed.map((gap) => [gap.id, gap.observed]));
  return secrets.scrubJson({ baseUrl, learnedAt: new Date().toISOString(), answers, gaps, conflicts, leftovers });
}

/** Created records stay, however the run ends. */
const leftIn = (leftovers: readonly string[]): string =>
  leftovers.length > 0 ? `. Left at the target: ${leftovers.join('; ')}` : '';

/** Why nothing can be learned; undefined where something was. */
function problemOf(gaps: readonly GapResult[], adminProblem: string | undefined): string | undefined {
  const undetermined = gaps.filter(({ outcome }) => outcome === 'undetermined');
  if (adminProblem === undefined && undetermined.length < gaps.length) return undefined;
  const reason = adminProblem ?? undetermined[0]?.reason ?? 'nothing was observed';
  const dependants = undetermined.filter((gap) => gap.reason === reason).map(({ id }) => id);
  const which = dependants.length > 0 ? ` (${dependants.join(', ')})` : '';
  return `Nothing can be learned: ${reason}${which}`;
}

/** Answers that hold a credential: they must not be written to a profile, and redacted they would be wrong. */
function secretAnswers(gaps: readonly GapResult[], secrets: Secrets): Conflict[] {
  const holdsSecret = (value: unknown): boolean =>
    value !== undefined && JSON.stringify(secrets.scrubJson(value)) !== JSON.stringify(value);
  return gaps
    .filter(({ observed }) => holdsSecret(observed))
    .map(({ id }) => ({ gap: id, reason: 'what was observed holds a credential' }));
}

/** The operations that have the path of a gap's answer already, by gap. */
const PATHS_TAKEN: Record<string, readonly OperationId[]> = {
  'refresh-path': ['sso', 'login', 'pat'],
  'scopes-path': ['api-keys'],
};

/** Answers that contradict the document: two operations on one method and path. */
export function conflictsIn(gaps: readonly GapResult[]): Conflict[] {
  return gaps.flatMap(({ id, observed }) =>
    typeof observed === 'string' && PATHS_TAKEN[id]?.some((operation) => isPathOf(operation, observed))
      ? [{ gap: id, reason: `${observed} is the path of another operation` }]
      : [],
  );
}
