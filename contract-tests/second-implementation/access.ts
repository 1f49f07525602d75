/** Who may do what: authentication, token scopes, and the operation that lists them. */
import { type Call, type Operation, Refusal, type Reply, refuse, reorder } from './http.ts';
import type { User } from './store.ts';
import type { Principal } from './tokens.ts';

const SCOPES = {
  'recordings:write': 'Change recordings',
  'tokens:create': 'Create personal access tokens',
  'keys:list': 'List the provider keys of a tenant',
  'users:invite': 'Invite users',
} as const;

export type Scope = keyof typeof SCOPES;

/** The scopes available to a user. */
export function scopesOf(user: User): Scope[] {
  const all = Object.keys(SCOPES) as Scope[];
  return user.administrator ? all : all.filter((scope) => scope === 'recordings:write' || scope === 'tokens:create');
}

/** The caller; refuses a call whose bearer token is missing or invalid, or lacks the scope. */
export function authenticate(call: Call, scope?: Scope): Principal {
  const { app } = call;
  const header = call.headers.authorization;
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  let found = token === undefined ? undefined : app.tokens.verify(token);
  for (const hooks of app.hooks) if (hooks.principal) found = hooks.principal(found, token, call);
  const { lockoutAfter } = app.style;
  if (!found && token !== undefined) app.badTokens += 1;
  if (!found || (lockoutAfter > 0 && app.badTokens > lockoutAfter)) {
    const why = header === undefined ? 'missingCredentials' : 'invalidCredentials';
    throw new Refusal(app.style.statuses[why], 'credentials are missing or not valid', {
      'WWW-Authenticate': 'Bearer',
    });
  }
  if (scope && app.style.patScopesEnforced && found.scopes && !found.scopes.includes(scope)) {
    throw refuse(app, 'forbidden', `the token lacks the scope ${scope}`);
  }
  return found;
}

/** GET of the token scopes: which are available to the caller, and whether the caller is an administrator. */
function listScopes(call: Call): Reply {
  const { user } = authenticate(call);
  const scopes = reorder(call.app, scopesOf(user));
  const { administrator } = user;
  switch (call.app.style.scopesShape) {
    case 'data-key-label':
      return { status: 200, body: { data: scopes.map((key) => ({ key, label: SCOPES[key] })), administrator } };
    case 'names':
      return { status: 200, body: { scopes, is_admin: administrator } };
    case 'nested': {
      const available = Object.fromEntries(scopes.map((scope) => [scope, { description: SCOPES[scope] }]));
      return {
        status: 200,
        body: { meta: { caller: { is_administrator: administrator } }, available_scopes: available },
      };
    }
    case 'tuple':
      return { status: 200, body: [scopes, administrator] };
    case 'role':
      return {
        status: 200,
        body: { role: administrator ? 'admin' : 'user', scopes: scopes.map((name) => ({ name, text: SCOPES[name] })) },
      };
  }
}

export const scopeOperations = {
  scopes: { method: 'GET', path: ({ scopesPath }) => scopesPath, run: listScopes },
} satisfies Record<string, Operation>;
