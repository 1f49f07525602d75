import { contradictions, type Operation } from './linearizable.ts';

const recording = 'rec_kickoff';
const fields = ['title', 'summary'] as const;

/** Milliseconds. A request without an answer by then is a problem. */
const clientTimeout = 120_000;

/** One world as its clients see it: two registers, the title and the summary of a recording. */
export interface WatchedWorld {
  /** Of its URLs: '' for the main world. */
  readonly prefix: string;
  readonly token: string;
  readonly histories: Readonly<Record<(typeof fields)[number], Operation[]>>;
}

const firstOf = (field: string, prefix: string): string => `first ${field} ${prefix}`;
const recordOf = (prefix: string): string => `${prefix}/_mock/state/recordings/${recording}`;

/** A world with its first values, before clients use it. */
export async function openWorld(baseUrl: string, prefix: string): Promise<WatchedWorld> {
  const first = Object.fromEntries(fields.map((field) => [field, firstOf(field, prefix)]));
  await untilTaken(baseUrl + recordOf(prefix), 'PATCH', first);
  const minted = await untilTaken(`${baseUrl}${prefix}/_mock/tokens`, 'POST', { user: 'usr_ada' });
  const { token } = (await minted.json()) as { token: string };
  return { prefix, token, histories: { title: [], summary: [] } };
}

/** @returns what no order of the operations explains */
export const problemsOf = ({ prefix, histories }: WatchedWorld): string[] =>
  fields
    .flatMap((field) => contradictions(histories[field], firstOf(field, prefix)))
    .map((problem) => `${prefix || 'the main world'}: ${problem}`);

/** Clients that send one request at a time, and note what they see. */
export class WatchingClients {
  acknowledged = 0;
  /** 503, and nothing was changed. */
  refused = 0;
  /** 503 that leaves it open, or no answer. */
  uncertain = 0;
  readonly problems: string[] = [];
  private count = 0;

  /** @returns whether it was answered */
  async read(baseUrl: string, { prefix, histories }: WatchedWorld): Promise<boolean> {
    const from = performance.now();
    const outcome = await this.send(baseUrl + recordOf(prefix), 'GET');
    if (typeof outcome === 'string') return false;
    for (const field of fields) note(histories[field], 'read', outcome[field], from);
    return true;
  }

  /** Writes a value that no other request writes. */
  async write(baseUrl: string, world: WatchedWorld, field: (typeof fields)[number]): Promise<void> {
    this.count += 1;
    const value = `${field} ${this.count}`;
    const from = performance.now();
    const url = `${baseUrl}${world.prefix}/v1/echo/recordings/${recording}`;
    const outcome = await this.send(url, 'PATCH', { [field]: value }, world.token);
    if (outcome === 'refused') return;
    const to = outcome === 'uncertain' ? Number.POSITIVE_INFINITY : performance.now();
    note(world.histories[field], 'write', value, from, to);
    // Answers of the API show the title, whichever field is written.
    if (outcome !== 'uncertain') note(world.histories.title, 'read', outcome.title, from, to);
  }

  /** @returns the answer, where the request was acknowledged */
  private async send(
    ...request: Parameters<typeof sendJson>
  ): Promise<Record<string, unknown> | 'refused' | 'uncertain'> {
    const [url, method] = request;
    const { status, text } = await sendJson(...request).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      (error: Error & { cause?: { code?: string } }) => {
        if (error.name === 'TimeoutError') this.problems.push(`${method} ${url}: no answer at all`);
        const isSent = error.cause?.code !== 'ECONNREFUSED';
        return { status: 503, text: isSent ? 'may have been carried out' : 'nothing was changed' };
      },
    );
    if (status === 200) {
      this.acknowledged += 1;
      return JSON.parse(text) as Record<string, unknown>;
    }
    const outcome = status === 503 && text.includes('nothing was changed') ? 'refused' : 'uncertain';
    this[outcome] += 1;
    if (status !== 503 || (outcome === 'uncertain' && !text.includes('may have been carried out')))
      this.problems.push(`${method} ${url}: ${status} ${text.slice(0, 300)}`);
    return outcome;
  }
}

const note = (history: Operation[], kind: Operation['kind'], value: unknown, from: number, to = performance.now()) =>
  void history.push({ kind, value: String(value), from, to });

const sendJson = (url: string, method: string, body?: unknown, token?: string): Promise<Response> =>
  fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(clientTimeout),
  });

/** Sends it again while the store is away, as it may be on a busy machine. */
async function untilTaken(...request: Parameters<typeof sendJson>): Promise<Response> {
  const answer = await sendJson(...request);
  return answer.status === 503 ? untilTaken(...request) : answer;
}
