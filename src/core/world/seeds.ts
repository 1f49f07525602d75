import { LimitError } from '../spec/config-error.ts';
import type { Fixtures } from './fixtures.ts';
import { buildSeedLayer, type LoadFaker, needsFaker, type SeedOptions } from './seed.ts';
import type { SeedLayer } from './store.ts';
import { vocabularyGaps } from './vocabulary.ts';

/** Maximum number of generated recordings in all seed layers of a server: some 400 bytes each before they are read. */
const maxGenerated = 2_000_000;

/** Number of cached seed layers, least recently used first. */
const cacheLimit = 16;

/** The seed layers of one set of fixtures: worlds with the same options share one. */
export class Seeds {
  private readonly layers = new Map<string, SeedLayer>();
  private inUse: () => Iterable<SeedLayer> = () => [];

  /** `budget`: maximum number of generated recordings in all layers. */
  constructor(
    private fixtures: Fixtures,
    readonly loadFaker: LoadFaker,
    private readonly budget = maxGenerated,
  ) {}

  /** Makes the budget also count the layers that `inUse` returns. */
  countBy(inUse: () => Iterable<SeedLayer>): void {
    this.inUse = inUse;
  }

  use(fixtures: Fixtures): void {
    this.fixtures = fixtures;
    this.layers.clear();
  }

  /** Loads what the layer with these options needs; awaited before `layer`. */
  async prepare(options: SeedOptions): Promise<void> {
    const { recordings = this.fixtures.fill.recordings ?? 0 } = options;
    if (needsFaker(recordings - this.fixtures.recordings.length, options)) await this.loadFaker.prepare?.();
  }

  /** What worlds with these options start from; throws LimitError beyond the budget of generated recordings. */
  layer({ seed, answers, recordings }: SeedOptions): SeedLayer {
    const vocabularies = vocabularyGaps.map((gap) => answers.get(gap));
    const key = JSON.stringify([seed, recordings, vocabularies]);
    const layer = this.layers.get(key) ?? this.build({ seed, answers, recordings });
    // Reinserted: a map keeps insertion order, so its first entry is the least recently used.
    this.layers.delete(key);
    this.layers.set(key, layer);
    const [oldest] = this.layers.keys();
    if (this.layers.size > cacheLimit && oldest !== undefined) this.layers.delete(oldest);
    return layer;
  }

  private build(options: SeedOptions): SeedLayer {
    const wanted = options.recordings ?? 0;
    if (wanted > 0 && this.invented([...this.inUse(), ...this.layers.values()]) + wanted > this.budget) {
      // Cached layers that no world uses are evicted first.
      const inUse = new Set(this.inUse());
      for (const [key, layer] of this.layers) if (!inUse.has(layer)) this.layers.delete(key);
      const held = this.invented(inUse);
      if (held + wanted > this.budget)
        throw new LimitError([
          `all worlds together may hold ${this.budget} invented recordings; there are ${held}, and ${wanted} more are asked for: ask for fewer, or delete sandboxes and snapshots`,
        ]);
    }
    return buildSeedLayer({ ...options, fixtures: this.fixtures, loadFaker: this.loadFaker });
  }

  private invented(layers: Iterable<SeedLayer>): number {
    return [...new Set(layers)].reduce((sum, { recordings }) => sum + (recordings.invented ?? 0), 0);
  }
}
