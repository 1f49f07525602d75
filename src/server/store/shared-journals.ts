import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { asNumber, asText, isEqual } from '../../../contract-tests/values/json.ts';
import {
  bodiesOf,
  type JournalEntry,
  type Journalled,
  type JournalOutline,
  journalCapacity,
} from '../../core/world/journal.ts';
import type { World } from '../../core/world/world.ts';
import type { Lane } from './lane.ts';
import type { RedisLink } from './link.ts';
import { clearJournalScript, journalScript, readJournalScript } from './scripts.ts';
import type { SharedWorlds } from './shared-worlds.ts';
import { ours } from './world-state.ts';

const lookEvery = 250;

/** Milliseconds for which entries are collected before they are sent. */
const collectFor = 250;
/** Maximum number of batches read at once, and sent at once. */
const [portion, most] = [25, 64];
/** Maximum number of entries in a batch: they may be long. */
const batchSize = 32;

/** An entry without its number, and with its outline's place among those of its batch. */
type Row = Omit<JournalEntry, keyof JournalOutline | 'number'> & { readonly outline: number };

/** Entries of one world. It is compressed as soon as it is full: what gets old while it waits is dear to collect. */
class Batch {
  readonly generation: string;
  count = 0;
  private text: string | undefined;
  /** Requests that are alike share one. */
  private outlines: JournalOutline[] = [];
  private rows: Row[] = [];

  constructor(readonly lane: Lane) {
    this.generation = lane.generation;
  }

  get isOpen(): boolean {
    return this.text === undefined && this.generation === this.lane.generation;
  }

  add(request: Journalled): void {
    const { startedAt, worldTime, milliseconds } = request;
    const outline = request.outline();
    let at = this.outlines.findIndex((known) => isEqual(known, outline));
    if (at < 0) at = this.outlines.push(outline) - 1;
    this.rows.push({ outline: at, startedAt, worldTime, milliseconds, ...bodiesOf(request) });
    this.count += 1;
    if (this.count === batchSize) this.close();
  }

  close(): string {
    this.text ??= textOf(this.outlines, this.rows);
    this.outlines = [];
    this.rows = [];
    return this.text;
  }
}

/**
 * The journals of all worlds: streams to which all replicas append after their answers have left, each entry once and numbered by
 * the store. A process reads them when a client asks.
 */
export class SharedJournals {
  private pending: Batch[] = [];
  /** Of each world, the last one of the pending. */
  private readonly latest = new Map<Lane, Batch>();
  private readonly readTo = new WeakMap<World, number>();
  private readonly clearing = new Set<Lane>();
  private readonly timer: NodeJS.Timeout;
  private soon: NodeJS.Timeout | undefined;

  /** `watched`: worlds that clients watch; `gone` is called when one no longer exists. */
  constructor(
    private readonly link: RedisLink,
    private readonly shared: Pick<SharedWorlds, 'keysOf'>,
    watched: () => readonly Lane[],
    gone: (lane: Lane) => void,
  ) {
    this.timer = setInterval(() => {
      for (const lane of this.link.isReady ? watched() : [])
        this.read(lane).then(
          (isThere) => isThere || gone(lane),
          // Read again soon.
          () => {},
        );
    }, lookEvery).unref();
  }

  attach(lane: Lane, world: World): void {
    world.journal.shareBy({
      entry: (request) => {
        if (lane.world !== world) return;
        const open = this.latest.get(lane);
        (open?.isOpen ? open : this.begin(lane)).add(request);
      },
      clear: () => {
        if (!lane.isFollowing) this.clearing.add(lane);
      },
    });
  }

  get isClearing(): boolean {
    return this.clearing.size > 0;
  }

  /** Clears the pending journals; awaited before the request is acknowledged. */
  async settle(lanes: readonly Lane[]): Promise<void> {
    await Promise.all(
      lanes
        .filter((lane) => this.clearing.delete(lane))
        .map((lane) => {
          // Pending entries came before.
          this.flush();
          const [world, journal] = this.shared.keysOf(lane.name);
          return this.link.run(clearJournalScript, [journal, world], []);
        }),
    );
  }

  forget(lanes: readonly Lane[]): void {
    for (const lane of lanes) this.clearing.delete(lane);
  }

