import { isObject, memberOf, objectOf } from '../values/json.ts';
import { lettersOf, wordsOf } from '../values/secret-looks.ts';

const FLAG =
  /^(caller|current|user|account|has|is|org|organisation|organization|tenant|platform|system|super)*(admin|administrator)(istrator)?(user|role|access|rights|flag|status)?$/;
const PLAIN_FLAG = /^(is)?admin(istrator)?$/;
const ROLE = /^((user|caller|account)?(role|roles|rolename)|authorities|groups)$/;
const YES = [true, 1, 'true', 'yes'];
const NO = [false, 0, 'false', 'no'];
/** What a role of administrators is called; a group may have the word in a name that says something else. */
const ADMIN_ROLE = /(?<!non[-_ ]?|not[-_ ]?)admin|owner|superuser/i;
const ADMIN_GROUP = /^(.*[\\/:_ -])?(admins?|administrators?|superusers?)$/i;
/** Names of scopes and of what holds them: what is in there is said of a scope, not of the caller. */
const SCOPE_NAME = /[:.]|scope|permission/i;

type Member = { path: string[]; value: unknown };
const nameOf = ({ path }: Member): string => path.at(-1) ?? '';

/** The members that may be about the caller: none of scopes, or of elements of lists that describe something by its name. */
function membersOf(json: unknown, path: string[] = []): Member[] {
  if (Array.isArray(json)) {
    return json.flatMap((element, at) => {
      // `[[…scopes], true]`: a flag without a name distinguishes two callers, though it does not say what it means.
      if (typeof element === 'boolean' && path.length === 0) return [{ path: [String(at)], value: element }];
      if (!isObject(element)) return [];
      const isNamed = Object.entries(element).some(
        ([name, value]) => SCOPE_NAME.test(name) || (typeof value === 'string' && !FLAG.test(lettersOf(name))),
      );
      return isNamed ? [] : membersOf(element, [...path, String(at)]);
    });
  }
  return Object.entries(objectOf(json)).flatMap(([name, value]) => {
    const member = { path: [...path, name], value };
    return SCOPE_NAME.test(name) ? [] : [member, ...membersOf(value, member.path)];
  });
}

/** The roles that a member names: texts, or objects with a name. */
function rolesOf(member: Member): string[] {
  if (!ROLE.test(lettersOf(nameOf(member)))) return [];
  const roles = [member.value].flat().map((role) => (isObject(role) ? role.name : role));
  return roles.filter((role) => typeof role === 'string');
}

/** What a member says, and how likely that is meant: is_admin before other flags, these before roles. */
function claimIn(member: Member) {
  const { path, value } = member;
  const plain = lettersOf(nameOf(member));
  const said = typeof value === 'string' ? value.toLowerCase() : value;
  if (FLAG.test(plain) && [...YES, ...NO].some((each) => each === said)) {
    const isAdmin = YES.some((each) => each === said);
    return [{ path, value, isAdmin, isWeak: false, rank: PLAIN_FLAG.test(plain) ? 0 : 1 + Number(!isAdmin) }];
  }
  // A role whose name does not say administrator is weak: it may be one all the same.
  const roles = rolesOf(member);
  const isAdmin = roles.some((role) => (plain === 'groups' ? ADMIN_GROUP : ADMIN_ROLE).test(role));
  return roles.length === 0 ? [] : [{ path, value, isAdmin, isWeak: !isAdmin, rank: 3 + Number(!isAdmin) }];
}

/** In a list of scopes, each of which repeats whether the caller is an administrator. */
function repeatedIn(json: unknown): Member[] {
  const [first = {}, ...others] = Array.isArray(json) ? json.map(objectOf) : [];
  return Object.entries(first).flatMap(([name, value]) => {
    const isSame = lettersOf(name) === 'isadmin' && others.every((each) => memberOf(each, name) === value);
    return isSame ? [{ path: ['0', name], value }] : [];
  });
}

/** Finds the statement by its name: a flag such as is_admin wherever it is, else a role; undefined where none is recognised. */
export const adminClaim = (json: unknown) =>
  [...membersOf(json), ...repeatedIn(json)].flatMap(claimIn).toSorted((a, b) => a.rank - b.rank)[0];

/** Words of names that say who the caller is, when, and how much there is: that differs between any two answers. */
const IDENTITY =
  /(^|_)(ids?|oid|tid|uid|uuid|guid|at|on|sub|iat|exp|nbf|subject|upn|login|owner|ur[il]|token|jti|hash|etag|nonce|cursor|count|total|number|size|page|limit|offset|issued|expires)(_|$)|[^_]id(_|$)|mail|name|time|date|request|trace|correlation/;
const PERSON = /^(user|caller|account|actor|principal|person|me)$/;
const LEVEL = /level|role|type|kind|tier|rank/;
const WORDS = /^\p{L}[\p{L}\s_,.!'-]{0,79}$/u;

/** Whether a member may say something of administrators, in any shape: it is no identity, scope or quantity. */
function isStatement(member: Member): boolean {
  const [{ value }, plain] = [member, lettersOf(nameOf(member))];
  if (typeof value === 'boolean') return true;
  if (IDENTITY.test(wordsOf(nameOf(member)))) return false;
  if (typeof value === 'number') return value === 0 || value === 1 || LEVEL.test(plain);
  return typeof value === 'string' && WORDS.test(value) && (!PERSON.test(plain) || /^admin(istrator)?$/i.test(value));
}

/** What an answer may say of its caller beyond scopes and identity: in it, an administrator and somebody else differ. */
export const statementsOf = (json: unknown): string =>
  membersOf(json)
    .flatMap((member) => {
      const roles = rolesOf(member).toSorted();
      const said = roles.length > 0 ? roles : member.value;
      return roles.length > 0 || isStatement(member) ? `${member.path.join('.')}=${JSON.stringify(said)}` : [];
    })
    .toSorted()
    .join('\n');

/** Scopes in one string, as OAuth has them: `recordings:write keys:read`. */
const SCOPE_STRINGS = /^[a-z][\w.-]*:[a-z*][\w.:*-]*([\s,]+[a-z][\w.-]*:[a-z*][\w.:*-]*)*$/i;

/** `{ read: true, write: false }`: what may be done with something. Flags of the caller are none. */
function isMapOfBooleans(value: unknown): boolean {
  const entries = Object.entries(objectOf(value));
  const isFlag = (name: string): boolean => /admin|^(is|has)[_A-Z]/.test(name);
  return entries.length > 0 && entries.every(([name, may]) => typeof may === 'boolean' && !isFlag(name));
}

/** What in a value can be a listing of scopes, the shape of which is not shown: a list, or names that are scopes or say so. */
function listingsIn(json: unknown): unknown[] {
  if (Array.isArray(json)) return [json];
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    if (/^\w+[:.]\w+/.test(name)) return [name];
    if (typeof value === 'string' && SCOPE_STRINGS.test(value) && !/id$|request|trace/i.test(name)) return [value];
    if (isMapOfBooleans(value)) return [value];
    if (/scope|permission|available|grant|abilit|right/i.test(name))
      return typeof value === 'string' || (typeof value === 'object' && value !== null) ? [value] : [];
    return listingsIn(value);
  });
}

/** Whether a value can be a listing of scopes, which may be empty. */
export const listsScopes = (json: unknown): boolean => listingsIn(json).length > 0;

export const namesScopes = (json: unknown): boolean =>
  listingsIn(json).some((listing) => Object.keys(Object(listing)).length > 0);
