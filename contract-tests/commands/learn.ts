import { isDeepStrictEqual } from 'node:util';
import { isPathOf, OPERATION_IDS, OPERATIONS, type OperationId } from '../api/operations.ts';
import { TransportError } from '../errors.ts';
import type { Entry } from '../log/entry.ts';
import type { GapResult } from '../model.ts';
import { allReaders } from '../readers/catalogue.ts';
import type { Reader } from '../readers/reader.ts';
import { probe } from '../run/probe.ts';
import type { SuiteHooks } from '../run/run.ts';
import { Run } from '../run/steps.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { discoverTarget } from '../session/discover.ts';
import { sameAnswer } from '../session/gap-answers.ts';
import { Session } from '../session/session.ts';
import type { Target } from '../session/target-file.ts';
import { gapOf } from '../spec-data.ts';
import { asText, canonical, isObject, mapJson, memberOf, objectOf } from '../values/json.ts';
import type { RunInput } from './run-input.ts';
import { runAtTarget } from './verify.ts';

/** What the probes of one target showed. Nothing in it is a secret. */
export type Learned = ReturnType<typeof learnedFrom>;

interface LearnHooks extends SuiteHooks {
  /** What the run exchanged with which target. */
  onEnd?: (entries: readonly Entry[], target: Target) => void;
}

/** Runs the probes at a target. Throws TransportError where no target answers or admin is refused. */
export async function learnFrom(input: RunInput, { onEnd, ...hooks }: LearnHooks = {}): Promise<Learned> {
  const { target, found } = await runAtTarget({ ...input, checks: [], learns: true }, hooks);
  const { gaps, leftovers, adminProblem, secrets } = found;
  onEnd?.(found.log.entries, target);
  const undetermined = gaps.filter(({ outcome }) => outcome === 'undetermined');
  if (adminProblem === undefined && undetermined.length < gaps.length)
    return learnedFrom(target.baseUrl, gaps, secrets, leftovers);
  const reason = adminProblem ?? undetermined[0]?.reason;
  const dependants = undetermined.filter((gap) => gap.reason === reason).map(({ id }) => id);
  const which = dependants.length > 0 ? ` (${dependants.join(', ')})` : '';
  // Created records stay, however the run ends.
  const what = leftovers.length > 0 ? `. Left at the target: ${leftovers.join('; ')}` : '';
  throw new TransportError(secrets.scrub(`Nothing can be learned: ${reason}${which}${what}`));
}

/**
 * What is known of a target by the gaps that were read. One whose answer must not be in a profile is left open.
 * @param leftOut what of a recording could not be read
 */
export function learnedFrom(
  baseUrl: string,
  read: readonly GapResult[],
  secrets: Secrets,
  leftovers: string[] = [],
  leftOut?: string,
) {
  const gaps = read.map((gap): GapResult => {
    const reason = conflictOf(gap, secrets);
    return reason === undefined ? gap : { ...gap, observed: undefined, outcome: 'undetermined', reason };
  });
  const observed = gaps.filter(({ outcome }) => outcome !== 'undetermined');
  const answers: Record<string, unknown> = Object.fromEntries(observed.map((gap) => [gap.id, gap.observed]));
  return secrets.scrubJson({
    baseUrl,
    learnedAt: new Date().toISOString(),
    answers,
    gaps,
    leftovers,
    ...(leftOut !== undefined && { leftOut }),
  });
}

/** What the readers find at a mock, by their own requests; `answers` tell its undocumented paths. */
export async function readMock(baseUrl: string, answers: Record<string, unknown>, readers: readonly Reader[]) {
  const { profile: _, ...target } = await discoverTarget({ baseUrl });
  const session = new Session({ target, answers, allowWrites: true, probing: true, learns: true });
  try {
    const run = new Run(session, 0);
    const read = await probe(run, readers);
    const { gaps } = read();
    return { gaps, log: run.log, leftovers: session.leftovers };
  } finally {
    session.client.close();
  }
}

/** Asks a mock that serves the learned profile for each kind of error; answers that do not come back are left open, with the reason. */
export async function keepServed(learned: Learned, baseUrl: string): Promise<Learned> {
  const isOfErrors = ({ id, section }: GapResult): boolean => section === '7' && Object.hasOwn(learned.answers, id);
  const asked = learned.gaps.filter(isOfErrors).map(({ id }) => id);
  const read = await readMock(
    baseUrl,
    learned.answers,
    allReaders.filter(({ gap }) => asked.includes(gap)),
  );
  const gaps = learned.gaps.map((gap): GapResult => {
    const served = read.gaps.find(({ id }) => id === gap.id);
    if (!asked.includes(gap.id) || !served || isServed(gap, served)) return gap;
    const seen = served.reason ?? `the mock that serves it answers ${JSON.stringify(served.observed)}`;
    return {
      ...gap,
      observed: undefined,
      outcome: 'undetermined',
      reason: `${JSON.stringify(gap.observed)} was observed and cannot be served: ${seen}`,
    };
  });
  const answers = Object.fromEntries(
    Object.entries(learned.answers).filter(([id]) =>
      gaps.some((gap) => gap.id === id && gap.outcome !== 'undetermined'),
    ),
  );
  return { ...learned, answers, gaps };
}

/** Texts of a shape may mean something else by chance; the codes of kinds that the target did not show are no difference. */
function isServed({ id, observed }: GapResult, served: GapResult): boolean {
  if (id === 'error-body') return isDeepStrictEqual(variantsOf(observed), variantsOf(served.observed));
  return id === 'error-codes' && isObject(observed) && isObject(served.observed)
    ? isDeepStrictEqual({ ...served.observed, ...observed }, served.observed)
    : sameAnswer(gapOf(id), observed, served.observed);
}

/** The bodies of an answer to error-body, without their texts: of each kind, or operation, and all others. */
function variantsOf(answer: unknown): string[] {
  const { shapes = {} } = gapOf('error-body');
  const shape = typeof answer === 'string' ? memberOf(shapes, answer) : answer;
  const { cases, ...usual } = objectOf(shape);
  const textless = (of: unknown) => mapJson(of, (part) => (typeof part === 'string' ? 'text' : part));
  const variants = [usual, ...(Array.isArray(cases) ? cases.map(objectOf) : [])].flatMap((variant) =>
    [variant.for ?? variant.at ?? 'others']
      .flat()
      .map((where) => `${asText(where)} ${asText(variant.mediaType)} ${canonical(textless(variant.template))}`),
  );
  return variants.toSorted();
}

/** An answer contradicts the document as the path of two operations; one that holds a credential would be wrong redacted. */
function conflictOf({ id, observed }: GapResult, secrets: Secrets): string | undefined {
  const method = id === 'scopes-path' ? 'GET' : 'POST';
  const isPath = (each: OperationId): boolean => OPERATIONS[each].method === method && isPathOf(each, asText(observed));
  if (OPERATION_IDS.some(isPath)) return `${asText(observed)} was observed, the path of another operation`;
  const isSecret = observed !== undefined && JSON.stringify(secrets.scrubJson(observed)) !== JSON.stringify(observed);
  return isSecret ? 'what was observed holds a credential' : undefined;
}
