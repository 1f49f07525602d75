import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type JournalEntry, journalCapacity } from '../../core/world/journal.ts';
import type { World } from '../../core/world/world.ts';
import type { Lane } from './lane.ts';
import type { RedisLink } from './link.ts';
import { clearJournalScript, journalScript, readJournalScript } from './scripts.ts';
import type { SharedWorlds } from './shared-worlds.ts';

const lookEvery = 250;

/** Milliseconds for which entries are collected before they are sent. */
const collectFor = 250;
/** Maximum number of batches read at once, and sent at once. */
const [portion, most] = [25, 64];
/** Maximum number of entries in a batch: they may be long. */
const batchSize = 32;

interface Batch {
  readonly lane: Lane;
  readonly generation: string;
  readonly texts: string[];
}

/**
 * The journals of all worlds: streams to which all replicas append after their answers have left, each entry once and numbered by
 * the store. A process reads them when a client asks.
 */
export class SharedJournals {
  private pending: Batch[] = [];
  private readonly open = new Map<Lane, Batch>();
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
      entry: (entry) => {
        if (lane.world === world) this.add(lane, entry);
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
    for (let at = 0; at < told.length; at += 2) {
      const batch = entriesOf(String(told[at + 1]));
      for (const [from, entry] of batch.entries())
        entries.push({ ...entry, number: Number(told[at]) - batch.length + 1 + from });
    }
    const hasMore = told.length > 0 && Number(told.at(-2)) < Number(last);
    if (batches > 0) this.readTo.set(world, hasMore ? Number(told.at(-2)) : Number(last));
    world.journal.follow(entries, Number(last), Number(cleared));
    return hasMore ? this.read(lane, batches) : isThere === 1;
  }

  close(): void {
    clearInterval(this.timer);
    this.flush();
  }

  private add(lane: Lane, entry: JournalEntry): void {
    if (this.pending.length === 0) this.soon = setTimeout(() => this.flush(), collectFor).unref();
    let batch = this.open.get(lane);
    if (!batch || batch.generation !== lane.generation || batch.texts.length === batchSize) {
      batch = { lane, generation: lane.generation, texts: [] };
      this.open.set(lane, batch);
      this.pending.push(batch);
    }
    batch.texts.push(JSON.stringify(entry));
  }

  /** Not awaited: if it fails, the journal lacks these entries. */
  private flush(): void {
    clearTimeout(this.soon);
    const { pending } = this;
    this.pending = [];
    this.open.clear();
    // In a cluster, a script has keys of one slot only.
    const atOnce = this.link.isCluster ? 1 : most;
    for (let at = 0; at < pending.length; at += atOnce) {
      const batches = pending.slice(at, at + atOnce);
      const keys = batches.flatMap(({ lane }) => this.shared.keysOf(lane.name).toReversed());
      const words = batches.flatMap(({ generation, texts }) => [generation, texts.length, written(texts)]);
      this.link.run(journalScript, keys, [journalCapacity, ...words]).catch(() => {});
    }
  }
}

/** What most entries contain, for their compression. Replicas of one store have the same: `formatVersion` changes with it. */
const dictionary = Buffer.from(
  `"method":"GET","url":"/v1/echo/recordings/rec_","/v1/api-tokens/scopes","rawHeaders":["host","localhost:","accept","*/*","user-agent","accept-language","sec-fetch-mode","cors","accept-encoding","gzip, deflate","content-type","application/json","content-length","authorization","Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1c3JfYWRhIiwiaWF0IjoxNz","connection","keep-alive"],"isJson":true,"answered":{"status":200,"headers":{"X-Mock-Basis":"documented","Content-Type":"application/json; charset=utf-8","Content-Length":"264"}},"basis":"documented","caller":{"user":"usr_ada","username":"ada","via":"jwt"},"operation":"updateRecording","isProtected":true,"isValid":true,"forced":false,"gaps":[],"faults":[],"changes":[{"resource":"recordings","id":"rec_kickoff","change":"updated","fields":["title","updated_at"]}],"sentBody":{"text":"{\\"title\\":\\"\\"}","size":20},"answeredBody":{"text":"{\\"id\\":\\"rec_\\",\\"title\\":\\"\\",\\"filename\\":\\".m4a\\",\\"status\\":\\"completed\\",\\"method\\":\\"upload\\",\\"quality\\":\\"high\\",\\"language\\":\\"en\\",\\"diarization_enabled\\":true,\\"user_id\\":\\"usr_ada\\",\\"created_at\\":\\"2025-03-03T09:00:00.000Z\\",\\"updated_at\\":\\"2026-11-23T01:34:29.220Z\\"}","size":264}},{"number":1,"startedAt":179539,"worldTime":179539,"milliseconds":0.3,"isDropped":false,`,
);

/** Entries resemble each other: together they take a tenth. */
const written = (texts: readonly string[]): string =>
  deflateRawSync(`[${texts.join(',')}]`, { dictionary, level: 1 }).toString('base64');

const entriesOf = (batch: string): JournalEntry[] =>
  JSON.parse(inflateRawSync(Buffer.from(batch, 'base64'), { dictionary }).toString()) as JournalEntry[];
