import { type Call, callerOf, field } from '../../src/testing/client.ts';
import { contradictions, type Operation } from './linearizable.ts';

const fields = ['title', 'summary'] as const;
/** What only grows in a world. */
const growing = ['pats', 'snapshots', 'advances'] as const;

/** Milliseconds by which the times of a world may differ: the machines' clocks are further apart. */
const timeTolerance = 10_000;
const advanceMs = 1000;
/** Names of snapshots; a world keeps a limited number of them. */
const snapshotNames = 20;

export type WatchedWorld = Awaited<ReturnType<typeof openWorld>>;

const firstOf = (field: string, prefix: string): string => `first ${field} ${prefix}`;
const recordOf = (prefix: string): string => `${prefix}/_mock/state/recordings/rec_kickoff`;
const ofEach = <Name extends string, T>(names: readonly Name[], value: () => T) =>
  Object.fromEntries(names.map((name) => [name, value()])) as Record<Name, T>;

/** A world with its first values, before clients use it. `prefix` is that of its URLs: '' for the main world. */
export async function openWorld(baseUrl: string, prefix: string) {
  const first = Object.fromEntries(fields.map((field) => [field, firstOf(field, prefix)]));
  await untilTaken(baseUrl, `PATCH ${recordOf(prefix)}`, first);
  const minted = await untilTaken(baseUrl, `POST ${prefix}/_mock/tokens`, { user: 'usr_ada', lifetime: 1e6 });
  return {
    prefix,
    token: String(field(minted, 'token')),
    histories: ofEach(fields, (): Operation[] => []),
    /** The time that the answer to an update shows. */
    updates: [] as { from: number; to: number; time: number }[],
    /** Names that were acknowledged, and those that may have been carried out. */
    grown: ofEach(growing, () => ({ acknowledged: new Set<string>(), possible: new Set<string>() })),
  };
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
  const get = async (path: string): Promise<unknown> => {
    const { status, body } = await callerOf(baseUrl)(`GET ${prefix}/_mock/${path}`);
    return status === 200 ? body : undefined;
  };
  const [pats, info] = [await get('state/pats?limit=1000'), await get('info')];
  if (!pats || !info) return undefined;
  const differences = (of: 'pats' | 'snapshots', shown: unknown): string[] => {
    const found = (shown as { name: string }[]).map(({ name }) => name);
    const { acknowledged, possible } = grown[of];
    const lost = [...acknowledged].filter((name) => !found.includes(name));
    const foreign = found.filter((name) => !acknowledged.has(name) && !possible.has(name));
    const twice = found.filter((name, at) => found.indexOf(name) !== at);
    const kinds = Object.entries({ lost, foreign, twice }).filter(([, names]) => names.length > 0);
    return kinds.map(([kind, names]) => `${of} ${kind}: ${names}`);
  };
  const advances = Math.round(Number(field(info, 'offsetMilliseconds')) / advanceMs);
  const [sure, unsure] = [grown.advances.acknowledged.size, grown.advances.possible.size];
  return [
    ...differences('pats', field(pats, 'items')),
    ...differences('snapshots', field(info, 'snapshots')),
    ...(advances < sure || advances > sure + unsure
      ? [`the clock shows ${advances} advances of ${sure} and ${unsure} uncertain`]
      : []),
  ].map((problem) => `${baseUrl}${prefix}: ${problem}`);
}

/** What clients saw of a sandbox that they delete, and make again by writing to it. */
export type RemadeHistory = Noted<Operation['kind'] | 'delete'>[];
type Noted<Kind> = Omit<Operation, 'kind'> & { readonly kind: Kind };

const remade = '/~remade';
/** The title that it begins with. */
export const unwritten = 'Kick-off: difference engine';

