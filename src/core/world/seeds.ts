import type { LoadFaker } from './fill.ts';
import type { Fixtures } from './fixtures.ts';
import { buildSeedLayer, type SeedOptions } from './seed.ts';
import type { SeedLayer } from './store.ts';
import { vocabularyGaps } from './vocabulary.ts';

/** Number of cached seed layers, least recently used first. */
const cacheLimit = 16;

/** The seed layers of one set of fixtures: worlds with the same options share one. */
export class Seeds {
  private readonly layers = new Map<string, SeedLayer>();

  /** @param loadFaker called when the first generated record is read */
  constructor(
    private fixtures: Fixtures,
    readonly loadFaker: LoadFaker,
  ) {}

  /** Replaces the fixtures. */
  use(fixtures: Fixtures): void {
    this.fixtures = fixtures;
    this.layers.clear();
  }

  /** Loads what layers of so many recordings need; awaited before `layer`. */
  async prepare(recordings = this.fixtures.fill.recordings ?? 0): Promise<void> {
    if (recordings > this.fixtures.recordings.length) await this.loadFaker.prepare?.();
  }

  layer({ seed, answers, recordings }: SeedOptions): SeedLayer {
    const vocabularies = vocabularyGaps.map((gap) => answers.get(gap));
    const key = JSON.stringify([seed, recordings, vocabularies]);
    const layer =
      this.layers.get(key) ??
      buildSeedLayer({ seed, answers, recordings, fixtures: this.fixtures, loadFaker: this.loadFaker });
    // Reinserted: a map keeps insertion order, so its first entry is the least recently used.
    this.layers.delete(key);
    this.layers.set(key, layer);
    const [oldest] = this.layers.keys();
    if (this.layers.size > cacheLimit && oldest !== undefined) this.layers.delete(oldest);
    return layer;
  }
}
