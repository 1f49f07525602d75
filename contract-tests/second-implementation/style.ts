/**
 * What a deployment decides on its own: one field for each thing that the source document leaves open and that this
 * implementation can answer in more than one way. Every combination conforms to the document.
 */

/** The answer to a question about something that may be listed as empty or refused with a status. */
export type EmptyOr = 'empty' | number;

/** A way for an actor of the target file to get credentials. */
export type Credential = 'sso' | 'login' | 'pat' | 'accessToken';

export type ClaimName = 'oid' | 'tid' | 'upn';

/** The status of each kind of refusal. */
export interface Statuses {
  missingCredentials: number;
  invalidCredentials: number;
  forbidden: number;
  validation: number;
  malformed: number;
  mediaType: number;
  tooLarge: number;
  unknownRecording: number;
  foreignRecording: number;
  unknownPath: number;
  method: number;
}

export interface Style {
  // ---- general ----
  /** Prefix of `/v1`: empty, or starting with a slash. */
  basePath: string;
  contentType: string;
  errorContentType: string;
  errorShape: 'detail' | 'problem' | 'object' | 'list' | 'none';
  statuses: Statuses;
  /** How JSON is written down: the same values, other bytes. */
  jsonText: 'compact' | 'pretty-ascii';
  /** Headers that every response carries. */
  headers: Readonly<Record<string, string>>;
  /** Headers that every request must carry (a gateway's demand); the target file names them. */
  requiredHeaders: Readonly<Record<string, string>>;
  /** Undocumented fields in every record. */
  extraFields: boolean;
  ids: 'numeric' | 'uuid' | 'odd';
  /** Answers write UUIDs in capitals, whatever the request had. */
  shoutsIds: boolean;
  times: 'offset-micros' | 'zulu-seconds' | 'zulu-millis' | 'west-nanos';
  /** Another order of every list at every call. */
  reordersLists: boolean;
  latencyMs: number;
  /** Requests in a second before 429; 0: no limit. */
  burst: number;
  // ---- signing in ----
  /** After this many requests with bad tokens, every caller is refused; 0: no limit. */
  lockoutAfter: number;
  /** Whether signing in ends the session that the user had before. */
  singleSession: boolean;
  lifetimeSeconds: number;
  jwtTimes: 'iat-exp' | 'exp' | 'none';
  /** Encrypted: what the token claims is for the deployment alone to read (JWE). */
  jwtForm: 'signed' | 'encrypted';
  /** How far the deployment's clock is ahead of ours. */
  clockSkewSeconds: number;
  refreshTokens: 'opaque' | 'jwt';
  ssoStatus: number;
  ssoRequired: readonly ClaimName[];
  unknownIdentity: 'provision' | number;
  loginFields: readonly [name: string, secret: string];
  /** Otherwise than in the body: an opaque cookie that is good for browsers. */
  loginShape: 'camel' | 'nested' | 'snake' | 'cookie';
  refreshPath: string;
  refreshField: string;
  // ---- personal access tokens ----
  patPrefix: string;
  patRequest: 'name-scopes' | 'name' | 'label-days';
  patShape: 'data-plain-text' | 'token' | 'pat-value' | 'parts' | 'beside-a-specimen';
  patStatus: number;
  /** Whether a user may give each name to one PAT only. */
  uniquePatNames: boolean;
  /** Scopes of a PAT must be listed ones, and a PAT may do only what its scopes say. */
  patScopesEnforced: boolean;
  // ---- token scopes ----
  scopesPath: string;
  scopesShape: 'data-key-label' | 'names' | 'nested' | 'role' | 'tuple';
  /** What answers at undocumented paths and could be mistaken for the token scopes. */
  elsewhere: 'nothing' | 'other-scopes' | 'tokens-by-id' | 'welcome' | 'something-everywhere';
  // ---- recordings ----
  updateStatus: number;
  unknownFields: 'refuse' | 'ignore';
  emptyUpdate: 'refuse' | 'accept' | 'no-content';
  wrongTypes: 'refuse' | 'ignore';
  titleMaxLength: number;
  /** UTF-8: a lone surrogate becomes U+FFFD. PostgreSQL: it is refused, as is U+0000, which its texts cannot hold. */
  titlesIn: 'utf-16' | 'utf-8' | 'postgresql';
  summaryMinLength: number;
  /** Whether an analysis must say which version of its shape it has. */
  analysisVersion: boolean;
  /** What an update gets that links a folder or document which is not in the knowledge base (a foreign key). */
  unknownKb: 'accept' | number;
  /** After this many milliseconds without an update, a recording is processed again: its status changes; 0: never. */
  reprocessedAfterMs: number;
  /** Validates the body before the credentials. */
  validatesFirst: boolean;
  /** The recordings were made when the deployment was, not long ago. */
  newRecordings: boolean;
  /** Answers take turns in how they write the time at which a recording was made. */
  rewritesTimes: boolean;
  // ---- API keys ----
  keys: 'full' | 'none';
  /** Per tenant: identifiers count from one in each tenant, so that tenants share them. */
  keyIds: 'unique' | 'per-tenant';
  /** As many records a list has at the most, and nothing tells of more; 0: all. */
  pageSize: number;
  /** At every nth list another client replaces an API key or changes its status; 0: never. */
  keysChangeEvery: number;
  keyReaders: 'administrators' | 'everybody';
  unknownProvider: EmptyOr;
  unknownTenant: EmptyOr;
  /** What the administrator of one tenant sees of another one. */
  otherTenant: 'visible' | EmptyOr;
  // ---- the target file ----
  targetAdmin: readonly Credential[];
  /** No credential: the target has no member. */
  targetMember: readonly Credential[];
  targetOtherTenant: boolean;
  /** Whether it names a folder and a document of the knowledge base, and an analysis, that an update may have. */
  targetValues: boolean;
}
