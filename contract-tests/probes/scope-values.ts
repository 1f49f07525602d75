import { isSuccess, jsonOf } from '../wire/answers.ts';
import { isObject } from '../wire/json.ts';
import { type Probe, Undetermined, unexpected } from './probe.ts';
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

/** Every scope is available to an administrator, so what admin sees is all. */
export const scopeValues: Probe = {
  gap: 'scope-values',
  sends: 'GET of the token scopes as admin',
  writes: false,
  needs: ['actors.admin'],
  async observe(session) {
    const answer = await session.scopes.of('admin');
    if (!isSuccess(answer)) throw unexpected('GET of the token scopes', answer);
    const names = [...new Set(scopeNames(jsonOf(answer)))];
    if (names.length === 0) throw new Undetermined('no scope was recognised in the answer');
    if (names.some(looksSecret)) throw new Undetermined('a scope looks like a credential');
    return names.toSorted();
  },
};
