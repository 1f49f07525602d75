/** The data a server starts with, and what the judge is told about it. */
import type { ApiKey, Provider, Recording, User } from './model.ts';
import { createPat, patToken } from './pat.ts';
import type { Actor, Target } from './target.ts';
import type { World } from './world.ts';

const DIRECTORY = '5b0c2c4e-7d0e-4f0c-9a57-2f1f7d0f6a11';
const OTHER_DIRECTORY = 'c1f7a3d2-31a8-4a43-8d7a-6f2f0e1b9c22';
const BORN = Date.UTC(2024, 2, 4, 8, 15, 30, 250);
const DAY = 86_400_000;

type KeySeed = [provider: Provider, name: string, status: string];

const KEYS: readonly KeySeed[] = [
  ['openai', 'Transcription, production', 'active'],
  ['openai', 'Transcription, trial', 'inactive'],
  ['openai', 'Batch jobs', 'active'],
  ['anthropic', 'Summaries', 'active'],
  ['anthropic', '', 'inactive'],
  ['google', 'Summaries, fallback', 'active'],
  ['mistral', 'EU residency', 'inactive'],
  ['cohere', 'Reranking', 'active'],
  ['huggingface', 'Diarization models', 'expired'],
  ['tavily', 'Web search', 'active'],
];

function addUser(world: World, seed: Pick<User, 'username' | 'tid' | 'oid' | 'tenantId' | 'admin'>): User {
  const upn = `${seed.username}@contoso.example`;
  const user = {
    ...seed,
    id: world.ids('usr'),
    upn,
    email: upn,
    password: `${seed.username}-Pa55word!`,
    confirmed: true,
    createdAt: BORN,
  };
  world.store.users.set(user.id, user);
  return user;
}

function addRecording(
  world: World,
  owner: User,
  seed: Pick<Recording, 'title' | 'filename' | 'status' | 'language'>,
): Recording {
  const recording: Recording = {
    ...seed,
    id: world.ids('rec'),
    tenantId: owner.tenantId,
    userId: owner.id,
    method: 'batch',
    quality: 'high',
    diarizationEnabled: true,
    createdAt: BORN + 30 * DAY,
    updatedAt: BORN + 31 * DAY,
  };
  world.store.recordings.set(recording.id, recording);
  return recording;
}

function addKeys(world: World, tenantId: string, seeds: readonly KeySeed[]): void {
  seeds.forEach(([provider, name, status], index) => {
    const id = world.ids('key');
    const key: ApiKey = {
      id,
      tenantId,
      provider,
      name,
      status,
      secret: `sk-${provider}-${id}-3Qz9vT`,
      createdAt: BORN + index * DAY,
    };
    world.store.apiKeys.set(id, key);
  });
}

function actorOf(world: World, user: User): Actor {
  const pat = createPat(world, user, { name: 'seed', createdAt: BORN });
  return {
    sso: { oid: user.oid, tid: user.tid, upn: user.upn },
    login: { username: user.username, password: user.password },
    pat: patToken(pat),
  };
}

export function seed(world: World, baseUrl: string): Target {
  const { settings, store } = world;
  const tenantId = world.ids('ten');
  const otherTenantId = world.ids('ten');
  store.tenants.add(tenantId).add(otherTenantId);
  const admin = addUser(world, {
    username: 'ada.park',
    tid: DIRECTORY,
    oid: '0e4d9a52-9d5c-4a2e-8b61-0d7a9a5f1c01',
    tenantId,
    admin: true,
  });
  const member = addUser(world, {
    username: 'moss.lind',
    tid: DIRECTORY,
    oid: '7a1be0c4-55a4-4d7a-a3f5-51c1e8b7d902',
    tenantId,
    admin: false,
  });
  addUser(world, {
    username: 'olga.vries',
    tid: OTHER_DIRECTORY,
    oid: '9c3f1d88-02b3-4b0e-b7a4-e61d2c9f4a03',
    tenantId: otherTenantId,
    admin: true,
  });
  const owner = settings.owner === 'admin' ? admin : member;
  const first = addRecording(world, owner, {
    title: 'Quarterly review',
    filename: 'quarterly-review.m4a',
    status: 'completed',
    language: 'en',
  });
  const second = addRecording(world, member, {
    title: 'Stand-up, Monday',
    filename: 'standup-monday.wav',
    status: 'completed',
    language: 'de',
  });
  if (settings.tenantKeys === 'seeded') addKeys(world, tenantId, KEYS);
  addKeys(world, otherTenantId, KEYS.slice(2, 6));
  const told = { recordingId: first.id, tenantId };
  const actors = { admin: actorOf(world, admin), member: actorOf(world, member) };
  if (!settings.tellMember) return { baseUrl, actors: { admin: actors.admin }, resources: told };
  return { baseUrl, actors, resources: { ...told, otherRecordingId: second.id, otherTenantId } };
}
