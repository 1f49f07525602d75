import type { Faker } from '@faker-js/faker';
import { invented } from '../generated/data.js';
import { memoized } from '../memoized.ts';
import type { Answers } from '../profiles/answers.ts';
import { LimitError } from '../spec/config-error.ts';
import type { ApiKeyFixture, Fixtures, RecordingFixture, UserFixture } from './fixtures.ts';
import { derivedId } from './ids.ts';
import { inventRecording } from './invent.ts';
import type { ApiKey, Recording, User } from './records.ts';
import type { SeedLayer } from './store.ts';
import { type Layer, layerOf } from './table.ts';
import { vocabularyGaps, wordsOf } from './vocabulary.ts';

/** What determines a seed layer besides the fixtures. */
interface SeedOptions {
  readonly seed: number;
  readonly answers: Answers;
  /** Total recordings; at least those of the fixtures. */
  readonly recordings?: number | undefined;
}

/** The initial records of worlds: fixtures, and generated recordings up to a number. Same options, same records and ids. */
function buildSeedLayer(options: SeedOptions, fixtures: Fixtures, loadFaker: LoadFaker): SeedLayer {
  const { answers, recordings } = options;
  const tids = new Map(fixtures.tenants.map((tenant) => [tenant.id, tenant.tid]));
  const written = layerOf(fixtures.recordings.map((fixture) => recordingFrom(fixture, answers)));
  const missing = (recordings ?? fixtures.fill.recordings ?? 0) - written.size;
  return {
    tenants: layerOf(fixtures.tenants),
    users: layerOf(fixtures.users.map((user) => userFrom(user, tids.get(user.tenant) ?? ''))),
    recordings:
      missing > 0 && fixtures.users.length > 0 ? filled(written, missing, options, fixtures.users, loadFaker) : written,
    apiKeys: layerOf(fixtures.api_keys.map((key) => apiKeyFrom(key, answers))),
  };
}

/** Maximum number of generated records to keep: a reader of a million must not keep them all in memory. */
const maxGenerated = 20_000;

/** Adds recordings that are generated on first access, so that 100,000 of them do not delay start-up. */
function filled(
  written: ReadonlyMap<string, Recording>,
  count: number,
  options: SeedOptions,
  owners: readonly UserFixture[],
  loadFaker: LoadFaker,
): Layer<Recording> {
  const { seed, answers } = options;
  const made = madeAhead(options);
  const [method, quality, language] = vocabularies.map((gap) => answers.get(gap)) as [string[], string[], string[]];
  const ids = Array.from({ length: count }, (_, at) => derivedId(seed, 'recording', 'fill', at));
  const positions = new Map(ids.map((id, at) => [id, at]));
  const generated = memoized(maxGenerated, (id): Recording => {
    const at = positions.get(id) ?? 0;
    const invention = made[at] ?? inventRecording(loadFaker(), seed, at, { method, quality, language });
    return { ...invention, id, user_id: owners[at % owners.length]?.id ?? '' };
  });
  return {
    size: written.size + count,
    invented: count,
    get: (id) => written.get(id) ?? (positions.has(id) ? generated(id) : undefined),
    has: (id) => written.has(id) || positions.has(id),
    *keys() {
      yield* written.keys();
      yield* positions.keys();
    },
    values: () => written.values(),
  };
}

const userFrom = (fixture: UserFixture, tid: string): User => ({
  ...fixture,
  locale: fixture.locale ?? 'en',
  sso: { oid: fixture.sso.oid, tid: fixture.sso.tid ?? tid, upn: fixture.sso.upn },
});

function recordingFrom(fixture: RecordingFixture, answers: Answers): Recording {
  const { user, ...rest } = fixture;
  return {
    ...rest,
    ...wordsOf('recordings', fixture, answers),
    diarization_enabled: fixture.diarization_enabled ?? false,
    user_id: user,
    updated_at: fixture.updated_at ?? fixture.created_at,
    duration_seconds: fixture.duration_seconds ?? 0,
  };
}

const apiKeyFrom = (fixture: ApiKeyFixture, answers: Answers): ApiKey => ({
  ...fixture,
  ...wordsOf('apiKeys', fixture, answers),
  last_used_at: fixture.last_used_at ?? fixture.created_at,
});

/** Loads faker with its English locale: in Node on first use, as it takes a tenth of start-up time and memory. */
export interface LoadFaker {
  (): Faker;
  /** Loads faker where that is asynchronous; awaited before creating a world with such records. */
  readonly prepare?: () => Promise<unknown>;
}

const vocabularies = ['method-values', 'quality-values', 'language-values'] as const;

/** The recordings that the build has generated for this seed and these vocabularies: they need no faker. */
const madeAhead = ({ seed, answers }: Pick<SeedOptions, 'seed' | 'answers'>): readonly Recording[] =>
  seed === invented.seed && vocabularies.every((gap) => answers.isDefault(gap)) ? invented.recordings : [];

/** Maximum number of generated recordings in all seed layers of a server: some 400 bytes each before they are read. */
const maxInvented = 2_000_000;

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
    private readonly budget = maxInvented,
  ) {}

  /** Makes the budget also count the layers that `inUse` returns. */
  countBy(inUse: () => Iterable<SeedLayer>): void {
    this.inUse = inUse;
  }

  use(fixtures: Fixtures): void {
    this.fixtures = fixtures;
    this.layers.clear();
  }

  /** The layer with these options, once what it needs is loaded. */
  async prepare(options: SeedOptions): Promise<SeedLayer> {
    const { recordings = this.fixtures.fill.recordings ?? 0 } = options;
    const missing = recordings - this.fixtures.recordings.length;
    if (missing > madeAhead(options).length) await this.loadFaker.prepare?.();
    return this.layer(options);
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
    return buildSeedLayer(options, this.fixtures, this.loadFaker);
  }

  private invented(layers: Iterable<SeedLayer>): number {
    return [...new Set(layers)].reduce((sum, { recordings }) => sum + (recordings.invented ?? 0), 0);
  }
}
