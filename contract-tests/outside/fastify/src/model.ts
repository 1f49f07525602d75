/** The records the service keeps. Times are epoch milliseconds; text form is decided in `present.ts`. */

export interface User {
  id: string;
  email: string;
  username: string;
  password: string;
  confirmed: boolean;
  createdAt: number;
  oid: string;
  tid: string;
  upn: string;
  tenantId: string;
  admin: boolean;
}

export type RecordingStatus = 'pending' | 'processing' | 'completed' | 'failed';

export interface Recording {
  id: string;
  tenantId: string;
  title: string;
  filename: string;
  status: RecordingStatus;
  method: string;
  quality: string;
  language: string;
  diarizationEnabled: boolean;
  userId: string;
  createdAt: number;
  updatedAt: number;
  kbFolderId?: string;
  kbDocumentId?: string;
  summary?: string;
  analysis?: Record<string, unknown>;
}

/** What an update may write, and only that (section 2). */
export type Changes = Partial<Pick<Recording, 'title' | 'kbFolderId' | 'kbDocumentId' | 'summary' | 'analysis'>>;

export interface UpdateBody {
  title?: string;
  kb_folder_id?: string;
  kb_document_id?: string;
  summary?: string;
  analysis?: Record<string, unknown>;
}

/** Five language-model providers, one further model provider, one web-search provider. */
export const PROVIDERS = ['openai', 'anthropic', 'google', 'mistral', 'cohere', 'huggingface', 'tavily'] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface ApiKey {
  id: string;
  tenantId: string;
  provider: Provider;
  name: string;
  status: string;
  secret: string;
  createdAt: number;
}

export interface KeyFilter {
  provider?: string;
  status?: string;
}

export interface Pat {
  id: string;
  userId: string;
  name: string;
  secret: string;
  scopes: string[];
  createdAt: number;
  expiresAt: number | null;
}

export interface RefreshToken {
  userId: string;
  used: boolean;
}

/** Who makes a request, and by which kind of token. */
export interface Caller {
  user: User;
  via: 'jwt' | 'pat';
  tokenId: string;
  scopes: string[];
  /** when the token came into being */
  issuedAt: number;
}

export interface SsoIdentity {
  oid: string;
  tid: string;
  upn?: string;
}

export interface AccessClaims {
  sub: string;
  jti: string;
  amr: 'sso' | 'pwd' | 'refresh';
  iat: number;
  exp: number;
}

/** What the outside sees is plain JSON; the hooks are allowed to make it wrong, hence the loose type. */
export type Json = Record<string, unknown>;
