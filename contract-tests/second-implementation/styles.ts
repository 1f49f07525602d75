/** The named styles: plausible deployments that all conform to the source document. */
import type { Statuses, Style } from './style.ts';

const statuses: Statuses = {
  missingCredentials: 403,
  invalidCredentials: 401,
  forbidden: 403,
  validation: 422,
  malformed: 400,
  mediaType: 415,
  tooLarge: 413,
  unknownRecording: 403,
  foreignRecording: 403,
  unknownPath: 404,
  method: 405,
};

const usual: Statuses = { ...statuses, missingCredentials: 401, validation: 400, unknownRecording: 404 };

const defaultStyle: Style = {
  basePath: '/api',
  contentType: 'application/json; charset=utf-8',
  errorContentType: 'application/json; charset=utf-8',
  errorShape: 'detail',
  statuses,
  jsonText: 'compact',
  headers: {
    'X-Served-By': 'edge-7',
    'X-Trace': 'c0ffee:1:2',
    Vary: 'Accept, Authorization',
    'Cache-Control': 'no-store',
  },
  requiredHeaders: {},
  extraFields: true,
  ids: 'numeric',
  shoutsIds: false,
  times: 'offset-micros',
  reordersLists: true,
  latencyMs: 0,
  burst: 0,
  lockoutAfter: 0,
  singleSession: false,
  lifetimeSeconds: 900,
  jwtTimes: 'iat-exp',
  jwtForm: 'signed',
  clockSkewSeconds: 0,
  refreshTokens: 'opaque',
  ssoStatus: 201,
  ssoRequired: ['oid', 'tid', 'upn'],
  unknownIdentity: 'provision',
  loginFields: ['username', 'password'],
  loginShape: 'camel',
  refreshPath: '/v1/auth/token/refresh',
  refreshField: 'refreshToken',
  patPrefix: 'echo',
  patRequest: 'name-scopes',
  patShape: 'data-plain-text',
  patStatus: 200,
  uniquePatNames: false,
  patScopesEnforced: false,
  scopesPath: '/v1/token-scopes',
  scopesShape: 'data-key-label',
  elsewhere: 'nothing',
  updateStatus: 200,
  unknownFields: 'refuse',
  emptyUpdate: 'refuse',
  wrongTypes: 'refuse',
  titleMaxLength: Number.POSITIVE_INFINITY,
  titlesIn: 'utf-16',
  summaryMinLength: 0,
  analysisVersion: false,
  unknownKb: 'accept',
  reprocessedAfterMs: 0,
  validatesFirst: false,
  newRecordings: false,
  rewritesTimes: false,
  keys: 'full',
  keyIds: 'unique',
  pageSize: 0,
  keysChangeEvery: 0,
  keyReaders: 'administrators',
  unknownProvider: 'empty',
  unknownTenant: 'empty',
  otherTenant: 'visible',
  targetAdmin: ['sso', 'login'],
  targetMember: ['sso', 'login'],
  targetOtherTenant: true,
  targetValues: true,
};

