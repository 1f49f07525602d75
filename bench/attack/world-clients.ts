import { type Call, callerOf, field } from '../../src/testing/client.ts';
import { contradictions, type Operation } from './linearizable.ts';

const fields = ['title', 'summary'] as const;

/** Milliseconds by which the times of a world may differ: the machines' clocks are further apart. */
const timeTolerance = 10_000;

/** What only grows in a world: names that were acknowledged, and those that may have been carried out. */
type Grown = Readonly<Record<'acknowledged' | 'possible', Set<string>>>;

export type WatchedWorld = Awaited<ReturnType<typeof openWorld>>;

const firstOf = (field: string, prefix: string): string => `first ${field} ${prefix}`;
const recordOf = (prefix: string): string => `${prefix}/_mock/state/recordings/rec_kickoff`;

/** A world with its first values, before clients use it. `prefix` is that of its URLs: '' for the main world. */
export async function openWorld(baseUrl: string, prefix: string) {
  const first = Object.fromEntries(fields.map((field) => [field, firstOf(field, prefix)]));
  await untilTaken(baseUrl, `PATCH ${recordOf(prefix)}`, first);
  const minted = await untilTaken(baseUrl, `POST ${prefix}/_mock/tokens`, { user: 'usr_ada', lifetime: 1e6 });
  const token = String(field(minted, 'token'));
  const growing = (): Grown => ({ acknowledged: new Set(), possible: new Set() });
  const grown = { pats: growing(), snapshots: growing(), advances: growing() };
  const histories: Record<(typeof fields)[number], Operation[]> = { title: [], summary: [] };
  const updates: { from: number; to: number; time: number }[] = [];
  return { prefix, token, histories, updates, grown };
}

/** @returns what no order of the operations explains */
export const problemsOf = ({ prefix, histories, updates }: WatchedWorld): string[] =>
  [
    ...fields.flatMap((field) => contradictions(histories[field], firstOf(field, prefix))),
    ...updates.flatMap(({ from, time }) =>
      updates
        .filter((before) => before.to < from && before.time > time + timeTolerance)
        .map((before) => `updated_at goes back from ${before.time} to ${time}`),
    ),
  ].map((problem) => `${prefix || 'the main world'}: ${problem}`);

/** What a replica shows of a world in the end, against what was acknowledged. @returns problems; undefined if it did not answer */
export async function lossesOf(baseUrl: string, { prefix, grown }: WatchedWorld): Promise<string[] | undefined> {
  const get = async (path: string) => {
    const { status, body } = await callerOf(baseUrl)(`GET ${prefix}/_mock/${path}`);
    return status === 200 ? (body as never) : undefined;
  };
  const [pats, snapshots, clock] = [
    (await get('state/pats?limit=1000')) as { items: { name: string }[] } | undefined,
    (await get('snapshots')) as { name: string }[] | undefined,
    (await get('clock')) as { offsetMilliseconds: number } | undefined,
  ];
  if (!pats || !snapshots || !clock) return undefined;
  const namesOf = (of: readonly { readonly name: string }[]) => of.map(({ name }) => name);
  const { acknowledged, possible } = grown.advances;
  const advances = Math.round(clock.offsetMilliseconds / advanceMs);
  const isBetween = advances >= acknowledged.size && advances <= acknowledged.size + possible.size;
  return [
    ...differences('personal access tokens', namesOf(pats.items), grown.pats),
    ...differences('snapshots', namesOf(snapshots), grown.snapshots),
    ...(isBetween
      ? []
      : [`the clock shows ${advances} advances of ${acknowledged.size} and ${possible.size} uncertain`]),
  ].map((problem) => `${baseUrl}${prefix}: ${problem}`);
}

function differences(what: string, found: readonly string[], { acknowledged, possible }: Grown): string[] {
  const lost = [...acknowledged].filter((name) => !found.includes(name));
  const foreign = found.filter((name) => !acknowledged.has(name) && !possible.has(name));
  const twice = found.filter((name, at) => found.indexOf(name) !== at);
  return Object.entries({ lost, foreign, twice }).flatMap(([kind, names]) =>
    names.length > 0 ? [`${what} ${kind}: ${names}`] : [],
  );
}

const advanceMs = 1000;
/** Names of snapshots; a world keeps a limited number of them. */
const snapshotNames = 20;

/** What clients saw of a sandbox that they delete, and make again by writing to it. */
export type RemadeHistory = (Pick<Operation, 'value' | 'from' | 'to'> & {
  readonly kind: Operation['kind'] | 'delete';
})[];

const remade = '/~remade';
/** The title that it begins with. */
export const unwritten = 'Kick-off: difference engine';

/** @returns reads of what was deleted before, or of a beginning without a deletion */
export function remadeProblems(history: RemadeHistory): string[] {
  const of = (kind: RemadeHistory[0]['kind']) => history.filter((each) => each.kind === kind);
  const [writes, deletions] = [of('write'), of('delete')];
  return of('read').flatMap(({ value, from, to }) => {
    const read = `read ${value} [${from.toFixed(1)}, ${to.toFixed(1)}]`;
    if (value === unwritten)
      return writes
        .filter((write) => write.to < from && !deletions.some((each) => each.to > write.from && each.from < to))
        .map((write) => `${read}: ${write.value} is lost`);
    const write = writes.find((each) => each.value === value);
    if (!write) return [`${read}: no client wrote that`];
    const isGone = deletions.some((each) => write.to < each.from && each.to < from);
    return isGone ? [`${read}: it was deleted`] : [];
  });
}

