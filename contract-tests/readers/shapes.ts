import { fieldsOf } from '../api/records.ts';
import { partsOfPat } from '../api/token-forms.ts';
import { loadGaps } from '../spec-data.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { isJwt } from '../values/jwt.ts';
import { Undetermined } from './reader.ts';
import { answerFor, learnTemplate, type Place, type Seen } from './shape-learner.ts';

// What is not known is never written down: it may be a credential.

const USER_FIELDS = Object.keys(fieldsOf('User'));
const hasAll = (object: JsonObject, members: readonly string[]): boolean =>
  members.every((member) => object[member] !== undefined);
const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));

/** The placeholder of a value of a sign-in's answer. */
function inGrant({ value }: Seen, { name }: Place): unknown[] {
  if (value === null || typeof value === 'boolean') return [value];
  if (typeof value === 'number') return /expires?_?in|lifetime|ttl/i.test(name) ? ['${expiresIn}'] : [];
  if (isObject(value)) return hasAll(value, USER_FIELDS) ? ['${user}'] : [];
  if (typeof value !== 'string') return [];
  if (/refresh/i.test(name)) return ['${refreshToken}'];
  if (isJwt(value) || /^(?:access_?)?token$/i.test(name)) return ['${accessToken}'];
  if (/expires/i.test(name) && !Number.isNaN(Date.parse(value))) return ['${expiresAt}'];
  return /^[A-Za-z]{1,12}$/.test(value) && /type|kind|scope/i.test(name) ? [value] : [];
}

/**
 * The shape of a sign-in's answer: as a profile names it, or written out. Where members beyond those are not known, the
 * fullest named shape whose members are all there.
 */
export function grantShape(gapId: string, grant: JsonObject): unknown {
  try {
    return answerFor(gapId, { template: learnTemplate([grant], { candidates: inGrant }) });
  } catch (error) {
    const { shapes = {} } = loadGaps().find(({ id }) => id === gapId) ?? {};
    const named = Object.entries(shapes).map(([name, { template }]) => ({
      name,
      members: Object.keys(template as object),
    }));
    const [fullest] = named
      .filter(({ members }) => hasAll(grant, members))
      .toSorted((a, b) => b.members.length - a.members.length);
    if (fullest && error instanceof Undetermined) return fullest.name;
    throw new Undetermined(`it answers ${Object.keys(grant).join(', ')}: ${(error as Error).message}`);
  }
}

/** What each field of the login means: by the user who signs in, else by its name. */
export function loginShape(login: Record<string, string>, user: JsonObject | undefined): unknown {
  const meaningOf = ([name, value]: [string, string]): string => {
    if (/pass|secret|pin$/i.test(name)) return '${password}';
    if (value === user?.email || value.includes('@')) return '${email}';
    return value === user?.username || /user|login|name|account|identifier/i.test(name) ? '${username}' : '${any}';
  };
  const meanings = Object.entries(login).map((field) => [field[0], meaningOf(field)]);
  const whole = meanings.filter(([, meaning]) => meaning !== '${any}');
  if (whole.length !== 2) throw new Undetermined(`the login accepts ${Object.keys(login).join(', ')}`);
  return answerFor('login-request', { template: Object.fromEntries(meanings) });
}

/** The placeholder of a value of the answer that holds a new PAT. */
function inPat({ value }: Seen, { name }: Place, sent: JsonObject): unknown[] {
  if (/expires/i.test(name) && (value === null || isTime(value))) return ['${expiresAt}'];
  if (value === null || typeof value === 'boolean') return [value];
  if (Array.isArray(value)) {
    const areNames = value.every((item) => typeof item === 'string') && /scope|abilit|permission/i.test(name);
    return areNames ? ['${scopes}'] : value.length === 0 ? [value] : [];
  }
  if (typeof value !== 'string') return [];
  if (partsOfPat(value)) return ['${token}'];
  if (Object.values(sent).includes(value) || /^(?:name|label|title|description)$/i.test(name)) return ['${name}'];
  if (/(?:created|updated|issued)/i.test(name) && isTime(value)) return ['${createdAt}'];
  return /^(?:id|token_?id|key_?id)$/i.test(name) ? ['${id}'] : [];
}

/** The shape of the answer that holds a new PAT: as a profile names it, or written out. */
export const patShape = (made: JsonObject, sent: JsonObject): unknown =>
  answerFor('pat-create-response', {
    template: learnTemplate([made], { candidates: (seen, place) => inPat(seen, place, sent) }),
  });

/** The body that a new PAT was requested with, its values taken for what they mean. */
export function patRequestShape(sent: JsonObject): unknown {
  const members = Object.entries(sent).map(([name, value]) => {
    const meaning = Array.isArray(value) ? '${scopes}' : typeof value === 'number' ? '${days}' : '${name}';
    return [name, meaning];
  });
  const template = Object.fromEntries(members) as Record<string, string>;
  // Scopes may be added where they are not needed: nothing shows otherwise.
  if ('name' in template && !('scopes' in template)) template['scopes?'] = '${scopes}';
  return answerFor('pat-create-request', {
    template: members.length === 0 ? { 'name?': '${name}', 'scopes?': '${scopes}' } : template,
  });
}

/** The seconds that a PAT lives, by when it expires and when it was made; 0: for ever; undefined: the answer does not say. */
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

/** Members that name a scope within its record, the likeliest first. */
const NAME_MEMBERS = ['name', 'key', 'scope', 'id', 'value', 'code', 'slug'];

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

/** The answer to one caller. */
export interface ScopesAnswer {
  body: unknown;
  isAdmin: boolean;
}

/**
 * The shape of the scopes answer: as a profile names it, or written out. What differs between administrator and member
 * tells them apart; with one of them only, the name of the member does.
 */
export function scopesShape(answers: readonly ScopesAnswer[]): unknown {
  const bodies = answers.map(({ body }) => body);
  const both = new Set(answers.map(({ isAdmin }) => isAdmin)).size > 1;
  const nameMember = nameMemberIn(bodies);
  const candidates = ({ value, sample }: Seen, { name, inList }: Place): unknown[] => {
    if (typeof value === 'boolean' && !inList) {
      const tellsAdmin = value === answers[sample]?.isAdmin && (both || /admin/i.test(name));
      return [...(tellsAdmin ? ['${isAdmin}'] : []), value];
    }
    if (typeof value === 'boolean' || value === null) return [value, false];
    if (typeof value === 'number') return [value, 0];
    if (typeof value !== 'string' || !inList) return [];
    return nameMember === undefined || name === nameMember ? ['${scope}'] : ['${description}'];
  };
  return answerFor('scopes-response', { template: learnTemplate(bodies, { candidates }) });
}

/** The member that names a scope, where scopes are records; undefined where they are their names. */
function nameMemberIn(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const inside: unknown[] = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    const record = Array.isArray(value) ? value.find(isObject) : undefined;
    const found = record ? NAME_MEMBERS.find((member) => typeof record[member] === 'string') : nameMemberIn(inside);
    if (found !== undefined) return found;
  }
  return undefined;
}
