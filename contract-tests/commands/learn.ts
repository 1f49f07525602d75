import { isPathOf, OPERATION_IDS, OPERATIONS, type OperationId } from '../api/operations.ts';
import { TransportError } from '../errors.ts';
import type { GapResult } from '../model.ts';
import type { SuiteHooks } from '../run/run.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { asText } from '../values/json.ts';
import { withoutUserInfo } from '../values/url.ts';
import type { RunInput } from './run-input.ts';
import { runAtTarget } from './verify.ts';

/** What the probes of one target showed. Nothing in it is a secret. */
export type Learned = ReturnType<typeof learnedFrom>;

/** Runs the probes at a target. Throws TransportError where no target answers or admin is refused. */
export async function learnFrom(input: RunInput, hooks: SuiteHooks = {}): Promise<Learned> {
  const { target, found } = await runAtTarget({ ...input, checks: [], learns: true }, hooks);
  const { gaps, leftovers, adminProblem, secrets } = found;
  const undetermined = gaps.filter(({ outcome }) => outcome === 'undetermined');
  if (adminProblem === undefined && undetermined.length < gaps.length)
    return learnedFrom(withoutUserInfo(target.baseUrl), gaps, secrets, leftovers);
  const reason = adminProblem ?? undetermined[0]?.reason;
  const dependants = undetermined.filter((gap) => gap.reason === reason).map(({ id }) => id);
  const which = dependants.length > 0 ? ` (${dependants.join(', ')})` : '';
  // Created records stay, however the run ends.
  const what = leftovers.length > 0 ? `. Left at the target: ${leftovers.join('; ')}` : '';
  throw new TransportError(secrets.scrub(`Nothing can be learned: ${reason}${which}${what}`));
}

/** What is known of a target by the gaps that were read. One whose answer must not be in a profile is left open. */
export function learnedFrom(baseUrl: string, read: readonly GapResult[], secrets: Secrets, leftovers: string[] = []) {
  const gaps = read.map((gap): GapResult => {
    const reason = conflictOf(gap, secrets);
    return reason === undefined ? gap : { ...gap, observed: undefined, outcome: 'undetermined', reason };
  });
  const observed = gaps.filter(({ outcome }) => outcome !== 'undetermined');
  const answers: Record<string, unknown> = Object.fromEntries(observed.map((gap) => [gap.id, gap.observed]));
  return secrets.scrubJson({ baseUrl, learnedAt: new Date().toISOString(), answers, gaps, leftovers });
}

/** An answer contradicts the document as the path of two operations; one that holds a credential would be wrong redacted. */
function conflictOf({ id, observed }: GapResult, secrets: Secrets): string | undefined {
  const method = id === 'scopes-path' ? 'GET' : 'POST';
  const isPath = (each: OperationId): boolean => OPERATIONS[each].method === method && isPathOf(each, asText(observed));
  if (OPERATION_IDS.some(isPath)) return `${asText(observed)} was observed, the path of another operation`;
  const isSecret = observed !== undefined && JSON.stringify(secrets.scrubJson(observed)) !== JSON.stringify(observed);
  return isSecret ? 'what was observed holds a credential' : undefined;
}
