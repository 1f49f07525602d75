import { type JournalEntry, journalCapacity } from '../../core/world/journal.ts';
import type { World } from '../../core/world/world.ts';
import type { Lane } from './lane.ts';
import type { RedisLink } from './link.ts';
import { clearJournalScript, journalScript, readJournalScript } from './scripts.ts';
import type { SharedWorlds } from './shared-worlds.ts';

/** Interval of reading watched journals. */
const lookEvery = 250;

/** Maximum number of entries read in one turn of the event loop: they may be long. */
const portion = 25;

/**
 * The journals of all worlds: streams to which all replicas append after their answers have left, each entry once and numbered by
 * the store. A process reads them when a client asks.
 */
export class SharedJournals {
  private pending = new Map<Lane, string[]>();
  /** Last entry read of a journal. */
  private readonly readTo = new WeakMap<World, number>();
  private readonly clearing = new Set<Lane>();
  private readonly timer: NodeJS.Timeout;

  /**
   * @param shared the worlds that they belong to
   * @param watched the worlds that clients watch
   * @param gone called when a watched world no longer exists
   */
  constructor(
    private readonly link: RedisLink,
    private readonly shared: Pick<SharedWorlds, 'keysOf' | 'timeToLive'>,
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

  /** Appends what a world records to its stream. */
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

  /** Cancels pending clearing. */
  forget(lanes: readonly Lane[]): void {
    for (const lane of lanes) this.clearing.delete(lane);
  }

  /**
   * Reads new entries of a journal.
   * @param most maximum number of entries; 0: only their count
   * @returns whether the world exists
   */
  async read(lane: Lane, most = portion): Promise<boolean> {
    this.flush();
    const { world } = lane;
    if (!world) return true;
    const [key, journal] = this.shared.keysOf(lane.name);
    const after = this.readTo.get(world) ?? 0;
    const [isThere, last, cleared, ...told] = await this.link.run(readJournalScript, [journal, key], [after, most]);
    // Two reads may overtake each other.
    if ((this.readTo.get(world) ?? 0) !== after) return true;
    const entries: JournalEntry[] = [];
    for (let at = 0; at < told.length; at += 2)
      entries.push({ ...(JSON.parse(String(told[at + 1])) as JournalEntry), number: Number(told[at]) });
    const more = most > 0 && entries.length === most ? entries.at(-1) : undefined;
    if (most > 0) this.readTo.set(world, more?.number ?? Number(last));
    world.journal.follow(entries, Number(last), Number(cleared));
    return more ? this.read(lane, most) : isThere === 1;
  }

  close(): void {
    clearInterval(this.timer);
    this.flush();
  }

  private add(lane: Lane, entry: JournalEntry): void {
    if (this.pending.size === 0) setImmediate(() => this.flush());
    const texts = this.pending.get(lane) ?? [];
    this.pending.set(lane, texts);
    texts.push(JSON.stringify(entry));
  }

  /** Not awaited: if it fails, the journal lacks these entries. */
  private flush(): void {
    const { pending } = this;
    this.pending = new Map();
    for (const [lane, texts] of pending) {
      const [key, journal] = this.shared.keysOf(lane.name);
      const words = [journalCapacity, this.shared.timeToLive(lane.name), ...texts];
      this.link.run(journalScript, [journal, key], words).catch(() => {});
    }
  }
}
