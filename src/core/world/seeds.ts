import type { Answers } from '../profiles/answers.ts';
import type { Fixtures } from './fixtures.ts';
import { buildSeedLayer } from './seed.ts';
import type { SeedLayer } from './store.ts';
import { vocabularyGaps } from './vocabulary.ts';

/** What decides a seed layer, beside the fixtures. */
export interface SeedWish {
  readonly seed: number;
  readonly answers: Answers;
  readonly recordings?: number | undefined;
}

/** Seed layers that are kept for the next world that wants them. */
const kept = 16;

/** The seed layers of one set of fixtures: worlds that wish for the same share one. */
export class Seeds {
  private readonly layers = new Map<string, SeedLayer>();

  constructor(private fixtures: Fixtures) {}

  /** Other fixtures from now on. */
  use(fixtures: Fixtures): void {
    this.fixtures = fixtures;
    this.layers.clear();
  }

  layer({ seed, answers, recordings }: SeedWish): SeedLayer {
    const words = vocabularyGaps.map((gap) => answers.get(gap));
    const key = JSON.stringify([seed, recordings, words]);
    const layer = this.layers.get(key) ?? buildSeedLayer({ seed, answers, recordings, fixtures: this.fixtures });
    // Put in anew, so that the first one is the one that nobody wanted for longest.
    this.layers.delete(key);
    this.layers.set(key, layer);
    const [oldest] = this.layers.keys();
    if (this.layers.size > kept && oldest !== undefined) this.layers.delete(oldest);
    return layer;
  }
}
