import { isSafe } from '../api/operations.ts';
import { CannotAsk, ifAnswered, TransportError } from '../errors.ts';
import { LogBuilder } from '../log/log.ts';
import { candidatePaths } from '../session/gap-answers.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, sentIn } from '../values/answer.ts';
import { cookiesIn } from '../values/cookies.ts';
import { isObject } from '../values/json.ts';
import { decoded } from '../values/url.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { now, sleep } from '../wire/time.ts';
import { CREATE_PAT, requestKey, SIGN_INS } from '../wire/write-guard.ts';
import { correlate, type Difference, differencesOf, Records } from './compare.ts';
import { type Cause, causeOf } from './explain.ts';
import { Mapping } from './mapping.ts';
import { type Interaction, overlap, type Recording } from './recording.ts';
import { Rewriting } from './rewrite.ts';
import { Tokens } from './tokens.ts';

/** What became of an interaction at the target. */
export interface Replayed {
  interaction: Interaction;
  answer?: Answer;
  /** Why it was not sent, or not answered. */
  unsent?: string;
  differences: readonly (Difference & { cause: Cause })[];
}

/** A timer takes longer than shorter ones, in which a fast target has answered already. */
const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 600_000;

/** Sends a recording again: in its order, overlapping where it overlapped, with people, ids and tokens of the target. */
export class Replay {
  readonly #mapping = new Mapping();
  readonly #tokens = new Tokens();
  readonly #records = new Records();
  readonly #rewriting: Rewriting;
  /** The answers, as rules and readers read them. */
  readonly builder: LogBuilder;
  #tick = 0;
  #overlaps = 0;
  #running = 0;

  constructor(
    private readonly session: Session,
    private readonly recording: Recording,
    private readonly options: { isPaced: boolean; isMock: boolean; isFresh?: boolean },
  ) {
    const { target, config } = session;
    this.#rewriting = new Rewriting(session, recording.source, this.#mapping, this.#tokens, options.isMock);
    const scopesPaths = candidatePaths('scopes-path', config.answers).concat(candidatePaths('scopes-path', {}));
    this.builder = new LogBuilder({ scopesPaths, ...target, isPartial: true });
  }

  /** Sends all, and gives what became of each, in the order of the recording. Throws nothing for what the target does. */
  async run(onReplayed: (replayed: Replayed) => void = () => {}): Promise<Replayed[]> {
    const { interactions } = this.recording;
    // What started for this replay ends with it.
    if (!this.options.isFresh) await this.#rememberTitles();
    const running = new Set<{ endedAt: number; done: Promise<unknown> }>();
    const found: Replayed[] = [];
    const failures: unknown[] = [];
    let lastEnd = Number.POSITIVE_INFINITY;
    for (const [at, each] of interactions.entries()) {
      const before = [...running].filter(({ endedAt }) => endedAt <= each.startedAt);
      await Promise.all(before.map(({ done }) => done));
      if (failures.length > 0) break;
      const previous = interactions[at - 1];
      const idle = this.options.isPaced ? each.startedAt - lastEnd : 0;
      const pause = previous && overlap(previous, each) ? each.startedAt - previous.startedAt : idle;
      if (pause >= SHORTEST_PAUSE_MS) await sleep(Math.min(pause, LONGEST_PAUSE_MS));
      lastEnd = Math.max(each.endedAt, at === 0 ? 0 : lastEnd);
      const one = { endedAt: each.endedAt, done: Promise.resolve<unknown>(undefined) };
      one.done = this.#replay(each)
        .then((replayed) => {
          found[at] = replayed;
          onReplayed(replayed);
        })
        .catch((error: unknown) => failures.push(error))
        .finally(() => running.delete(one));
      running.add(one);
    }
    await Promise.all([...running].map(({ done }) => done));
    if (failures.length > 0) throw failures[0];
    return found;
  }

