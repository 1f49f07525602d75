import type { components } from '../spec/control-types.ts';
import type { Immutable } from '../spec/json.ts';

type Schemas = Immutable<components['schemas']>;

/** The states of a recording (part 3). */
export const recordingStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export type RecordingStatus = (typeof recordingStatuses)[number];

// Records are immutable: a change replaces the record. All times are ISO strings in UTC.

export type Tenant = Schemas['Tenant'];
export type SsoIdentity = Schemas['SsoClaims'];
/** Without a password if SSO provisioned it. */
export type User = Schemas['User'];
/** The knowledge-base links, summary and analysis are writable, but not in the response to an update (4.2). */
export type Recording = Schemas['Recording'];
export type ApiKey = Schemas['ApiKey'];
export type RefreshToken = Schemas['RefreshToken'];
/** Its id is the tokenId in the middle of the PAT; of the secret, the SHA-256 in hexadecimal is stored. */
export type Pat = Schemas['Pat'] & { readonly secret_hash: string };

export interface EndedToken {
  /** Claim jti of the access token. */
  readonly id: string;
  readonly user_id: string;
}

export type CustomRecord = { readonly id: string } & Readonly<Record<string, unknown>>;
