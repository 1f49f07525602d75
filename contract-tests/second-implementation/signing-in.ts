/** Single sign-on, login, the exchange of a refresh token, and personal access tokens. */
import { randomUUID } from 'node:crypto';
import { authenticate, scopesOf } from './access.ts';
import { type App, type Call, type JsonObject, type Operation, Refusal, type Reply, readJson, refuse } from './http.ts';
import { type Claims, timestamp, type User } from './store.ts';
import type { ClaimName } from './style.ts';
import { newPatId, type Session } from './tokens.ts';

const CLAIMS: readonly ClaimName[] = ['oid', 'tid', 'upn'];

/** The user as the SSO answer shows it. */
function showUser(user: User, app: App): JsonObject {
  const { id, email, username, confirmed, created_at } = user;
  const shown = { id, email, username, confirmed, created_at };
  return app.style.extraFields ? { ...shown, locale: 'de-AT', avatar: null, tenant: { id: user.tenantId } } : shown;
}

/** Creates the user of an unknown identity. */
function provision(app: App, claims: Claims): User {
  const id = app.store.newId('user');
  const local = claims.upn.replaceAll(/[^A-Za-z0-9]+/g, '.').replaceAll(/^\.|\.$/g, '') || 'user';
  const user: User = {
    id,
    email: /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(claims.upn) ? claims.upn : `${local.slice(0, 40)}@second.example`,
    username: local,
    confirmed: false,
    created_at: timestamp(app.tokens.now(), app.style),
    administrator: false,
    tenantId: app.store.tenantId,
    claims,
    password: randomUUID(),
  };
  app.store.users.push(user);
  return user;
}

/** POST /v1/auth/sso */
function ssoLogin(call: Call): Reply {
  const { app } = call;
  const sent = readJson(call);
  for (const name of CLAIMS) {
    const value = sent[name];
    if (value === undefined && !app.style.ssoRequired.includes(name)) continue;
    if (typeof value !== 'string' || value === '') throw refuse(app, 'validation', `${name} must be a string`);
  }
  const claim = (name: ClaimName): string => (typeof sent[name] === 'string' ? sent[name] : '');
  const claims: Claims = { oid: claim('oid'), tid: claim('tid'), upn: claim('upn') };
  const known = app.store.users.find(
    (user) => user.claims.oid === claims.oid && (claims.tid === '' || user.claims.tid === claims.tid),
  );
  const { unknownIdentity } = app.style;
  if (!known && unknownIdentity !== 'provision') throw new Refusal(unknownIdentity, 'no user has these claims');
  const user = known ?? provision(app, claims);
  const session = app.tokens.open(user, 'sso');
  return {
    status: app.style.ssoStatus,
    body: {
      access_token: session.accessToken,
      refresh_token: session.refreshToken,
      token_type: 'bearer',
      expires_in: session.expiresIn,
      user: showUser(user, app),
      ...(app.style.extraFields && { scope: scopesOf(user).join(' '), session_state: randomUUID() }),
    },
  };
}

/** The answer that carries a session, outside of SSO. */
function showSession(session: Session, app: App): JsonObject {
  const { accessToken, refreshToken, expiresIn } = session;
  switch (app.style.loginShape) {
    case 'camel':
      return { accessToken, refreshToken, tokenType: 'Bearer', expiresIn };
    case 'nested':
      return { tokens: { refresh: { value: refreshToken }, access: { value: accessToken, ttl: expiresIn } } };
    case 'cookie':
      return { ok: true };
    case 'snake':
      return { access_token: accessToken, refresh_token: refreshToken, token_type: 'bearer', expires_in: expiresIn };
  }
}

/** POST /v1/auth/login */
function login(call: Call): Reply {
  const { app } = call;
  const sent = readJson(call);
  const [nameField, secretField] = app.style.loginFields;
  const [name, secret] = [sent[nameField], sent[secretField]];
  if (typeof name !== 'string' || typeof secret !== 'string') {
    throw refuse(app, 'validation', `${nameField} and ${secretField} are required`);
  }
  const user = app.store.users.find((one) => one.username === name || one.email === name);
  if (user?.password !== secret) throw refuse(app, 'invalidCredentials', 'wrong name or password');
  return { status: 200, body: showSession(app.tokens.open(user, 'login'), app) };
}

/** POST of the refresh path */
function refreshSession(call: Call): Reply {
  const token = readJson(call)[call.app.style.refreshField];
  const session = typeof token === 'string' ? call.app.tokens.refresh(token) : undefined;
  if (!session) throw refuse(call.app, 'invalidCredentials', 'the refresh token is not valid');
  return { status: 200, body: showSession(session, call.app) };
}

/** The scopes that a request for a personal access token asks for; undefined: all. */
function askedScopes(sent: JsonObject, user: User, app: App): string[] | undefined {
  const { patRequest, patScopesEnforced } = app.style;
  if (patRequest !== 'name-scopes') return undefined;
  const scopes = sent.scopes;
  if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string')) {
    throw refuse(app, 'validation', 'scopes must be an array of strings');
  }
  const allowed: readonly string[] = scopesOf(user);
  if (patScopesEnforced && (scopes.length === 0 || !scopes.every((scope) => allowed.includes(scope)))) {
    throw refuse(app, 'validation', `scopes must be some of ${allowed.join(', ')}`);
  }
  return scopes;
}

/** POST /v1/api-tokens */
function createPat(call: Call): Reply {
  const { app } = call;
  const { user } = authenticate(call, 'tokens:create');
  const { patRequest, patShape, patStatus } = app.style;
  const sent = readJson(call);
  const nameField = patRequest === 'label-days' ? 'label' : 'name';
  const name = sent[nameField];
  if (typeof name !== 'string' || name === '') throw refuse(app, 'validation', `${nameField} must be a string`);
  if (patRequest === 'label-days' && !Number.isInteger(sent.valid_for_days)) {
    throw refuse(app, 'validation', 'valid_for_days must be an integer');
  }
  const taken = `${user.id} ${name}`;
  if (app.style.uniquePatNames && app.patNames.has(taken)) throw new Refusal(409, 'a PAT has this name already');
  const id = newPatId(app);
  const token = app.tokens.createPat(user, id, askedScopes(sent, user, app));
  app.patNames.add(taken);
  const created_at = timestamp(app.tokens.now(), app.style);
  switch (patShape) {
    case 'data-plain-text':
      return { status: patStatus, body: { data: { id, name, created_at, plain_text_token: token } } };
    case 'token':
      return { status: patStatus, body: { id, name, created_at, token } };
    case 'parts': {
      const at = token.indexOf('.', app.style.patPrefix.length);
      return {
        status: patStatus,
        body: { token_id: id, token_prefix: app.style.patPrefix, secret: token.slice(at + 1) },
      };
    }
    case 'beside-a-specimen': {
      const example = `${app.style.patPrefix}_0000.0000000000`;
      return { status: patStatus, body: { token_example: example, access: { personal: token } } };
    }
    case 'pat-value':
      return { status: patStatus, body: { pat: { value: token }, created_at } };
  }
}

export const signInOperations = {
  sso: { method: 'POST', path: '/v1/auth/sso', run: ssoLogin },
  login: { method: 'POST', path: '/v1/auth/login', run: login },
  refresh: { method: 'POST', path: ({ refreshPath }) => refreshPath, run: refreshSession },
  createPat: { method: 'POST', path: '/v1/api-tokens', run: createPat },
} satisfies Record<string, Operation>;
