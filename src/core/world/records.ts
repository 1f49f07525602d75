import type { JsonObject } from '../spec/json.ts';

/** The states of a recording (part 3). */
export const recordingStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export type RecordingStatus = (typeof recordingStatuses)[number];

// Records are immutable: a change replaces the record. All times are ISO strings in UTC.

export interface Tenant {
  readonly id: string;
  readonly name: string;
  /** Directory tenant identifier: the SSO claim tid of its users. */
  readonly tid: string;
}

export interface SsoIdentity {
  readonly oid: string;
  readonly tid: string;
  readonly upn: string;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  /** In plain text, as in the fixtures: it is invented data. Absent for users provisioned by SSO. */
  readonly password?: string;
  readonly confirmed: boolean;
  readonly created_at: string;
  readonly tenant: string;
  readonly administrator: boolean;
  readonly locale: string;
  readonly sso: SsoIdentity;
}

export interface Recording {
  readonly id: string;
  readonly title: string;
  readonly filename: string;
  readonly status: RecordingStatus;
  readonly method: string;
  readonly quality: string;
  readonly language: string;
  readonly diarization_enabled: boolean;
  readonly user_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly duration_seconds: number;
  // Writable, but not in the response to an update (4.2).
  readonly kb_folder_id?: string | null;
  readonly kb_document_id?: string | null;
  readonly summary?: string | null;
  readonly analysis?: JsonObject | null;
}

export interface ApiKey {
  readonly id: string;
  readonly tenant: string;
  readonly provider: string;
  readonly name: string;
  readonly status: string;
  readonly created_at: string;
  readonly last_used_at: string;
}

export interface RefreshToken {
  /** Hash of the token. */
  readonly id: string;
  readonly user_id: string;
  readonly expires_at: string;
}

export interface Pat {
  /** The tokenId in the middle of the PAT. */
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** SHA-256 of the secret, hexadecimal; the secret itself is not stored. */
  readonly secret_hash: string;
  readonly created_at: string;
  /** Absent if it never expires. */
  readonly expires_at?: string;
}

export interface EndedToken {
  /** Claim jti of the access token. */
  readonly id: string;
  readonly user_id: string;
}

export type CustomRecord = { readonly id: string } & Readonly<Record<string, unknown>>;
