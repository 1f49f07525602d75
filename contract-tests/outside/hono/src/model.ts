/** The domain as stored. Times are epoch milliseconds; views turn them into text. */
// biome-ignore lint/suspicious/noExplicitAny: answers are plain JSON that defects bend freely
export type Json = Record<string, any>;

export const RECORDING_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;

/** Five language-model providers, one further model provider, one web-search provider. */
export const PROVIDERS = ['openai', 'anthropic', 'gemini', 'mistral', 'groq', 'deepgram', 'tavily'] as const;

export type Role = 'admin' | 'member';

export interface User {
  id: string;
  email: string;
  username: string;
  confirmed: boolean;
  createdAt: number;
  role: Role;
  /** Directory identity; absent for nobody in the seed. */
  oid: string;
  tid: string;
  upn: string;
  password: string;
  /** The platform tenant the user belongs to. */
  tenantId: string;
}

export interface Recording {
  id: string;
  title: string;
  filename: string;
  status: string;
  method: string;
  quality: string;
  language: string | null;
  diarizationEnabled: boolean;
  userId: string;
  createdAt: number;
  updatedAt: number;
  kbFolderId?: string;
  kbDocumentId?: string;
  summary?: string;
  analysis?: Json;
}

/** The writable fields of a recording, as they arrive. */
export interface RecordingPatch {
  title?: string;
  kb_folder_id?: string;
  kb_document_id?: string;
  summary?: string;
  analysis?: Json;
}

export interface ApiKey {
  id: string;
  tenantId: string;
  provider: string;
  name: string;
  status: string;
  createdAt: number;
  secret: string;
}

export interface Pat {
  id: string;
  userId: string;
  name: string;
  secret: string;
  createdAt: number;
}

/** How an access token came to be. */
export type Via = 'sso' | 'login' | 'refresh';

/** The claims of an access token. */
export interface Claims {
  sub: string;
  jti: string;
  via: Via;
  iat: number;
  exp: number;
}

/** The authenticated caller. */
export interface Principal {
  user: User;
  kind: 'jwt' | 'pat';
  /** jti of the access token, or id of the PAT. */
  credentialId: string;
}