/** @returns reads of deleted records, or of a beginning without a deletion */
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
    const sent = await this.send(baseUrl, `GET ${recordOf(prefix)}`);
    if (!sent?.answer) return false;
    for (const name of fields) note(histories[name], 'read', sent.answer[name], sent);
    return true;
  }

  async write(baseUrl: string, { prefix, token, histories, updates }: WatchedWorld, name: (typeof fields)[number]) {
    const value = this.fresh(name);
    const line = `PATCH ${prefix}/v1/echo/recordings/rec_kickoff`;
    const sent = await this.send(baseUrl, line, { json: { [name]: value }, token });
    if (!sent) return;
    note(histories[name], 'write', value, sent);
    if (!sent.answer) return;
    // Answers of the API show the title, whichever field is written.
    note(histories.title, 'read', sent.answer.title, sent);
    updates.push({ ...sent, time: Date.parse(String(sent.answer.updated_at)) });
  }

  async grow(baseUrl: string, { prefix, token, grown }: WatchedWorld, what: (typeof growing)[number]): Promise<void> {
    const fresh = this.fresh('n');
    const name = what === 'snapshots' ? `s${this.count % snapshotNames}` : fresh;
    const calls: Record<typeof what, [line: string, call?: Call]> = {
      pats: [`POST ${prefix}/v1/api-tokens`, { json: { name }, token }],
      snapshots: [`PUT ${prefix}/_mock/snapshots/${name}`],
      advances: [`PATCH ${prefix}/_mock/clock`, { json: { seconds: advanceMs / 1000 } }],
    };
    const sent = await this.send(baseUrl, ...calls[what]);
    if (sent) grown[what][sent.answer ? 'acknowledged' : 'possible'].add(name);
  }

  async remake(baseUrl: string, kind: RemadeHistory[0]['kind']): Promise<void> {
    const title = this.fresh('title');
    const calls: Record<typeof kind, [line: string, call?: Call]> = {
      read: [`GET ${recordOf(remade)}`],
      write: [`PATCH ${recordOf(remade)}`, { json: { title } }],
      delete: [`DELETE /_mock/sandboxes/${remade.slice(2)}`],
    };
    const sent = await this.send(baseUrl, ...calls[kind]);
    if (!sent || (!sent.answer && kind === 'read')) return;
    note(this.remade, kind, kind === 'read' ? sent.answer?.title : title, sent);
  }

  private fresh(name: string): string {
    this.count += 1;
    return `${name} ${this.count}`;
  }

  /** @returns when; with the answer where it was acknowledged, else without an end; undefined where it was refused */
  private async send(baseUrl: string, line: string, call?: Call): Promise<Sent | undefined> {
    const from = performance.now();
    const { status, text, body } = await callerOf(baseUrl)(line, call).catch(
      ({ cause }: Error & { cause?: { code?: string } }) => {
        const isSent = cause?.code !== 'ECONNREFUSED';
        return { status: 503, text: isSent ? 'may have been carried out' : 'nothing was changed', body: undefined };
      },
    );
    if (status >= 200 && status < 300) {
      this.acknowledged += 1;
      return { from, to: performance.now(), answer: body as Sent['answer'] };
    }
    // Another client was first.
    if (status === 404 && line.startsWith('DELETE')) return undefined;
    const isRefused = status === 503 && text.includes('nothing was changed');
    this[isRefused ? 'refused' : 'uncertain'] += 1;
    if (status !== 503 || !/nothing was changed|may have been carried out/.test(text))
      this.problems.push(`${baseUrl} ${line}: ${status} ${text.slice(0, 300)}`);
    return isRefused ? undefined : { from, to: Number.POSITIVE_INFINITY };
  }
}

interface Sent {
  readonly from: number;
  readonly to: number;
  readonly answer?: Readonly<Record<string, unknown>>;
}

const note = <Kind>(history: Noted<Kind>[], kind: Kind, value: unknown, { from, to }: Sent): void =>
  void history.push({ kind, value: String(value), from, to });

/** Sends it again while the store is away, as it may be on a busy machine. */
async function untilTaken(baseUrl: string, line: string, json: object): Promise<unknown> {
  const { status, body } = await callerOf(baseUrl)(line, { json });
  return status === 503 ? untilTaken(baseUrl, line, json) : body;
}