  /** How many interactions overlapped another one here, as far as they did in the recording. */
  get overlaps(): { here: number; recorded: number } {
    const { interactions } = this.recording;
    const recorded = interactions.filter((each, at) => {
      const previous = interactions[at - 1];
      return previous !== undefined && overlap(previous, each);
    });
    return { here: this.#overlaps, recorded: recorded.length };
  }

  /** Titles that are written are put back at the end: they are looked up first. */
  async #rememberTitles(): Promise<void> {
    const { session, recording } = this;
    if (!session.config.allowWrites) return;
    const { recordingId, otherRecordingId } = recording.source.resources;
    for (const [id, own] of [
      [recordingId, session.recording],
      [otherRecordingId, session.otherRecording],
    ] as const) {
      const first = recording.interactions.find(
        ({ operation, resource, recorded }) =>
          operation === 'recording' && resource === id && isSuccess(recorded) && sentHas(recorded, 'title'),
      );
      if (!first || own.givenId === undefined) continue;
      const look = async () =>
        own.prepared(
          { title: '' },
          await session.signIn.authorization(this.#rewriting.counterpartOf(first.actor ?? 'admin')),
        );
      await ifAnswered(look().catch(ignoreUnasked));
    }
  }

  async #replay(interaction: Interaction): Promise<Replayed> {
    const { recorded, number } = interaction;
    try {
      const request = await this.#rewriting.requestOf(interaction);
      const answer = await this.#send(request, interaction);
      if (answer.response.status === 429 && recorded.response.status !== 429)
        throw new CannotAsk('the target still answers 429 after waiting; lower limits.requestsPerSecond');
      return this.#compared(interaction, answer);
    } catch (error) {
      if (!(error instanceof CannotAsk || error instanceof TransportError)) throw error;
      this.#rewriting.unsent.add(number);
      this.#learnTokens(interaction, undefined);
      return { interaction, unsent: error.message, differences: [] };
    }
  }

  #compared(interaction: Interaction, actual: Answer): Replayed {
    const { recorded } = interaction;
    const pair = { recorded, actual };
    const differences = [
      ...differencesOf(pair, this.#mapping),
      ...this.#records.differences(pair, !this.#isOverlapped(interaction)),
    ];
    this.#learnTokens(interaction, actual);
    const [before, after] = [recorded, actual].map(({ response }) => cookiesIn([response.headers['set-cookie']]));
    for (const [name, value] of before ?? []) this.#mapping.bind(`cookie ${name}`, value, after?.get(name));
    correlate(pair, this.#mapping, (value) => this.#tokens.get(value) !== undefined);
    const isReshaped = differences.some(({ kind }) => kind === 'shape');
    const named = differences.map((each) => ({ ...each, cause: causeOf(each, interaction, pair, isReshaped) }));
    return { interaction, answer: actual, differences: named };
  }

  #learnTokens(interaction: Interaction, actual: Answer | undefined): void {
    const { recorded, number, actor = this.#rewriting.sentTokenOf(interaction)?.actor } = interaction;
    this.#tokens.learn(recorded, actual, number, actor);
  }

  #isOverlapped(one: Interaction): boolean {
    return this.recording.interactions.some((other) => other !== one && overlap(one, other));
  }

  async #send(request: ClientRequest, interaction: Interaction): Promise<Answer> {
    this.#tick += 1;
    const begin = this.#tick;
    const startedAt = now();
    if (this.#running > 0) this.#overlaps += 1;
    this.#running += 1;
    try {
      const answer = await this.#allowed({ ...request, note: interaction.asked }, interaction);
      this.#tick += 1;
      const times = { begin, end: this.#tick, startedAt, endedAt: now(), date: Date.now() };
      const whole = { hasRequestBody: true, hasBody: true, hasCookies: false };
      this.builder.add({ answer, ...times, ...whole });
      return answer;
    } finally {
      this.#running -= 1;
    }
  }

  /** Sends what the write guard lets through; also what a mock accepts, and updates of unknown recordings. */
  #allowed(request: ClientRequest, interaction: Interaction): Promise<Answer> {
    const { session } = this;
    const key = requestKey(request);
    const send = (): Promise<Answer> => session.sendAsIs(request);
    const isPlanned = session.policy.planned.has(key) || [...SIGN_INS, CREATE_PAT].includes(key);
    if (isSafe(request.method) || isPlanned) return send();
    // The same path, with characters percent-encoded or a query behind it.
    const effect = session.policy.planned.get(requestKey({ ...request, path: plainPath(request.path) }));
    if (effect !== undefined) return session.allowing(key, effect, send);
    if (this.#rewriting.sentTokenOf(interaction)) return session.allowing(key, 'session', send);
    const isOfNone = interaction.operation === 'recording' && !isSuccess(interaction.recorded);
    if (this.options.isMock || isOfNone) return session.allowing(key, 'change', send);
    const what = interaction.operation === 'recording' ? 'no disposable recording' : 'no operation of the document';
    throw new CannotAsk(`${request.method} ${request.path} is of ${what}, and may change anything`);
  }
}

const plainPath = (path: string): string =>
  path
    .replace(/\?.*/s, '')
    .split('/')
    .map((segment) => encodeURIComponent(decoded(segment)))
    .join('/');

const sentHas = (answer: Answer, name: string): boolean => {
  const sent = sentIn(answer);
  return isObject(sent) && Object.hasOwn(sent, name);
};

function ignoreUnasked(error: unknown): undefined {
  if (error instanceof CannotAsk) return undefined;
  throw error;
}