const overrides = {
  /** Differs from a typical mock in nearly every gap; all defects are visible here. */
  default: {},
  /** RFC 9457 errors; refresh tokens that are JWTs too, and a login answer that holds both. */
  'problem-details': {
    errorShape: 'problem',
    errorContentType: 'application/problem+json',
    statuses: usual,
    ids: 'uuid',
    times: 'zulu-millis',
    refreshTokens: 'jwt',
    loginShape: 'nested',
    jwtTimes: 'exp',
    patRequest: 'name',
    patShape: 'token',
    patStatus: 201,
    ssoStatus: 200,
    scopesPath: '/v1/api-tokens/scopes',
    scopesShape: 'names',
    unknownProvider: 400,
  },
  /** Refuses whatever the document does not promise to take. */
  strict: {
    statuses: { ...usual, validation: 422 },
    errorShape: 'list',
    jsonText: 'pretty-ascii',
    requiredHeaders: { 'X-Env': 'second' },
    unknownIdentity: 401,
    titleMaxLength: 255,
    validatesFirst: true,
    patScopesEnforced: true,
    unknownProvider: 422,
    unknownTenant: 404,
    otherTenant: 403,
    lifetimeSeconds: 3600,
    scopesShape: 'nested',
  },
  /** Accepts nearly everything; odd ids; a clock that is ten minutes ahead; media type in capitals. */
  lenient: {
    basePath: '',
    contentType: 'Application/JSON;charset="UTF-8"',
    ids: 'odd',
    times: 'west-nanos',
    clockSkewSeconds: 600,
    statuses: { ...usual, validation: 400, mediaType: 400 },
    errorShape: 'object',
    unknownFields: 'ignore',
    emptyUpdate: 'accept',
    wrongTypes: 'ignore',
    ssoRequired: ['oid'],
    loginFields: ['email', 'passphrase'],
    loginShape: 'snake',
    patPrefix: 'echo_live',
    patRequest: 'name',
    updateStatus: 202,
    keyReaders: 'everybody',
    otherTenant: 'empty',
  },
  /** 404 for everything that the caller may not see, its own authentication included; +json media type. */
  'hidden-existence': {
    basePath: '/platform/eu',
    contentType: 'application/vnd.platform.v1+json',
    errorShape: 'none',
    statuses: {
      ...usual,
      missingCredentials: 404,
      invalidCredentials: 404,
      forbidden: 404,
      unknownRecording: 404,
      foreignRecording: 404,
      method: 404,
    },
    times: 'zulu-seconds',
    extraFields: false,
    unknownTenant: 404,
    otherTenant: 404,
    unknownIdentity: 404,
    scopesShape: 'role',
  },
  /** The tenant of the target stores no API key yet. */
  'empty-tenant': { keys: 'none', jwtTimes: 'none', unknownFields: 'ignore' },
  /** Every answer takes its time and comes in two pieces. */
  slow: { latencyMs: 40, ssoStatus: 200, emptyUpdate: 'accept' },
  /** 429 with Retry-After for bursts. */
  'rate-limited': { burst: 25, errorShape: 'problem', errorContentType: 'application/problem+json' },
  /** The target file names one actor with single sign-on and nothing else; creating a PAT requires fields that cannot be guessed. */
  minimal: {
    basePath: '',
    extraFields: false,
    headers: {},
    reordersLists: false,
    patRequest: 'label-days',
    patShape: 'pat-value',
    scopesPath: '/v1/tokens/available-scopes',
    targetAdmin: ['sso'],
    targetMember: [],
    targetOtherTenant: false,
    targetValues: false,
  },
  /** An access token lives for a second, and does not say so itself. */
  'short-lived': { lifetimeSeconds: 1, jwtTimes: 'none', latencyMs: 4 },
  /** Shows tokens in ways of its own, and locks out who sends bad ones. */
  guarded: { patShape: 'parts', loginShape: 'cookie', lockoutAfter: 5 },
  /** One session a user: signing in again ends the one before. */
  'single-session': { singleSession: true },
  /** Access tokens are encrypted JWTs; a PAT's prefix has dots in it; answers have UUIDs in capitals. */
  encrypted: {
    patShape: 'beside-a-specimen',
    jwtForm: 'encrypted',
    patPrefix: 'second.echo.v2',
    ids: 'uuid',
    shoutsIds: true,
    times: 'zulu-seconds',
  },
  /** The recordings were made for the run; their times are in whole seconds, and written in two ways. */
  'new-recordings': { newRecordings: true, rewritesTimes: true, times: 'zulu-seconds', unknownFields: 'ignore' },
  /** Answers 204 where there is nothing to do or to show. */
  taciturn: { emptyUpdate: 'no-content', unknownFields: 'ignore', unknownTenant: 204, errorShape: 'none' },
  /** The path of the token scopes cannot be guessed, and a likely one lists scopes of another kind. */
  'other-scopes': { scopesPath: '/v1/pat/permissions', elsewhere: 'other-scopes' },
  /** A likely path means the token of that id. */
  'tokens-by-id': { scopesPath: '/v1/pat/permissions', elsewhere: 'tokens-by-id' },
  /** Every path is answered with a friendly word. */
  welcome: { scopesPath: '/v1/pat/permissions', elsewhere: 'welcome' },
  /** Every path is answered with something that looks like a list of scopes. */
  'something-everywhere': { scopesPath: '/v1/pat/permissions', elsewhere: 'something-everywhere' },
  /** The answer of the token scopes is a pair. */
  pair: { scopesShape: 'tuple' },
  /** Nothing tells that a list of API keys is one page of more; tenants have the same identifiers for their own. */
  'silent-pages': { pageSize: 10, keyIds: 'per-tenant' },
  /** Another client changes the API keys of the tenant now and then. */
  'shared-tenant': { keysChangeEvery: 9 },
  /** The API keys of the tenant change before every list. */
  'restless-tenant': { keysChangeEvery: 1 },
  /** Summaries have a least length, analyses a shape of their own. */
  particular: { summaryMinLength: 20, analysisVersion: true, unknownKb: 422, unknownFields: 'ignore', ids: 'uuid' },
  /** Go's encoding/json, a BLOB, SQLite: texts are UTF-8. */
  'utf-8': { titlesIn: 'utf-8' },
  /** Columns of 120 characters, foreign and unique keys, no U+0000; an analysis has a schema, which the target file knows nothing of. */
  postgresql: {
    titlesIn: 'postgresql',
    titleMaxLength: 120,
    statuses: usual,
    unknownKb: 409,
    uniquePatNames: true,
    analysisVersion: true,
    targetValues: false,
  },
  /** The target file carries ready-made tokens; there is no sign-in. */
  'handed-tokens': { targetAdmin: ['accessToken', 'pat'], targetMember: ['pat'], unknownIdentity: 403 },
} as const satisfies Record<string, Partial<Style>>;

export type StyleName = keyof typeof overrides;

export const STYLE_NAMES = Object.keys(overrides) as readonly StyleName[];

/** The full style: a named one, or the default one with other answers. */
export function resolveStyle(style: StyleName | Partial<Style> = 'default'): Style {
  if (typeof style !== 'string') return { ...defaultStyle, ...style };
  const named: Partial<Style> | undefined = Object.hasOwn(overrides, style) ? overrides[style] : undefined;
  if (!named) throw new Error(`unknown style ${style}; known: ${STYLE_NAMES.join(', ')}`);
  return { ...defaultStyle, ...named };
}
