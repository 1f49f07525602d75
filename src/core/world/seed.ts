import type { Faker } from '@faker-js/faker';
import { invented } from '../generated/data.js';
import type { Answers } from '../profiles/answers.ts';
import type { ApiKeyFixture, Fixtures, RecordingFixture, UserFixture } from './fixtures.ts';
import { derivedId } from './ids.ts';
import { inventRecording } from './invent.ts';
import type { ApiKey, Recording, User } from './records.ts';
import type { SeedLayer } from './store.ts';
import { type Layer, layerOf } from './table.ts';
import { valueAt } from './vocabulary.ts';

/** What determines a seed layer besides the fixtures. */
export interface SeedOptions {
  readonly seed: number;
  readonly answers: Answers;
  /** Total recordings; at least those of the fixtures. */
  readonly recordings?: number | undefined;
}

interface SeedSources extends SeedOptions {
  readonly fixtures: Fixtures;
  readonly loadFaker: LoadFaker;
}

/** The initial records of worlds: fixtures, and generated recordings up to a number. Same options, same records and ids. */
export function buildSeedLayer({ seed, fixtures, answers, recordings, loadFaker }: SeedSources): SeedLayer {
  const tids = new Map(fixtures.tenants.map((tenant) => [tenant.id, tenant.tid]));
  const written = layerOf(fixtures.recordings.map((fixture) => recordingFrom(fixture, answers)));
  const missing = (recordings ?? fixtures.fill.recordings ?? 0) - written.size;
  return {
    tenants: layerOf(fixtures.tenants),
    users: layerOf(fixtures.users.map((user) => userFrom(user, tids.get(user.tenant) ?? ''))),
    recordings:
      missing > 0 && fixtures.users.length > 0
        ? filled(written, missing, { seed, fixtures, answers, loadFaker })
        : written,
    apiKeys: layerOf(fixtures.api_keys.map((key) => apiKeyFrom(key, answers))),
  };
}

/** Maximum number of generated records to keep: a reader of a million must not keep them all in memory. */
const maxGenerated = 20_000;

/** Adds recordings that are generated on first access, so that 100,000 of them do not delay start-up. */
function filled(written: ReadonlyMap<string, Recording>, count: number, options: SeedSources): Layer<Recording> {
  const { seed, answers, loadFaker } = options;
  const made = madeAhead(options);
  const [method, quality, language] = vocabularies.map((gap) => answers.get(gap)) as [string[], string[], string[]];
  const ids = Array.from({ length: count }, (_, at) => derivedId(seed, 'recording', 'fill', at));
  const owners = options.fixtures.users;
  const positions = new Map(ids.map((id, at) => [id, at]));
  const generated = new Map<string, Recording>();
  const generate = (id: string): Recording | undefined => {
    const at = positions.get(id);
    if (at === undefined) return undefined;
    const invention = made[at] ?? inventRecording(loadFaker(), seed, at, { method, quality, language });
    const record = { ...invention, id, user_id: owners[at % owners.length]?.id ?? '' };
    const [oldest] = generated.keys();
    if (generated.size >= maxGenerated && oldest !== undefined) generated.delete(oldest);
    generated.set(id, record);
    return record;
  };
  return {
    size: written.size + count,
    invented: count,
    get: (id) => written.get(id) ?? generated.get(id) ?? generate(id),
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
  const { user, method, quality, language, ...rest } = fixture;
  return {
    ...rest,
    method: valueAt(answers.get('method-values'), method ?? 1),
    quality: valueAt(answers.get('quality-values'), quality ?? 1),
    language: valueAt(answers.get('language-values'), language ?? 1),
    diarization_enabled: fixture.diarization_enabled ?? false,
    user_id: user,
    updated_at: fixture.updated_at ?? fixture.created_at,
    duration_seconds: fixture.duration_seconds ?? 0,
  };
}

const apiKeyFrom = (fixture: ApiKeyFixture, answers: Answers): ApiKey => ({
  ...fixture,
  provider: valueAt(answers.get('provider-values'), fixture.provider),
  status: valueAt(answers.get('key-status-values'), fixture.status),
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

/** Whether that many generated recordings need faker. */
export const needsFaker = (count: number, options: Pick<SeedOptions, 'seed' | 'answers'>): boolean =>
  count > madeAhead(options).length;
