import { isObject, type JsonObject } from '../values/json.ts';

/** Where an answer of unknown shape says whether the caller is an administrator, and what it says. */
export interface AdminClaim {
  path: string[];
  value: unknown;
  isAdmin: boolean;
  /** A role whose name does not say administrator: it may be one all the same. */
  isWeak: boolean;
}

const FLAG =
  /^(caller|current|user|account|has|is|org|organisation|organization|tenant|platform|system|super)*(admin|administrator)(istrator)?(user|role|access|rights|flag|status)?$/;
const PLAIN_FLAG = /^(is)?admin(istrator)?$/;
const ROLE = /^((user|caller|account)?(role|roles|rolename)|authorities|groups)$/;
/** What a role of administrators is called; a group may have the word in a name that says something else. */
const ADMIN_ROLE = /(?<!non[-_ ]?|not[-_ ]?)admin|owner|superuser/i;
const ADMIN_GROUP = /^(.*[\\/:_ -])?(admins?|administrators?|superusers?)$/i;
/** Names of scopes and of what holds them: what is in there is said of a scope, not of the caller. */
const SCOPE_NAME = /[:.]|scope|permission/i;

interface Member {
  path: string[];
  name: string;
  /** The name's letters. */
  plain: string;
  value: unknown;
}

const lettersOf = (name: string): string => name.replace(/[^A-Za-z]/g, '').toLowerCase();

/** Whether an element of a list describes something by its name, such as a scope. */
function isNamed(element: JsonObject): boolean {
  return Object.entries(element).some(
    ([name, value]) => SCOPE_NAME.test(name) || (typeof value === 'string' && !FLAG.test(lettersOf(name))),
  );
}

function flagWithoutName(value: unknown, index: number): Member[] {
  return typeof value === 'boolean' ? [{ path: [String(index)], name: '', plain: '', value }] : [];
}

/** The members that may be about the caller, those near the root first: none of scopes, or of named elements of lists. */
function membersOf(json: unknown): Member[] {
  const found: Member[] = [];
  let level: { path: string[]; value: unknown }[] = [{ path: [], value: json }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { path, value } of level) {
      if (Array.isArray(value)) {
        // `[[…scopes], true]`: a flag without a name distinguishes two callers, though it does not say what it means.
        if (path.length === 0) found.push(...value.flatMap(flagWithoutName));
        const elements = value.map((element, index) => ({ path: [...path, String(index)], value: element }));
        next.push(...elements.filter((element) => isObject(element.value) && !isNamed(element.value)));
      } else if (isObject(value)) {
        for (const [name, inside] of Object.entries(value)) {
          if (SCOPE_NAME.test(name)) continue;
          found.push({ path: [...path, name], name, plain: lettersOf(name), value: inside });
          next.push({ path: [...path, name], value: inside });
        }
      }
    }
    level = next;
  }
  return found;
}

function flagOf({ path, plain, value }: Member): AdminClaim[] {
  if (!FLAG.test(plain)) return [];
  const says = (isAdmin: boolean): AdminClaim[] => [{ path, value, isAdmin, isWeak: false }];
  if (typeof value === 'boolean') return says(value);
  if (value === 0 || value === 1) return says(value === 1);
  if (typeof value === 'string' && /^(true|yes|false|no)$/i.test(value)) return says(/^(true|yes)$/i.test(value));
  return [];
}

/** The roles that a member names: texts, or objects with a name. */
function rolesOf({ plain, value }: Member): string[] {
  if (!ROLE.test(plain)) return [];
  const roles = (Array.isArray(value) ? value : [value]).map((role) => (isObject(role) ? role.name : role));
  return roles.filter((role) => typeof role === 'string');
}

function roleOf(member: Member): AdminClaim[] {
  const roles = rolesOf(member);
  if (roles.length === 0) return [];
  const isAdmin = roles.some((role) => (member.plain === 'groups' ? ADMIN_GROUP : ADMIN_ROLE).test(role));
  return [{ path: member.path, value: member.value, isAdmin, isWeak: !isAdmin }];
}

/** Finds the statement by its name: a flag such as is_admin wherever it is, else a role; undefined where none is recognised. */
export function adminClaim(json: unknown): AdminClaim | undefined {
  const members = membersOf(json);
  const plain = members.filter((member) => PLAIN_FLAG.test(member.plain)).flatMap(flagOf);
  const flags = members.flatMap(flagOf);
  const roles = members.flatMap(roleOf);
  return (
    plain[0] ?? flags.find(({ isAdmin }) => isAdmin) ?? flags[0] ?? roles.find(({ isAdmin }) => isAdmin) ?? roles[0]
  );
}

/** Words of names that say who the caller is, when, and how much there is: that differs between any two answers. */
const IDENTITY =
  /^(ids?|oid|tid|uid|uuid|guid|at|on|sub|iat|exp|nbf|subject|upn|login|owner|ur[il]|token|jti|hash|etag|nonce|cursor|count|total|number|size|page|limit|offset|issued|expires)$|.id$|mail|name|time|date|request|trace|correlation/;
const PERSON = /^(user|caller|account|actor|principal|person|me)$/;
const WORDS = /^\p{L}[\p{L}\s_,.!'-]{0,79}$/u;

/** What a member may say of administrators, in any shape; undefined where it is identity, scopes or a quantity. */
function statementOf(member: Member): unknown {
  const { name, plain, value } = member;
  const roles = rolesOf(member);
  if (roles.length > 0) return roles.toSorted();
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (typeof value === 'boolean') return value;
  if (words.some((word) => IDENTITY.test(word))) return undefined;
  if (typeof value === 'number')
    return value === 0 || value === 1 || /level|role|type|kind|tier|rank/.test(plain) ? value : undefined;
  if (typeof value !== 'string' || !WORDS.test(value)) return undefined;
  return PERSON.test(plain) && !/^admin(istrator)?$/i.test(value) ? undefined : value;
}

/** What an answer may say of its caller beyond scopes and identity: in it, an administrator and somebody else differ. */
export function statementsOf(json: unknown): string {
  const said = membersOf(json).map((member) => ({ name: member.path.join('.'), says: statementOf(member) }));
  const lines = said
    .filter(({ says }) => says !== undefined)
    .map(({ name, says }) => `${name}=${JSON.stringify(says)}`);
  return lines.toSorted().join('\n');
}
