import { OPERATIONS } from '../api/operations.ts';
import { partsOfPat } from '../api/token-forms.ts';
import { isSuccess, jsonOf } from '../values/answer.ts';
import { findStrings, isObject, type JsonObject } from '../values/json.ts';
import { patRequestShape, patShape } from './pat-shape.ts';
import { objectIn, type Probe, Undetermined, unexpected } from './probe.ts';
import { NAME_MEMBERS, scopesShape } from './scope-shape.ts';
import { looksSecret } from './vocabulary.ts';

/** The names in the first list of scopes: strings, or records that are named in a usual member. */
export function scopeNames(value: unknown): string[] {
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
      return patRequestShape(JSON.parse(created.request.body ?? '{}') as JsonObject);
    },
  },
  {
    gap: 'pat-create-response',
    sends: 'POST /v1/api-tokens, the one creation of the run',
    writes: true,
    needs: ['actors.admin'],
    async observe(session) {
      const created = await session.pats.created('admin');
      const sent = JSON.parse(created.request.body ?? '{}') as JsonObject;
      return patShape(objectIn(OPERATIONS.pat.name, created), sent);
    },
  },
  {
    gap: 'pat-prefix',
    sends: 'POST /v1/api-tokens, the one creation of the run, unless the target file gives a PAT',
    writes: true,
    needs: ['actors.admin'],
    async observe(session) {
      // The id, where the creation answers it, shows where the prefix ends; a PAT that is given has one underscore, or not.
      const given = session.credentials('admin').pat;
      const { token } = await session.pats.of('admin');
      const head = partsOfPat(token)?.head.slice(0, -1) ?? '';
      const ids = given ? [] : findStrings(jsonOf(await session.pats.created('admin')));
      const id = ids.find(({ path, value }) => path.at(-1) === 'id' && head.endsWith(`_${value}`))?.value;
      if (id !== undefined) return head.slice(0, -id.length - 1);
      const parts = head.split('_');
      if (parts.length === 2) return parts[0];
      throw new Undetermined('the PAT has more than one underscore before its secret');
    },
  },
  {
    gap: 'pat-lifetime',
    sends: 'POST /v1/api-tokens, the one creation of the run',
    writes: true,
    needs: ['actors.admin'],
    async observe(session) {
      const created = await session.pats.created('admin');
      const found = lifetimeIn(objectIn(OPERATIONS.pat.name, created));
      if (found !== undefined) return found;
      throw new Undetermined('the answer does not say when the PAT expires');
    },
  },
];

/** The seconds that a PAT lives, by when it expires and when it was made; 0: for ever; undefined: not told. */
export function lifetimeIn(made: JsonObject): number | undefined {
  for (const [name, value] of Object.entries(made)) {
    if (/^expires_?at$/i.test(name)) {
      if (value === null) return 0;
      const begin = Object.entries(made).find(([other]) => /^created_?at$/i.test(other))?.[1];
      const seconds = (Date.parse(String(value)) - Date.parse(String(begin))) / 1000;
      return Number.isNaN(seconds) || seconds <= 0 ? undefined : Math.round(seconds);
    }
    const inside = isObject(value) ? lifetimeIn(value) : undefined;
    if (inside !== undefined) return inside;
  }
  return undefined;
}
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
  {
    gap: 'scopes-response',
    sends: 'GET of the token scopes as admin, and as member where there is one',
    needs: ['actors.admin'],
    async observe(session) {
      const body = objectIn(OPERATIONS.scopes.name, await session.scopes.of('admin'));
      const member = session.target.actors?.member && (await session.scopes.of('member').catch(() => undefined));
      return scopesShape([
        { body, isAdmin: true },
        ...(member && isSuccess(member) ? [{ body: jsonOf(member), isAdmin: false }] : []),
      ]);
    },
  },
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
