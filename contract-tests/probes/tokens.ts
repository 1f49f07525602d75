import { OPERATIONS } from '../session/operations.ts';
import { isPatForm, partsOfPat } from '../session/token-forms.ts';
import { isSuccess, jsonOf } from '../wire/exchange.ts';
import { findStrings, isObject } from '../wire/json.ts';
import { hasAll, type Probe, shapeProbe, Undetermined, unexpected } from './probe.ts';
import { looksSecret } from './vocabulary.ts';

const NAME_MEMBERS = ['name', 'key', 'scope', 'id', 'value', 'code', 'slug'];

/** The names in the first list of scopes: strings, or records that are named in a usual member. */
function scopeNames(value: unknown): string[] {
  if (Array.isArray(value)) {
    const names = value.map((item: unknown) =>
      isObject(item) ? NAME_MEMBERS.map((member) => item[member]).find((name) => typeof name === 'string') : item,
    );
    return names.every((name) => typeof name === 'string' && /^\S+$/.test(name)) ? (names as string[]) : [];
  }
  if (!isObject(value)) return [];
  for (const item of Object.values(value)) {
    const names = scopeNames(item);
    if (names.length > 0) return names;
  }
  return [];
}

const isListOf = (list: unknown, isScope: (item: unknown) => boolean): boolean =>
  Array.isArray(list) && list.every(isScope);
const isName = (item: unknown): boolean => typeof item === 'string';
const isRecord = (item: unknown): boolean => isObject(item) && hasAll(item, ['name', 'description']);

/** Personal access tokens (5). */
export const patProbes: Probe[] = [
  {
    gap: 'pat-create-request',
    sends: 'POST /v1/api-tokens with {}, {name}, {name, scopes} until one succeeds: at most one PAT is made',
    writes: true,
    needs: ['actors.admin'],
    async observe(session) {
      const created = await session.pats.created('admin');
      if (!isSuccess(created)) throw unexpected(OPERATIONS.pat.name, created);
      // The leanest bodies come first, so what precedes the success was refused.
      if (session.config.leanPat !== true)
        throw new Undetermined('leaner bodies were not tried before the PAT was made');
      const sent = Object.keys(JSON.parse(created.request.body ?? '{}') as object).join('-and-');
      if (sent === '') return 'none';
      if (sent === 'name' || sent === 'name-and-scopes') return sent;
      throw new Undetermined(`the first body that was accepted is ${created.request.body}`);
    },
  },
  shapeProbe({
    gap: 'pat-create-response',
    sends: 'POST /v1/api-tokens, the one creation of the run',
    writes: true,
    needs: ['actors.admin'],
    what: OPERATIONS.pat.name,
    has: 'the creation answers',
    answerOf: (session) => session.pats.created('admin'),
    shapes: {
      nested: ({ token, api_token: inside }) =>
        isPatForm(token) && isObject(inside) && hasAll(inside, ['id', 'name', 'scopes', 'created_at']),
      'token-field': (made) => isPatForm(made.token) && hasAll(made, ['id', 'name', 'scopes', 'created_at']),
      'key-field': (made) => isPatForm(made.key) && hasAll(made, ['id', 'name', 'created_at']),
    },
  }),
  {
    gap: 'pat-prefix',
    sends: 'POST /v1/api-tokens, the one creation of the run, unless the target file gives a PAT',
    writes: true,
    needs: ['actors.admin'],
    async observe(session) {
      const { token } = await session.pats.of('admin');
      const head = partsOfPat(token)?.head.slice(0, -1) ?? '';
      const parts = head.split('_');
      if (parts.length === 2) return parts[0];
      // With more than one underscore only the id, where the creation answers it, shows where the prefix ends.
      const ids = session.credentials('admin').pat ? [] : findStrings(jsonOf(await session.pats.created('admin')));
      const id = ids.find(({ path, value }) => path.at(-1) === 'id' && head.endsWith(`_${value}`))?.value;
      if (id !== undefined) return head.slice(0, -id.length - 1);
      throw new Undetermined('the PAT has more than one underscore before its secret');
    },
  },
];

/** Token scopes (4.4). */
export const scopeProbes: Probe[] = [
  {
    gap: 'scopes-path',
    sends: 'GET of the likely paths as admin, until one answers JSON',
    needs: ['actors.admin'],
    async observe(session) {
      const path = await session.scopes.path();
      const answer = await session.scopes.of('admin');
      if (!isSuccess(answer) || jsonOf(answer) === undefined) throw unexpected(path, answer);
      return path;
    },
  },
  shapeProbe({
    gap: 'scopes-response',
    sends: 'GET of the token scopes as admin',
    needs: ['actors.admin'],
    what: OPERATIONS.scopes.name,
    has: 'the scopes answer has',
    answerOf: (session) => session.scopes.of('admin'),
    shapes: {
      names: ({ is_admin, scopes }) => typeof is_admin === 'boolean' && isListOf(scopes, isName),
      records: ({ is_admin, scopes }) => typeof is_admin === 'boolean' && isListOf(scopes, isRecord),
      camel: ({ isAdmin, availableScopes }) => typeof isAdmin === 'boolean' && isListOf(availableScopes, isName),
    },
  }),
  {
    gap: 'scope-values',
    sends: 'GET of the token scopes as admin',
    needs: ['actors.admin'],
    async observe(session) {
      // Every scope is available to an administrator, so what admin sees is all.
      const answer = await session.scopes.of('admin');
      if (!isSuccess(answer)) throw unexpected(OPERATIONS.scopes.name, answer);
      const names = [...new Set(scopeNames(jsonOf(answer)))];
      if (names.length === 0) throw new Undetermined('no scope was recognised in the answer');
      if (names.some(looksSecret)) throw new Undetermined('a scope looks like a credential');
      return names.toSorted();
    },
  },
];
