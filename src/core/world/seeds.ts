import type { Answers } from '../profiles/answers.ts';
import { LimitError } from '../spec/config-error.ts';
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

/** Recordings that nobody wrote, in all seed layers of a server: some 400 bytes each, before anybody looks at them. */
const mostInvented = 2_000_000;

/** Seed layers that are kept for the next world that wants them. */
const kept = 16;

/** The seed layers of one set of fixtures: worlds with the same options share one. */
export class Seeds {
  private readonly layers = new Map<string, SeedLayer>();
  private inUse: () => Iterable<SeedLayer> = () => [];

  /**
   * @param loadFaker called when a record that nobody wrote is first needed
   * @param budget recordings that nobody wrote, in all layers
   */
  constructor(
    private fixtures: Fixtures,
    readonly loadFaker: LoadFaker,
    private readonly budget = mostInvented,
  ) {}

  /** Has the budget count the layers that `inUse` gives, beside those that are kept here. */
  countBy(inUse: () => Iterable<SeedLayer>): void {
    this.inUse = inUse;
  }

  /** Other fixtures from now on. */
  use(fixtures: Fixtures): void {
    this.fixtures = fixtures;
    this.layers.clear();
  }

  /**
   * The records that worlds with these options start from.
   * @throws LimitError when there would be more invented recordings than the budget allows
   */
  layer({ seed, answers, recordings }: SeedOptions): SeedLayer {
    const words = vocabularyGaps.map((gap) => answers.get(gap));
    const key = JSON.stringify([seed, recordings, words]);
    const layer = this.layers.get(key) ?? this.build({ seed, answers, recordings });
    // Put in anew, so that the first one is the one that nobody wanted for longest.
    this.layers.delete(key);
    this.layers.set(key, layer);
    const [oldest] = this.layers.keys();
    if (this.layers.size > kept && oldest !== undefined) this.layers.delete(oldest);
    return layer;
  }

  private build(options: SeedOptions): SeedLayer {
    const wanted = options.recordings ?? 0;
    if (wanted > 0 && this.invented([...this.inUse(), ...this.layers.values()]) + wanted > this.budget) {
      // What is only kept in case that somebody asks for it again goes first.
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
    return [...new Set(layers)].reduce((sum, { recordings }) => sum + recordings.invented, 0);
  }
}
