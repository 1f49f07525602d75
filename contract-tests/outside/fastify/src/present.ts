/** Records as the outside sees them (section 2). */
import type { ApiKey, Json, Pat, Recording, User } from './model.ts';
import type { World } from './world.ts';

export function userBody(user: User, world: World): Json {
  return {
    id: user.id,
    email: user.email,
    username: user.username,
    confirmed: user.confirmed,
    created_at: world.settings.time(user.createdAt),
  };
}

export function recordingBody(recording: Recording, world: World): Json {
  return {
    id: recording.id,
    title: recording.title,
    filename: recording.filename,
    status: recording.status,
    method: recording.method,
    quality: recording.quality,
    language: recording.language,
    diarization_enabled: recording.diarizationEnabled,
    user_id: recording.userId,
    created_at: world.settings.time(recording.createdAt),
    updated_at: world.settings.time(recording.updatedAt),
  };
}

export function keyBody(key: ApiKey, world: World): Json {
  return {
    id: key.id,
    provider: key.provider,
    name: key.name,
    status: key.status,
    created_at: world.settings.time(key.createdAt),
  };
}

export function patBody(pat: Pat, token: string, world: World): Json {
  return {
    id: pat.id,
    name: pat.name,
    token,
    scopes: pat.scopes,
    created_at: world.settings.time(pat.createdAt),
    expires_at: pat.expiresAt === null ? null : world.settings.time(pat.expiresAt),
  };
}
