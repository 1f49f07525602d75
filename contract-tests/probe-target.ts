import { TransportError } from './errors.ts';
import { CheckFailure } from './failure.ts';
import type { Exchange, Gap, GapResult } from './model.ts';
import { allProbes } from './probes/catalogue.ts';
import { crossCheck } from './probes/cross-check.ts';
import { evidenceOf } from './probes/evidence.ts';
import { AtLeast, type Probe, Undetermined } from './probes/probe.ts';
import { refusedCredentials } from './probes/refused-actors.ts';
import { allowedAnswers, inKnownOrder, problemWith, sameAnswer } from './session/gap-answers.ts';
import { requireFields } from './session/required-fields.ts';
import type { Session } from './session/session.ts';
import { loadGaps } from './spec-data.ts';
import { NEEDS_WRITES, WriteNotAllowed } from './wire/write-guard.ts';

/** What the probes of one target found: every gap of the ledger, and all exchanges. */
export interface ProbeRun {
  gaps: GapResult[];
  exchanges: Exchange[];
  /** Why admin can show nothing, in a run that learns. */
  adminProblem?: string;
}

/** Maximum probes in a row without a response: further ones would be pointless. */
const MAX_SILENCE = 2;

/**
 * Observes the target's answer to each gap, one after the other, and compares it with the one that is assumed: the
 * profile's, else the ledger's default. Never throws for what the target does.
 * @param onGap called with each gap of the ledger before it is observed
 */
export async function probeTarget(
  session: Session,
  probes: readonly Probe[] = allProbes,
  onGap: (gap: Gap) => void = () => {},
): Promise<ProbeRun> {
  const gaps: GapResult[] = [];
  const exchanges: Exchange[] = [];
  let silence = 0;
  for (const gap of loadGaps()) {
    onGap(gap);
    const probe = probes.find((one) => one.gap === gap.id);
    if (!probe) {
      gaps.push(notProbed(gap, session.assumed(gap.id), 'not probed'));
      continue;
    }
    if (silence >= MAX_SILENCE) {
      gaps.push(notProbed(gap, session.assumed(gap.id), 'the target stopped answering'));
      continue;
    }
    const setUp = await session.recorder.scope(() => prepare(probe, session));
    const run = setUp.result.status === 'rejected' ? setUp : await observe(probe, gap, session);
    exchanges.push(...setUp.exchanges, ...run.exchanges);
    const failure: unknown = run.result.status === 'rejected' ? run.result.reason : undefined;
    silence = failure instanceof TransportError ? silence + 1 : 0;
    const value = run.result.status === 'fulfilled' ? run.result.value : undefined;
    const atLeast = value instanceof AtLeast ? [`at least these: ${value.seenIn}`] : [];
    const evidence = [...evidenceOf(session, run.exchanges), ...atLeast];
    const result = run.result.status === 'fulfilled' ? judge(session, gap, value) : undetermined(session, gap, failure);
    gaps.push({ ...result, ...(evidence.length > 0 ? { evidence } : {}) });
  }
  const adminProblem = session.config.learns ? await problemOfAdmin(session) : undefined;
  return {
    gaps: crossCheck(gaps),
    exchanges: [...new Set(exchanges)],
    ...(adminProblem === undefined ? {} : { adminProblem }),
  };
}

async function problemOfAdmin(session: Session): Promise<string | undefined> {
  if (Object.keys(session.credentials('admin')).length === 0) return 'the target file has no actors.admin';
  return refusedCredentials(session, 'admin').catch((error: unknown) => {
    if (error instanceof TransportError) return `no response: ${error.message}`;
    throw error;
  });
}

/**
 * Observes a gap, at first by what the run was answered already. What is not as assumed is observed once more by requests of
 * its own: a gap that is answered in two ways has no answer.
 */
function observe(probe: Probe, gap: Gap, session: Session): ReturnType<Session['recorder']['scope']> {
  return session.recorder.scope(async () => {
    session.recalls = true;
    const first = await probe
      .observe(session)
      .catch((error: unknown) => {
        // What the run was answered may be of another kind than what the probe would ask for.
        if (probe.repeats && session.isFirstEnough && error instanceof Undetermined) return error;
        throw error;
      })
      .finally(() => {
        session.recalls = false;
      });
    const isUnclear = first instanceof Undetermined;
    const isAssumed = !isUnclear && sameAnswer(gap, first, session.assumed(gap.id));
    if (!probe.repeats || (isAssumed && !session.config.learns)) return first;
    session.recorder.forget((key) => !key.startsWith('probe: '));
    const second = await probe.observe(session);
    if (isUnclear || sameAnswer(gap, first, second)) return second;
    throw new Undetermined(`it was observed as ${JSON.stringify(first)} and then as ${JSON.stringify(second)}`);
  });
}

/** Throws where the probe cannot be run: fields are missing, writes not allowed, credentials refused. */
async function prepare(probe: Probe, session: Session): Promise<void> {
  requireFields(session, probe.needs);
  if (probe.writes && !session.config.allowWrites) throw new Undetermined(NEEDS_WRITES);
  for (const actor of ['admin', 'member'] as const) {
    if (!probe.needs.some((field) => field.startsWith(`actors.${actor}`))) continue;
    const cause = await refusedCredentials(session, actor);
    if (cause) throw new Undetermined(cause);
  }
}

function about(session: Session, gap: Gap): Omit<GapResult, 'outcome'> {
  return { id: gap.id, section: gap.section, question: gap.question, assumed: session.assumed(gap.id) };
}

/** The result of a gap that was not probed; `reason` says why, unless nothing can observe it. */
export function notProbed(gap: Gap, assumed: unknown, reason: string): GapResult {
  const { id, section, question, observable } = gap;
  const why = observable === false && gap.reason ? gap.reason : reason;
  return { id, section, question, assumed, outcome: 'undetermined', reason: why };
}

function judge(session: Session, gap: Gap, found: unknown): GapResult {
  const observed = found instanceof AtLeast ? found.values : found;
  const problem = problemWith(gap, observed);
  if (problem) {
    const reason = `${JSON.stringify(observed)} was observed, which ${problem}; allowed: ${allowedAnswers(gap)}`;
    return { ...about(session, gap), outcome: 'undetermined', reason };
  }
  const assumed = session.assumed(gap.id);
  // Some of what is assumed contradicts nothing.
  const areSome =
    found instanceof AtLeast && Array.isArray(assumed) && found.values.every((one) => assumed.includes(one));
  const matches = areSome || sameAnswer(gap, observed, assumed);
  return {
    ...about(session, gap),
    observed: inKnownOrder(gap, observed, assumed),
    outcome: matches ? 'match' : 'differs',
  };
}

function undetermined(session: Session, gap: Gap, failure: unknown): GapResult {
  return { ...about(session, gap), outcome: 'undetermined', reason: reasonOf(failure) };
}

function reasonOf(failure: unknown): string {
  if (failure instanceof Undetermined || failure instanceof CheckFailure) return failure.message;
  if (failure instanceof WriteNotAllowed) return NEEDS_WRITES;
  if (failure instanceof TransportError) return `no response: ${failure.message}`;
  const text = failure instanceof Error ? `${failure.name}: ${failure.message}` : String(failure);
  return `the probe itself failed, which says nothing about the target: ${text}`;
}