  /** Reads new entries, at most that many batches (0: only their count); returns whether the world exists. */
  async read(lane: Lane, batches = portion): Promise<boolean> {
    this.flush();
    const { world } = lane;
    if (!world) return true;
    const [key, journal] = this.shared.keysOf(lane.name);
    const after = this.readTo.get(world) ?? 0;
    const [isThere, last, cleared, ...told] = await this.link.run(readJournalScript, [journal, key], [after, batches]);
    // Two reads may overtake each other.
    if ((this.readTo.get(world) ?? 0) !== after) return true;
    const entries: JournalEntry[] = [];
    for (let at = 0; at < told.length; at += 2)
      entries.push(...ours(journal, () => entriesOf(asText(told[at + 1]), asNumber(told[at]))));
    const hasMore = told.length > 0 && asNumber(told.at(-2)) < asNumber(last);
    if (batches > 0) this.readTo.set(world, hasMore ? asNumber(told.at(-2)) : asNumber(last));
    world.journal.follow(entries, asNumber(last), asNumber(cleared));
    return hasMore ? this.read(lane, batches) : isThere === 1;
  }

  close(): void {
    clearInterval(this.timer);
    this.flush();
  }

  private begin(lane: Lane): Batch {
    if (this.pending.length === 0) this.soon = setTimeout(() => this.flush(), collectFor).unref();
    const batch = new Batch(lane);
    this.pending.push(batch);
    this.latest.set(lane, batch);
    return batch;
  }

  /** Not awaited: if it fails, the journal lacks these entries. */
  private flush(): void {
    clearTimeout(this.soon);
    const { pending } = this;
    this.pending = [];
    this.latest.clear();
    // In a cluster, a script has keys of one slot only.
    const atOnce = this.link.isCluster ? 1 : most;
    for (let at = 0; at < pending.length; at += atOnce) {
      const batches = pending.slice(at, at + atOnce);
      const keys = batches.flatMap(({ lane }) => this.shared.keysOf(lane.name).toReversed());
      const words = batches.flatMap((batch) => [batch.generation, batch.count, batch.close()]);
      this.link.run(journalScript, keys, [journalCapacity, ...words]).catch(() => {});
    }
  }
}

/** What most entries contain, for their compression. Replicas of one store have the same: `formatVersion` changes with it. */
const dictionary = Buffer.from(
  `"method":"GET","url":"/v1/echo/recordings/rec_","/v1/api-tokens/scopes","rawHeaders":["host","localhost:","accept","*/*","user-agent","accept-language","sec-fetch-mode","cors","accept-encoding","gzip, deflate","content-type","application/json","content-length","authorization","Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1c3JfYWRhIiwiaWF0IjoxNz","connection","keep-alive"],"isJson":true,"answered":{"status":200,"headers":{"X-Mock-Basis":"documented","Content-Type":"application/json; charset=utf-8","Content-Length":"264"}},"basis":"documented","caller":{"user":"usr_ada","username":"ada","via":"jwt"},"operation":"updateRecording","isProtected":true,"isValid":true,"forced":false,"gaps":[],"faults":[],"changes":[{"resource":"recordings","id":"rec_kickoff","change":"updated","fields":["title","updated_at"]}],"sentBody":{"text":"{\\"title\\":\\"\\"}","size":20},"answeredBody":{"text":"{\\"id\\":\\"rec_\\",\\"title\\":\\"\\",\\"filename\\":\\".m4a\\",\\"status\\":\\"completed\\",\\"method\\":\\"upload\\",\\"quality\\":\\"high\\",\\"language\\":\\"en\\",\\"diarization_enabled\\":true,\\"user_id\\":\\"usr_ada\\",\\"created_at\\":\\"2025-03-03T09:00:00.000Z\\",\\"updated_at\\":\\"2026-11-23T01:34:29.220Z\\"}","size":264}},{"number":1,"startedAt":179539,"worldTime":179539,"milliseconds":0.3,"isDropped":false,`,
);

/** Small: making a larger one takes longer than what it would save. Reading takes any. */
const compression = { dictionary, level: 1, windowBits: 12, memLevel: 5 };

/** Entries resemble each other: together they take a tenth. */
const textOf = (outlines: readonly JournalOutline[], rows: readonly Row[]): string =>
  deflateRawSync(JSON.stringify({ outlines, rows }), compression).toString('base64');

/** @param last number of the last one */
function entriesOf(batch: string, last: number): JournalEntry[] {
  const text = inflateRawSync(Buffer.from(batch, 'base64'), { dictionary }).toString();
  const { outlines, rows } = JSON.parse(text) as { outlines: JournalOutline[]; rows: Row[] };
  return rows.map(({ outline, ...row }, at) => {
    const number = last - rows.length + 1 + at;
    return { ...(outlines[outline] as JournalOutline), ...row, number };
  });
}
