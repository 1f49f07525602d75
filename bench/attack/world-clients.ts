import { contradictions, type Operation } from './linearizable.ts';
import { send } from './served.ts';

const recording = 'rec_kickoff';
const fields = ['title', 'summary'] as const;
type Field = (typeof fields)[number];
type Shown = Readonly<Record<Field, string>>;

/** Milliseconds after which a client takes it that no answer will come. */
const clientPatience = 120_000;

/** What clients of one world saw of it: two registers, and things that were made. */
export class WatchedWorld {
  readonly histories: Readonly<Record<Field, Operation[]>> = { title: [], summary: [] };
  readonly made = new Map<string, string>();
  /** Names of what may have been made, too. */
  readonly asked = new Set<string>();
  first: Shown = { title: '', summary: '' };
  token = '';

  /** @param prefix of its URLs: '' for the main world */
  constructor(readonly prefix: string) {}

  /** Takes what the world is like before anybody changes it. */
  async open(baseUrl: string): Promise<void> {
    const minted = await untilTaken(`${baseUrl}${this.prefix}/_mock/tokens`, 'POST', { user: 'usr_ada' });
    this.token = ((await minted.json()) as { token: string }).token;
    const url = `${baseUrl}${this.prefix}/_mock/state/recordings/${recording}`;
    // What it holds is unique, as all that is written later.
    const first = { title: `first title ${this.prefix}`, summary: `first summary ${this.prefix}` };
    const answer = await untilTaken(url, 'PATCH', first);
    this.first = (await answer.json()) as Shown;
  }

  /** @returns what no order of the operations explains, and what was lost or made twice */
  problems(kept: readonly { readonly id: string; readonly name: string }[]): string[] {
    const name = this.prefix || 'the main world';
    const found = fields.flatMap((field) => contradictions(this.histories[field], this.first[field]));
    const names = kept.map((token) => token.name);
    for (const { id } of kept.filter((token, at) => kept.findIndex((other) => other.id === token.id) !== at))
      found.push(`the id ${id} is there twice`);
    for (const twice of names.filter((each, at) => names.indexOf(each) !== at)) found.push(`${twice} was made twice`);
    for (const stray of names.filter((each) => !this.asked.has(each))) found.push(`nobody here made ${stray}`);
    for (const [id, made] of this.made)
      if (!kept.some((token) => token.id === id && token.name === made)) found.push(`${made} (${id}) was lost`);
    return found.map((problem) => `${name}: ${problem}`);
  }
}

/** Sends it again while the store is away, as it may be on a busy machine. */
async function untilTaken(...request: Parameters<typeof send>): Promise<Response> {
  const answer = await send(...request);
  return answer.status === 503 ? untilTaken(...request) : answer;
}

/** How requests ended. */
export class Tally {
  acknowledged = 0;
  /** 503, nothing was changed. */
  refused = 0;
  /** 503 that leaves it open, or no answer. */
  uncertain = 0;
  unreachable = 0;
  slowestRefusalMs = 0;
  readonly problems: string[] = [];
}

/** The answer, where the request was acknowledged. */
type Outcome = Record<string, unknown> | 'refused' | 'uncertain';

/** A client that sends one request at a time, and notes what it sees. */
export class WatchingClient {
  private count = 0;

  constructor(
    private readonly name: string,
    private readonly tally: Tally,
  ) {}

  /** Sends a request that is drawn: updates and reads mostly, by the API and by the control plane. */
  async act(baseUrl: string, world: WatchedWorld, random: number): Promise<void> {
    this.count += 1;
    const unique = `${this.name}.${this.count}`;
    if (random < 0.4) await this.update(baseUrl, world, 'title', `t${unique}`);
    else if (random < 0.6) await this.update(baseUrl, world, 'summary', `s${unique}`);
    else if (random < 0.95) await this.read(baseUrl, world);
    else await this.make(baseUrl, world, `made by ${unique}`);
  }

  /** @returns whether it was answered */
  async read(baseUrl: string, world: WatchedWorld): Promise<boolean> {
    const from = performance.now();
    const outcome = await this.send(`${baseUrl}${world.prefix}/_mock/state/recordings/${recording}`, 'GET');
    if (typeof outcome === 'string') return false;
    for (const field of fields) this.note(world.histories[field], 'read', outcome[field], from);
    return true;
  }

  /** Writes one register, and reads the other in the same answer. */
  private async update(baseUrl: string, world: WatchedWorld, field: Field, value: string): Promise<void> {
    const from = performance.now();
    const url = `${baseUrl}${world.prefix}/v1/echo/recordings/${recording}`;
    const outcome = await this.send(url, 'PATCH', { [field]: value }, world.token);
    if (outcome === 'refused') return;
    // Answers of the API show the title only, whatever is written.
    const { [field]: shown = value, ...others } = typeof outcome === 'string' ? {} : outcome;
    const to = outcome === 'uncertain' ? Number.POSITIVE_INFINITY : performance.now();
    if (shown !== value) this.tally.problems.push(`${this.name} wrote ${value}, and was answered ${String(shown)}`);
    this.note(world.histories[field], 'write', value, from, to);
    if (typeof others.title === 'string') this.note(world.histories.title, 'read', others.title, from, to);
  }

  private async make(baseUrl: string, world: WatchedWorld, name: string): Promise<void> {
    const outcome = await this.send(`${baseUrl}${world.prefix}/v1/api-tokens`, 'POST', { name }, world.token);
    if (outcome !== 'refused') world.asked.add(name);
    if (typeof outcome === 'string') return;
    const id = String(outcome.id);
    if (world.made.has(id)) this.tally.problems.push(`${world.prefix}: the id ${id} was given twice`);
    world.made.set(id, name);
  }

  private note(
    history: Operation[],
    kind: Operation['kind'],
    value: unknown,
    from: number,
    to = performance.now(),
  ): void {
    history.push({ kind, value: String(value), from, to, who: this.name });
  }

  private async send(url: string, method: string, body?: unknown, token?: string): Promise<Outcome> {
    const { tally } = this;
    const from = performance.now();
    let answer: Response;
    let text: string;
    try {
      const signed: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      answer = await send(url, method, body, signed, AbortSignal.timeout(clientPatience));
      text = await answer.text();
    } catch (error) {
      // Not even sent.
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if ((error as Error).name === 'TimeoutError') tally.problems.push(`${method} ${url}: no answer at all`);
      tally[code === 'ECONNREFUSED' ? 'unreachable' : 'uncertain'] += 1;
      return code === 'ECONNREFUSED' ? 'refused' : 'uncertain';
    }
    if (answer.status === 200 || answer.status === 201) {
      tally.acknowledged += 1;
      return JSON.parse(text) as Record<string, unknown>;
    }
    if (answer.status !== 503 || !/nothing was changed|may have been carried out/.test(text)) {
      tally.problems.push(`${method} ${url}: ${answer.status} ${text.slice(0, 300)}`);
      return 'uncertain';
    }
    tally.slowestRefusalMs = Math.max(tally.slowestRefusalMs, performance.now() - from);
    if (answer.headers.get('retry-after') === null) tally.problems.push(`${method} ${url}: 503 without Retry-After`);
    const kind = text.includes('nothing was changed') ? 'refused' : 'uncertain';
    tally[kind] += 1;
    return kind;
  }
}