/** Clients that send one request at a time, and note what they see. */
export class WatchingClients {
  acknowledged = 0;
  /** 503, and nothing was changed. */
  refused = 0;
  /** 503 that leaves it open, or no answer. */
  uncertain = 0;
  readonly problems: string[] = [];
  readonly remade: RemadeHistory = [];
  private count = 0;

  /** @returns whether it was answered */
  async read(baseUrl: string, { prefix, histories }: WatchedWorld): Promise<boolean> {
    const from = performance.now();
    const outcome = await this.send(baseUrl, `GET ${recordOf(prefix)}`);
    if (typeof outcome === 'string') return false;
    for (const field of fields) note(histories[field], 'read', outcome[field], from);
    return true;
  }

  async write(baseUrl: string, world: WatchedWorld, field: (typeof fields)[number]): Promise<void> {
    this.count += 1;
    const value = `${field} ${this.count}`;
    const from = performance.now();
    const line = `PATCH ${world.prefix}/v1/echo/recordings/rec_kickoff`;
    const outcome = await this.send(baseUrl, line, { json: { [field]: value }, token: world.token });
    if (outcome === 'refused') return;
    const to = outcome === 'uncertain' ? Number.POSITIVE_INFINITY : performance.now();
    note(world.histories[field], 'write', value, from, to);
    if (outcome === 'uncertain') return;
    // Answers of the API show the title, whichever field is written.
    note(world.histories.title, 'read', outcome.title, from, to);
    world.updates.push({ from, to, time: Date.parse(String(outcome.updated_at)) });
  }

  async grow(
    baseUrl: string,
    { prefix, token, grown }: WatchedWorld,
    what: keyof WatchedWorld['grown'],
  ): Promise<void> {
    this.count += 1;
    const name = what === 'snapshots' ? `s${this.count % snapshotNames}` : `n${this.count}`;
    const calls: Record<typeof what, [line: string, call?: Call]> = {
      pats: [`POST ${prefix}/v1/api-tokens`, { json: { name }, token }],
      snapshots: [`PUT ${prefix}/_mock/snapshots/${name}`],
      advances: [`POST ${prefix}/_mock/clock/advance`, { json: { seconds: advanceMs / 1000 } }],
    };
    const outcome = await this.send(baseUrl, ...calls[what]);
    if (outcome !== 'refused') grown[what][outcome === 'uncertain' ? 'possible' : 'acknowledged'].add(name);
  }

  async remake(baseUrl: string, kind: RemadeHistory[0]['kind']): Promise<void> {
    this.count += 1;
    const title = `title ${this.count}`;
    const from = performance.now();
    const line = {
      read: `GET ${recordOf(remade)}`,
      write: `PATCH ${recordOf(remade)}`,
      delete: `DELETE /_mock/sandboxes/${remade.slice(2)}`,
    }[kind];
    const outcome = await this.send(baseUrl, line, kind === 'write' ? { json: { title } } : {});
    if (outcome === 'refused' || (outcome === 'uncertain' && kind === 'read')) return;
    const to = outcome === 'uncertain' ? Number.POSITIVE_INFINITY : performance.now();
    const value = kind === 'read' && outcome !== 'uncertain' ? String(outcome.title) : title;
    this.remade.push({ kind, value, from, to });
  }

  /** @returns the answer, where the request was acknowledged */
  private async send(
    baseUrl: string,
    line: string,
    call?: Call,
  ): Promise<Record<string, unknown> | 'refused' | 'uncertain'> {
    const { status, text, body } = await callerOf(baseUrl)(line, call).catch(
      ({ cause }: Error & { cause?: { code?: string } }) => {
        const isSent = cause?.code !== 'ECONNREFUSED';
        return { status: 503, text: isSent ? 'may have been carried out' : 'nothing was changed', body: undefined };
      },
    );
    if (status >= 200 && status < 300) {
      this.acknowledged += 1;
      return body as Record<string, unknown>;
    }
    // Another client was first.
    if (status === 404 && line.startsWith('DELETE')) return 'refused';
    const outcome = status === 503 && text.includes('nothing was changed') ? 'refused' : 'uncertain';
    this[outcome] += 1;
    if (status !== 503 || (outcome === 'uncertain' && !text.includes('may have been carried out')))
      this.problems.push(`${baseUrl} ${line}: ${status} ${text.slice(0, 300)}`);
    return outcome;
  }
}

const note = (history: Operation[], kind: Operation['kind'], value: unknown, from: number, to = performance.now()) =>
  void history.push({ kind, value: String(value), from, to });

/** Sends it again while the store is away, as it may be on a busy machine. */
async function untilTaken(baseUrl: string, line: string, json: object): Promise<unknown> {
  const { status, body } = await callerOf(baseUrl)(line, { json });
  return status === 503 ? untilTaken(baseUrl, line, json) : body;
}
