import type { Answers } from '../profiles/answers.ts';
import type { LoadFaker } from './fill.ts';
import type { Fixtures } from './fixtures.ts';
import { buildSeedLayer } from './seed.ts';
import type { SeedLayer } from './store.ts';
import { vocabularyGaps } from './vocabulary.ts';

/** What decides a seed layer, beside the fixtures. */
export interface SeedOptions {
  readonly seed: number;
  readonly answers: Answers;
  readonly recordings?: number | undefined;
}

/** Seed layers that are kept for the next world that wants them. */
const kept = 16;

/** The seed layers of one set of fixtures: worlds with the same options share one. */
export class Seeds {
  private readonly layers = new Map<string, SeedLayer>();

  /** @param loadFaker called when a record that nobody wrote is first needed */
  constructor(
    private fixtures: Fixtures,
    readonly loadFaker: LoadFaker,
  ) {}

  /** Other fixtures from now on. */
  use(fixtures: Fixtures): void {
    this.fixtures = fixtures;
    this.layers.clear();
  }

  /** Loads what layers of so many recordings need; awaited before `layer`. */
  async prepare(recordings = this.fixtures.fill.recordings ?? 0): Promise<void> {
    if (recordings > this.fixtures.recordings.length) await this.loadFaker.prepare?.();
  }

  layer({ seed, answers, recordings }: SeedOptions): SeedLayer {
    const words = vocabularyGaps.map((gap) => answers.get(gap));
    const key = JSON.stringify([seed, recordings, words]);
    const layer =
      this.layers.get(key) ??
      buildSeedLayer({ seed, answers, recordings, fixtures: this.fixtures, loadFaker: this.loadFaker });
    // Put in anew, so that the first one is the one that nobody wanted for longest.
    this.layers.delete(key);
    this.layers.set(key, layer);
    const [oldest] = this.layers.keys();
    if (this.layers.size > kept && oldest !== undefined) this.layers.delete(oldest);
    return layer;
  }
}
