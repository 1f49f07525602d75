import { conflictsIn, type Learned, NothingLearned } from '../learn.ts';
import type { Gap, GapResult } from '../model.ts';
import type { RefusalSample } from '../probes/error-samples.ts';
import { learnErrors } from '../probes/error-shape.ts';
import { answerFor } from '../probes/shape-learner.ts';
import type { RunInput } from '../run-input.ts';
import { candidatePaths, inKnownOrder, problemWith, sameAnswer } from '../session/gap-answers.ts';
import type { OperationId } from '../session/operations.ts';
import { secretsOf } from '../session/redaction.ts';
import { partsOfPat } from '../session/token-forms.ts';
import { findPats } from '../session/tokens-in-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject } from '../wire/json.ts';
import { bearerOf } from './judge.ts';
import { OperationsIn, type Seen } from './operations-in.ts';
import { type Progress, readHar } from './read-har.ts';
import { TokensSeen } from './tokens-seen.ts';

/** Entries that are named as evidence, and refusals whose bodies are learned from, of each kind. */
const EVIDENCE = 3;
const SAMPLES = 10;

const SUCCESS_CODES: Partial<Record<OperationId, string>> = { sso: 'ssoLogin', login: 'login', pat: 'createApiToken' };

/** What entries show of one gap. */
interface Observed {
  values: Map<string, { value: unknown; entries: Answer[] }>;
}

/** What the exchanges of a recording show of the gaps, as far as they show it without a request made for that. */
class GapsSeen {
  readonly #gaps = new Map<string, Observed>();
  readonly #codes: Record<string, number> = {};
  readonly #samples: RefusalSample[] = [];
  readonly #tokens = new TokensSeen();

  see(seen: Seen): void {
    const { operation, answer, path } = seen;
    const { status } = answer.response;
    const json = jsonOf(answer);
    if (operation === 'sso' && isSuccess(answer) && isObject(json) && Number.isInteger(json.expires_in))
      this.#note('access-token-lifetime', json.expires_in, answer);
    if (operation === 'scopes' && isSuccess(answer)) this.#note('scopes-path', path, answer);
    if (operation === 'pat' && isSuccess(answer)) {
      const head = partsOfPat(findPats(answer)[0])?.head;
      if (head !== undefined) this.#note('pat-prefix', head.slice(0, head.lastIndexOf('_')), answer);
    }
    const code = operation && SUCCESS_CODES[operation];
    if (code !== undefined && isSuccess(answer)) this.#codes[code] ??= status;
    if (code !== undefined && isSuccess(answer)) this.#note('success-codes', this.#codes, answer, 'all');
    if (operation === 'api-keys' || operation === 'scopes' || operation === 'recording') this.#seeRefusal(seen);
    this.#tokens.learn(seen);
  }

  /** What was observed of a gap. */
  of(gap: Gap): { values: unknown[]; entries: Answer[] } {
    const found = [...(this.#gaps.get(gap.id)?.values.values() ?? [])];
    const values = found.map(({ value }) => value);
    if (gap.id === 'error-body' && this.#samples.length > 0) {
      const kinds = new Set(this.#samples.map(({ kind }) => kind));
      const entries = [...kinds].flatMap((kind) => this.#samples.find((sample) => sample.kind === kind)?.answer ?? []);
      return { values: [answerFor('error-body', learnErrors(this.#samples))], entries };
    }
    return { values, entries: found.flatMap(({ entries }) => entries) };
  }

  #seeRefusal({ answer }: Seen): void {
    const { status } = answer.response;
    if (status !== 401 && status !== 403) return;
    const token = bearerOf(answer);
    const kind = this.#tokens.kindOf(token);
    const isMissing = token === undefined && answer.request.headers.Authorization === undefined;
    // Of a token that looks good nobody knows why it was refused.
    const name = isMissing ? 'missing-credentials' : kind === 'garbage' ? 'invalid-credentials' : undefined;
    if (name === undefined) return;
    this.#note(`${name}-status`, status, answer);
    if (this.#samples.filter((sample) => sample.kind === name).length < SAMPLES)
      this.#samples.push({ kind: name, answer, fields: [] });
  }

  #note(gap: string, value: unknown, answer: Answer, key = JSON.stringify(value)): void {
    const observed = this.#gaps.get(gap) ?? { values: new Map() };
    this.#gaps.set(gap, observed);
    const same = observed.values.get(key) ?? { value, entries: [] };
    observed.values.set(key, { value, entries: [...same.entries, answer].slice(0, EVIDENCE) });
  }
}

/**
 * What a recording shows of the gaps, each answer with the entries that show it; nothing is sent. Throws UsageError for a
 * file that cannot be read, and NothingLearned where it shows nothing.
 */
export async function learnHar(
  file: string,
  { target, given }: RunInput,
  onProgress?: (progress: Progress) => void,
): Promise<Learned> {
  const operations = new OperationsIn(candidatePaths('scopes-path', given?.answers ?? {}), target?.baseUrl);
  const seen = new GapsSeen();
  for await (const recorded of readHar(file, onProgress)) {
    const found = operations.find(recorded);
    if (found?.hasBody) seen.see(found);
  }
  const baseUrl = operations.base(file);
  const secrets = secretsOf({ ...target, baseUrl });
  const gaps = loadGaps().map((gap) => resultOf(gap, seen, given?.answers ?? {}));
  const conflicts = conflictsIn(gaps);
  const learned = gaps.filter(
    ({ id, outcome }) => outcome !== 'undetermined' && !conflicts.some(({ gap }) => gap === id),
  );
  if (learned.length === 0) throw new NothingLearned(`Nothing can be learned: ${file} shows no answer to a gap`);
  return secrets.scrubJson({
    baseUrl,
    learnedAt: new Date().toISOString(),
    answers: Object.fromEntries(learned.map(({ id, observed }) => [id, observed])),
    gaps,
    conflicts,
    leftovers: [],
  });
}

function resultOf(gap: Gap, seen: GapsSeen, answers: Record<string, unknown>): GapResult {
  const { id, section, question } = gap;
  const assumed = id in answers ? answers[id] : gap.default;
  const { values, entries } = seen.of(gap);
  const evidence = entries.map(
    ({ entry, request, response }) =>
      `entry ${entry?.number} (${entry?.startedAt}): ${request.method} ${new URL(request.url).pathname} -> ${response.status}`,
  );
  const base = { id, section, question, assumed, ...(evidence.length > 0 ? { evidence } : {}) };
  const [observed, ...others] = values;
  if (observed === undefined)
    return { ...base, outcome: 'undetermined', reason: 'no exchange of the recording shows it' };
  const problem = others.length > 0 ? undefined : problemWith(gap, observed);
  if (others.length > 0 || problem !== undefined) {
    const reason = `the recording shows ${values.map((value) => JSON.stringify(value)).join(' and ')}${problem === undefined ? '' : `, which ${problem}`}`;
    return { ...base, outcome: 'undetermined', reason };
  }
  const outcome = sameAnswer(gap, observed, assumed) ? 'match' : 'differs';
  return { ...base, observed: inKnownOrder(gap, observed, assumed), outcome };
}
