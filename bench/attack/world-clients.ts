import { contradictions, type Operation } from './linearizable.ts';

const recording = 'rec_kickoff';
const fields = ['title', 'summary'] as const;
type Field = (typeof fields)[number];

/** Milliseconds. A request without an answer by then is a problem. */
const clientTimeout = 120_000;

/** How requests ended. */
export class Tally {
  acknowledged = 0;
  /** 503, and nothing was changed. */
  refused = 0;
  /** 503 that leaves it open, or no answer. */
  uncertain = 0;
  readonly problems: string[] = [];
}

/** What clients saw of one world: two registers, and API tokens that they made. */
export class WatchedWorld {
  readonly histories: Readonly<Record<Field, Operation[]>> = { title: [], summary: [] };
  /** Names of tokens by id, and those of which the answer got lost. */
  readonly made = new Map<string, string>();
  readonly asked = new Set<string>();
  readonly first: Readonly<Record<Field, string>>;
  token = '';

  /** @param prefix of its URLs: '' for the main world */
  constructor(readonly prefix: string) {
    this.first = { title: `first title ${prefix}`, summary: `first summary ${prefix}` };
  }

  get record(): string {
    return `${this.prefix}/_mock/state/recordings/${recording}`;
  }

  /** Writes the first values, before clients use it. */
  async open(baseUrl: string): Promise<void> {
    const minted = await untilTaken(`${baseUrl}${this.prefix}/_mock/tokens`, 'POST', { user: 'usr_ada' });
    this.token = ((await minted.json()) as { token: string }).token;
    await untilTaken(baseUrl + this.record, 'PATCH', this.first);
  }

  /** @returns what no order of the operations explains, and the tokens that were lost or made twice */
  problems(kept: readonly { readonly id: string; readonly name: string }[]): string[] {
    const found = fields.flatMap((field) => contradictions(this.histories[field], this.first[field]));
    const names = new Map(kept.map(({ id, name }) => [id, name]));
    if (names.size < kept.length) found.push('an id is there twice');
    if (new Set(names.values()).size < names.size) found.push('a token was made twice');
    for (const name of names.values()) if (!this.asked.has(name)) found.push(`no client made ${name}`);
    for (const [id, name] of this.made) if (names.get(id) !== name) found.push(`${name} (${id}) was lost`);
    return found.map((problem) => `${this.prefix || 'the main world'}: ${problem}`);
  }
}

/** A client that sends one request at a time, and notes what it sees. */
export class WatchingClient {
  private count = 0;

  constructor(
    private readonly name: string,
    private readonly tally: Tally,
  ) {}

  /** Sends a random request: mostly updates by the API and reads by the control plane. */
  async act(baseUrl: string, world: WatchedWorld, random: number): Promise<void> {
    this.count += 1;
    const unique = `${this.name}.${this.count}`;
    if (random < 0.4) await this.update(baseUrl, world, 'title', unique);
    else if (random < 0.6) await this.update(baseUrl, world, 'summary', unique);
    else if (random < 0.95) await this.read(baseUrl, world);
    else await this.make(baseUrl, world, unique);
  }

  /** @returns whether it was answered */
  async read(baseUrl: string, world: WatchedWorld): Promise<boolean> {
    const from = performance.now();
    const outcome = await this.send(baseUrl + world.record, 'GET');
    if (typeof outcome === 'string') return false;
    for (const field of fields) this.note(world.histories[field], 'read', outcome[field], from);
    return true;
  }

  private async update(baseUrl: string, world: WatchedWorld, field: Field, value: string): Promise<void> {
    const from = performance.now();
    const url = `${baseUrl}${world.prefix}/v1/echo/recordings/${recording}`;
    const outcome = await this.send(url, 'PATCH', { [field]: value }, world.token);
    if (outcome === 'refused') return;
    const to = outcome === 'uncertain' ? Number.POSITIVE_INFINITY : performance.now();
    this.note(world.histories[field], 'write', value, from, to);
    // Answers of the API show the title, whichever field is written.
    if (outcome !== 'uncertain') this.note(world.histories.title, 'read', outcome.title, from, to);
  }

  private async make(baseUrl: string, world: WatchedWorld, name: string): Promise<void> {
    const outcome = await this.send(`${baseUrl}${world.prefix}/v1/api-tokens`, 'POST', { name }, world.token);
    if (outcome !== 'refused') world.asked.add(name);
    if (typeof outcome !== 'string') world.made.set(String(outcome.id), name);
  }

  private note(
    history: Operation[],
    kind: Operation['kind'],
    value: unknown,
    from: number,
    to = performance.now(),
  ): void {
    history.push({ kind, value: String(value), from, to, client: this.name });
  }

  /** @returns the answer, where the request was acknowledged */
  private async send(
    url: string,
    method: string,
    body?: unknown,
    token?: string,
  ): Promise<Record<string, unknown> | 'refused' | 'uncertain'> {
    const { tally } = this;
    const { status, text } = await request(url, method, body, token).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      (error: Error & { cause?: { code?: string } }) => {
        if (error.name === 'TimeoutError') tally.problems.push(`${method} ${url}: no answer at all`);
        const isSent = error.cause?.code !== 'ECONNREFUSED';
        return { status: 503, text: isSent ? 'may have been carried out' : 'nothing was changed' };
      },
    );
    if (status === 200 || status === 201) {
      tally.acknowledged += 1;
      return JSON.parse(text) as Record<string, unknown>;
    }
    const isRefused = status === 503 && text.includes('nothing was changed');
    if (!isRefused && !(status === 503 && text.includes('may have been carried out')))
      tally.problems.push(`${method} ${url}: ${status} ${text.slice(0, 300)}`);
    const outcome = isRefused ? 'refused' : 'uncertain';
    tally[outcome] += 1;
    return outcome;
  }
}

const request = (url: string, method: string, body?: unknown, token?: string): Promise<Response> =>
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
async function untilTaken(...args: Parameters<typeof request>): Promise<Response> {
  const answer = await request(...args);
  return answer.status === 503 ? untilTaken(...args) : answer;
}
