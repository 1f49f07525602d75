import { isDeepStrictEqual } from 'node:util';
import { LAX_FORM_NAMES, type LaxForm } from '../api/lax-forms.ts';
import { OPERATIONS } from '../api/operations.ts';
import { distinct, fieldsOf, type RecordName } from '../api/records.ts';
import { partsOfPat } from '../api/token-forms.ts';
import { findPats, refreshTokenIn } from '../api/tokens-in-answers.ts';
import { type Entry, isOk, jsonIn, type Log, objectIn, sentObject, sentOf, statusOf } from '../log/entry.ts';
import { GAP_ROWS, type GapRow } from '../plan/gaps.ts';
import { TITLE_LENGTHS, titleOf } from '../plan/questions.ts';
import { gapOf, loadGaps } from '../spec-data.ts';
import { jsonOf } from '../values/answer.ts';
import { asText, canonical, findStrings, isObject, type JsonObject, memberOf } from '../values/json.ts';
import { errors } from './errors.ts';
import { askerOf, claimsOf } from './questions.ts';
import {
  isRefusedAsInvalid,
  type Look,
  listOf,
  named,
  one,
  type Read,
  readerOf,
  unanswered,
  undetermined,
  unexpected,
} from './reader.ts';
import { learned, learnTemplate, looksSecret, scopesShape, shapeBy, valuesAt } from './shapes.ts';

/** The answers of the token scopes to callers of whom it is known whether they are administrators: these come first. */
function scopesIn(look: Look): { body: unknown; isAdmin: boolean }[] {
  look.any('scopes-as-member');
  return (['admin', 'member'] as const).flatMap((asker) => {
    const answers = look.any('scopes').filter((entry) => isOk(entry) && askerOf(entry, look.log) === asker);
    return answers.map((entry) => ({ body: jsonIn(entry), isAdmin: asker === 'admin' }));
  });
}

const successesIn = (look: Look, question: string) => look.any(question).filter(isOk).flatMap(jsonIn).filter(isObject);

function valuesOf(look: Look, field: 'provider' | 'status'): string[] {
  listOf(look.success('keys'));
  const values = successesIn(look, 'keys')
    .map((key) => key[field])
    .filter((value) => typeof value === 'string');
  return [...new Set(values)].toSorted();
}

/** Whether the recording was changed by an update without any field; undefined where the log does not tell. */
function touches(look: Look, entry: Entry): 'accept' | 'unchanged' | undefined {
  const before = look.log.entries.findLast(
    (each) => each.n < entry.n && each.operation === 'recording' && each.path === entry.path && isOk(each),
  );
  const [earlier, later] = [before && objectIn(before).updated_at, objectIn(entry).updated_at];
  // Processing changes a recording, too.
  if (!before || later === undefined || objectIn(before).status !== objectIn(entry).status) return undefined;
  look.by.add(before);
  if (earlier !== later) return 'accept';
  // Times may be written in whole seconds.
  return entry.startedAt - before.startedAt > 1000 ? 'unchanged' : undefined;
}

/** Whether a recording is an actor's: by the user_id that its updates answer, and the user who signed in; undefined where these do not tell. */
function isOf(actor: 'admin' | 'member', recording: Entry, { entries, actors }: Log): boolean | undefined {
  const [owner, claims] = [objectIn(recording).user_id, canonical(actors[actor]?.sso)];
  const signIn = entries.find(
    (entry) => entry.operation === 'sso' && isOk(entry) && canonical(sentOf(entry)) === claims,
  );
  const user = signIn && objectIn(signIn).user;
  return owner === undefined || !isObject(user) ? undefined : user.id === owner;
}

/** Whether an administrator may update another user's recording; undefined where nothing shows it. */
function mayAsAdministrator(look: Look): boolean | undefined {
  const [update, ofOther] = [look.success('update'), look.any('update-other')];
  if ([update, ...ofOther].some((entry) => isOk(entry) && isOf('admin', entry, look.log) === false)) return true;
  return ofOther.some((entry) => !isOk(entry) && !isRefusedAsInvalid(entry)) ? false : undefined;
}

/** How member's update of another user's recording is answered. */
function foreignRecording(look: Look): 'forbid' | 'hide' | 'allow' {
  const isMembers = isOf('member', look.success('update'), look.log) === true;
  const ofOther = look.any('update-other').some((entry) => isOk(entry) && isOf('member', entry, look.log) === false);
  if (isMembers && !ofOther)
    undetermined("the recording is member's own (user_id), and admin may update it as an administrator");
  const foreign = look.take(isMembers ? 'update-other-as-member' : 'update-as-member');
  if (isOk(foreign)) return 'allow';
  const status = statusOf(foreign);
  const forbidden = look.forbiddenStatus();
  const isForbidding = status === 403 || status === forbidden;
  // Where it does not look like what admin gets for an unknown one, member need not ask for that as well.
  if (isForbidding && status !== statusOf(look.take('update-unknown'))) return 'forbid';
  const other = statusOf(look.take('update-unknown-as-member'));
  // It looks like an unknown one. Where that is what "not permitted" looks like as well, 404 is called hidden.
  if (status === other && (status === 404 || (forbidden !== undefined && status !== forbidden))) return 'hide';
  if (status === forbidden || (isForbidding && status !== other)) return 'forbid';
  return undetermined(`it is refused with ${status}, an unknown recording with ${other}`);
}

const titleLength = (entry: Entry): number => [...asText(sentObject(entry).title)].length;

/** The limits that the text of a refusal names. */
const STATED_LIMITS = /(?:most|than|max|maximum|up to|exceed|exceeds|limit)\D{0,12}(\d{1,4})(?!\d)/gi;
const STATED_LENGTHS = /\b(\d{1,4})\W{0,3}(?:char|letter)/gi;

const statedLengths = ({ answer: { response } }: Entry): number[] =>
  [STATED_LIMITS, STATED_LENGTHS].flatMap((pattern) =>
    [...response.body.matchAll(pattern)].map(([, length]) => Number(length)),
  );

/** Every record of part 2 that the log shows: who signs in, the API keys, the recording. */
function recordsIn(look: Look): readonly (readonly [RecordName, JsonObject[]])[] {
  const grants = successesIn(look, 'sso');
  const signedIn = look.log.isPartial ? [...grants, ...successesIn(look, 'login')] : grants;
  const records = [
    ['TokenGrant', grants],
    ['User', signedIn.map(({ user }) => user).filter(isObject)],
    ['TenantApiKey', successesIn(look, 'keys')],
    ['Recording', successesIn(look, 'update')],
  ] as const;
  return records.some(([, { length }]) => length > 0) ? records : undetermined('no record was seen');
}

function typesOf({ value }: { value: unknown }): string[] {
  if (typeof value === 'object') return value === null ? ['null'] : [];
  return [typeof value === 'string' && formOf(value) ? 'date-time' : typeof value];
}

function formOf(time: string): { digits: number; offset: string } | undefined {
  const [, fraction = '', offset] = /T\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  return offset === undefined ? undefined : { digits: fraction.length, offset };
}

const codeOf = (look: Look, question: string): number | undefined =>
  one('the same request succeeds', look.any(question).filter(isOk).map(statusOf));

const LIMITS = ['ratelimit-limit', 'x-ratelimit-limit', 'x-rate-limit-limit', 'ratelimit-policy', 'ratelimit'];

/** What the headers of an answer state of the limit: how many requests in how many seconds, where they say that. */
function limitIn({ answer: { response } }: Entry): { limit: number; window?: string }[] {
  const stated = LIMITS.map((name) => memberOf(response.headers, name) ?? '').join(';');
  const limit = /(?:^|[;,\s]|limit=|q=)(\d+)(?=$|[;,\s])/.exec(stated)?.[1];
  return limit === undefined ? [] : [{ limit: Number(limit), window: /\bw(?:indow)?=(\d+)/.exec(stated)?.[1] }];
}

/** What becomes of a path with a slash at its end, a redirect to the path without it as its status; undefined where the client followed one. */
function slashIn(look: Look, entry: Entry | undefined): 'same' | 'not-found' | number | undefined {
  if (!entry || entry.answer.followed) return undefined;
  if (isOk(entry)) return 'same';
  const { request, response } = entry.answer;
  const { location = '' } = response.headers;
  const to = URL.canParse(location, request.url) ? new URL(location, request.url).pathname : '';
  if (`${to}/` === new URL(request.url).pathname) return statusOf(entry);
  return isOfKind('like unknown-path', entry, look) ? 'not-found' : unexpected(entry);
}

/** What reads the answers that a row of the model does not give by itself. */
const answers: Readonly<Record<string, Read>> = {
  // Single sign-on (4.1), the password login, the exchange of refresh tokens and PATs (5), and token scopes (4.4).
  'sso-required-claims': (look) =>
    ['oid', 'tid', 'upn'].filter((claim) => {
      if (memberOf(claimsOf(look.log), claim) === undefined) return undetermined(`actors.admin.sso has no ${claim}`);
      const entry = look.take(`sso-without-${claim}`);
      return !isOk(entry) && (statusOf(entry) < 500 || unexpected(entry));
    }),
  // The fields are those of the target file: that the login with them succeeds shows that they are right.
  'login-request': (look) => {
    const entry = look.take('login');
    if (!isOk(entry)) unexpected(entry);
    const shape = shapeBy('login-request', sentObject(entry));
    const whole = Object.values(shape.template as JsonObject).filter((meaning) => meaning !== '${any}');
    if (whole.length === 2) return learned(shape, '${password}');
    return undetermined(`the login accepts ${Object.keys(sentObject(entry)).join(', ')}`);
  },
  'refresh-path': (look) => look.take('refresh').path,
  'refresh-request': (look) => {
    const { template } = look.take('refresh').refresh ?? {};
    if (!template) return 'bearer-header';
    // What else is sent may be a secret of a client.
    const others = Object.entries(template).filter(([, value]) => value !== '${refreshToken}');
    if (others.some(([name, value]) => name !== 'grant_type' || value !== 'refresh_token'))
      return undetermined(`it is sent with ${others.map(([name]) => name).join(', ')}`);
    return { template };
  },
  'refresh-rotation': (look) => {
    look.any('refresh');
    const again = look.take('refresh-again');
    if (statusOf(again) >= 500) unexpected(again);
    const { token, exchanged } = again.refresh ?? {};
    const next = exchanged && refreshTokenIn(exchanged);
    const isNew = next !== undefined && next !== token;
    if (isOk(again)) return isNew ? 'add' : 'reuse';
    if (isNew) return 'rotate';
    return undetermined('the token is refused the second time, but the first answer carried no new one');
  },
  // What expires_in says; a rule compares it with the JWT.
  'access-token-lifetime': (look) => {
    const lifetime = objectIn(look.take('sso')).expires_in;
    return Number.isInteger(lifetime) ? lifetime : undetermined('the SSO login states no lifetime');
  },
  'pat-create-request': (look) => {
    const made = look.success('pat');
    const sent = sentObject(made);
    const leaner = look.any('pat').filter((entry) => entry.n < made.n && isRefusedAsInvalid(entry));
    // The leanest bodies come first, so what precedes the success was refused.
    if (Object.keys(sent).length > 0 && !leaner.some((entry) => Object.keys(sentObject(entry)).length === 0))
      return undetermined('no smaller body was tried before a PAT was made');
    const { template } = shapeBy('pat-create-request', sent);
    // Scopes may be added where they are not needed: nothing shows otherwise.
    const optional = {
      ...(Object.keys(sent).length === 0 && { 'name?': '${name}' }),
      ...(!('scopes' in sent) && (Object.keys(sent).length === 0 || 'name' in sent) && { 'scopes?': '${scopes}' }),
    };
    return { template: { ...(template as JsonObject), ...optional } };
  },
  'unknown-scope': (look) => {
    const odd = look.take('pat-unknown-scope');
    if (isOk(odd)) return 'accept';
    // It may take no scopes at all.
    return isRefusedAsInvalid(odd) && isOk(look.take('pat-known-scopes')) ? 'refuse' : unexpected(odd);
  },
  'pat-prefix': (look) => {
    const made = look.success('pat');
    const ids = findStrings(jsonIn(made)).flatMap(({ path, value }) => (path.at(-1) === 'id' ? [value] : []));
    const head = partsOfPat(findPats(made.answer)[0] ?? '')?.head.slice(0, -1) ?? '';
    // The id, where the answer has it, shows where the prefix ends.
    const id = ids.find((each) => head.endsWith(`_${each}`));
    const [prefix = '', ...others] = id === undefined ? head.split('_') : [head.slice(0, -id.length - 1), id];
    return others.length === 1 ? prefix : undetermined('the PAT has more than one underscore before its secret');
  },
  'pat-lifetime': (look) => {
    const made = jsonIn(look.success('pat'));
    const { template } = shapeBy('pat-create-response', made as JsonObject);
    const [[expires], [created]] = [valuesAt('${expiresAt}', template, made), valuesAt('${createdAt}', template, made)];
    if (expires === null) return 0;
    const seconds = (Date.parse(asText(expires)) - Date.parse(asText(created))) / 1000;
    return seconds > 0 ? Math.round(seconds) : undetermined('the answer does not say when the PAT expires');
  },
  'scopes-path': (look) => {
    const entry = look.success('scopes');
    return jsonIn(entry) !== undefined ? entry.path : undetermined(`${entry.path} is not answered with JSON`);
  },
  'scopes-response': (look) => {
    const answered = scopesIn(look);
    if (answered[0]?.isAdmin) return learned(scopesShape(answered), '${scope}', '${isAdmin}');
    return undetermined('nothing shows what an administrator is answered');
  },
  'scope-values': (look) => {
    // Every scope is available to an administrator, so what admin sees is all.
    const answered = scopesIn(look).filter(({ isAdmin }) => isAdmin);
    const found = answered.flatMap(({ body }) => valuesAt('${scope}', scopesShape(answered).template, body));
    const names = [...new Set(found)].filter((name) => typeof name === 'string');
    if (names.length === 0 || names.some((name) => /\s/.test(name)))
      return undetermined('no scope was recognised in what an administrator is answered');
    if (names.some(looksSecret)) return undetermined('a scope looks like a credential');
    return names.toSorted();
  },
  // A tenant's API keys (4.3): their vocabularies and filters, who may list which, and how many at a time.
  'provider-values': (look) => {
    // The document says that there are seven, so fewer do not answer the question.
    const seen = valuesOf(look, 'provider');
    if (seen.length === 7) return seen;
    return undetermined(`${seen.length} of seven are known: ${seen.join(', ') || 'none is listed'}`);
  },
  'key-status-values': (look) => {
    const seen = valuesOf(look, 'status');
    if (seen.length === 0) return undetermined('no API key is listed');
    if (seen.some(looksSecret)) return undetermined('a status looks like a credential');
    look.fits = (other) => Array.isArray(other) && seen.every((value) => other.includes(value));
    look.remark = "at least these: those of the target's API keys";
    return seen;
  },
  pagination: (look) => {
    const { length } = listOf(look.success('keys'));
    if (length < 2) return undetermined(`pages show only with two API keys or more; there are ${length}`);
    // The second page shows alone that neither parameter is used, where it is the whole list.
    const withUnknown = look.take('keys-later-page-unknown');
    const later = isRefusedAsInvalid(withUnknown) ? look.take('keys-later-page') : withUnknown;
    // Parameters that are refused like any unknown one divide nothing.
    if (isRefusedAsInvalid(later) && isRefusedAsInvalid(look.take('keys-unknown-parameter'))) return 'none';
    const hasNext = /rel="?next/.test(later.answer.response.headers.link ?? '');
    if (listOf(later).length === length && !hasNext) return 'none';
    const lists = [look.take('keys-first-page'), later].map(listOf);
    // Pages that begin at the same key have a size, but no offset.
    const [first, second] = lists.map(([key]) => (isObject(key) ? key.id : key));
    if (lists.every((list) => list.length === 1) && first !== second) return 'limit-offset';
    return undetermined(`of ${length} API keys the pages have ${lists.map((list) => list.length).join(' and ')}`);
  },
  'forbidden-status': (look) => {
    const entry = look.take('keys-as-member');
    if (!isOk(entry) && look.isGoodMember(entry)) return statusOf(entry);
    if (!isOk(entry))
      undetermined('the refusal may be due to the credentials of member: they are refused elsewhere too');
    const [foreign] = look.any('keys-other-tenant', 1);
    // A 404 may be about the tenant rather than about what the caller may do.
    if (foreign && [401, 403].includes(statusOf(foreign))) return statusOf(foreign);
    return undetermined('member may list the API keys, so nothing is known that is forbidden');
  },
  // Updates of recordings (4.2), and what all operations share: success codes, the form of times, more fields, limits.
  'empty-update': (look) => {
    const empty = look.any('update-empty');
    const found = empty.flatMap((entry) => {
      if (isOk(entry)) return touches(look, entry) ?? [];
      return isRefusedAsInvalid(entry) ? 'refuse' : unexpected(entry);
    });
    return one('it is answered', found) ?? unanswered('update-empty');
  },
  'unknown-field': (look) => {
    const update = readBy('unknown-field', GAP_ROWS['unknown-field'] ?? {})(look);
    const others = ['sso', 'login', 'pat'] as const;
    const found = others.flatMap((operation) => {
      const entry = look.maybe(`${operation}-unknown-field`);
      const answer = entry && (isOk(entry) ? 'ignore' : isRefusedAsInvalid(entry) ? 'refuse' : undefined);
      return answer ? [[OPERATIONS[operation].id, answer] as const] : [];
    });
    const seen = [...found, ['updateRecording', update] as const];
    const assumed = (other: unknown, id: string) =>
      (isObject(other) ? memberOf(other, id) : id === 'updateRecording' && other) || 'ignore';
    look.fits = (other) => seen.every(([id, answer]) => assumed(other, id) === answer);
    return found.some(([, answer]) => answer === 'refuse') ? Object.fromEntries(seen) : update;
  },
  'title-length': (look) => {
    const [longest] = TITLE_LENGTHS;
    const titles = look.any(titleOf(longest));
    const refusals = titles.filter((entry) => isRefusedAsInvalid(entry));
    const accepted = Math.max(0, ...titles.filter(isOk).map(titleLength));
    const refused = Math.min(Number.POSITIVE_INFINITY, ...refusals.map(titleLength));
    if (accepted >= refused)
      return undetermined(`of titles, ${accepted} characters are accepted, and ${refused} refused`);
    if (refusals.length === 0) return accepted < longest ? unanswered(titleOf(longest)) : 'none';
    const stated = refusals.flatMap(statedLengths).find((length) => length >= accepted && length < refused);
    const next = TITLE_LENGTHS.find((length) => length < refused && length > accepted);
    if (stated !== undefined || accepted === refused - 1) return stated ?? accepted;
    if (next !== undefined) unanswered(titleOf(next));
    if (accepted === 0) return undetermined(`titles of ${refused} characters are refused`);
    look.remark = `at least ${accepted}, and fewer than ${refused}`;
    look.fits = (other) => typeof other === 'number' && other >= accepted && other < refused;
    return accepted;
  },
  'foreign-recording': (look) => {
    const answer = foreignRecording(look);
    if (answer === 'allow') return answer;
    const forAdministrators = answer === 'hide' ? 'administrators-else-hide' : 'administrators';
    const may = mayAsAdministrator(look);
    if (may === true) return forAdministrators;
    if (may === undefined) {
      look.remark = 'whether administrators may is not shown, so it is taken as refused';
      look.fits = (other) => other === forAdministrators;
    }
    return answer;
  },
  'missing-body': (look) => {
    const update = look.maybe('update-no-body');
    if (update && isOk(update)) return 'empty-object';
    const answer = readBy('missing-body', GAP_ROWS['missing-body'] ?? {})(look);
    // Where {} is refused, a body that is taken for it looks like one that is invalid.
    look.fits = (other) => !update && answer === 'validation' && other === 'empty-object';
    return answer;
  },
  'success-codes': (look) => {
    // SSO makes nothing that is kept, PAT creation does.
    const { isPartial } = look.log;
    const [sso, pat] = [codeOf(look, 'sso'), codeOf(look, 'pat')];
    const login = isPartial ? codeOf(look, 'login') : undefined;
    const all = { ssoLogin: sso, login, createApiToken: pat };
    const codes = Object.entries(all).filter(([, code]) => code !== undefined);
    if (codes.length < (isPartial ? 1 : 2)) undetermined('no SSO login, or no creation of a PAT, succeeds');
    const others = ['scopes', 'keys', 'update'].flatMap((question) => codeOf(look, question) ?? []);
    if ((one('reads and updates succeed', others) ?? 200) !== 200) undetermined(`others succeed with ${others[0]}`);
    const usual = named('success-codes', { ssoLogin: sso, createApiToken: pat });
    return typeof usual === 'string' && (login ?? sso) === sso ? usual : Object.fromEntries(codes);
  },
  'timestamp-form': (look) => {
    const records = recordsIn(look).flatMap(([, each]) => each);
    const times = records
      .flatMap((each) => [each.created_at, each.updated_at])
      .filter((time) => typeof time === 'string');
    const form = one('date-times are written', times.map(formOf));
    return form ?? undetermined(`date-times are written in another form: ${times[0]}`);
  },
  // Each with the type of its value, never the value itself.
  'extra-fields': (look) => {
    const extras = recordsIn(look).map(([type, records]) => {
      const { template } = learnTemplate(records, (record) => record, typesOf);
      const members = Object.entries(JSON.parse(JSON.stringify(template).replaceAll('?":', '":')) as JsonObject);
      return [type, Object.fromEntries(members.filter(([name]) => !Object.hasOwn(fieldsOf(type), name)))] as const;
    });
    return Object.fromEntries(extras.filter(([, members]) => Object.keys(members).length > 0));
  },
  'rate-limit': (look) => {
    const { entries, isPartial, isLimited } = look.log;
    for (const question of ['keys', 'scopes']) look.any(question);
    const stated = one('requests are limited', entries.filter(isOk).flatMap(limitIn));
    if (stated?.window !== undefined) return Math.round((stated.limit * 60) / Number(stated.window));
    if (stated) undetermined(`no header says in which time ${stated.limit} requests are allowed`);
    // A limit that no header states and no request meets cannot be observed: it counts as none, in a run.
    if (!isPartial && !isLimited) return 0;
    return undetermined('no header says to how many requests the target limits its callers');
  },
  'trailing-slash': (look) => {
    const seen = [look.take('keys-with-slash'), look.maybe('update-with-slash')].map((entry) => slashIn(look, entry));
    const [get = seen[1], others = get] = seen;
    if (typeof get === 'number' && typeof others === 'number') return { get, others };
    return one('it is answered', [get, others]) ?? undetermined('the redirect of a GET was followed');
  },
  'lax-tokens': (look) => {
    const seen = new Map<LaxForm, boolean>();
    const isControl = (control: Entry, { operation, credential: { token } }: Entry): boolean =>
      isOk(control) && control.operation === operation && control.credential.token === token;
    for (const form of LAX_FORM_NAMES) {
      const entry = look.maybe(form);
      const isKnown = entry && (isOk(entry) || look.log.entries.some((control) => isControl(control, entry)));
      if (isKnown) seen.set(form, isOk(entry));
    }
    const unseen = LAX_FORM_NAMES.filter((form) => !seen.has(form));
    if (seen.size === 0) unanswered(LAX_FORM_NAMES[0]);
    if (unseen.length > 0) look.remark = `not shown, as assumed: ${unseen.join(', ')}`;
    look.fits = (other) => Array.isArray(other) && [...seen].every(([form, is]) => other.includes(form) === is);
    const assumed = gapOf('lax-tokens').default as LaxForm[];
    return LAX_FORM_NAMES.filter((form) => seen.get(form) ?? assumed.includes(form));
  },
  ...errors,
};

/** Whether the listed keys have these values of a filter, each of them, and no other. */
function listsOnly(entry: Pick<Entry, 'answer'>, wanted: Entry['query']): boolean {
  const keys = jsonOf(entry.answer);
  const [[field = ''] = []] = wanted;
  const values = Array.isArray(keys) && distinct(keys.filter(isObject), field).toSorted();
  return isDeepStrictEqual(values, wanted.map(([, value]) => value).toSorted());
}

/** Kinds of answers that the rows of the model name, beyond a status and `like` another question. */
const KINDS: Readonly<Record<string, (entry: Entry, look: Look) => boolean>> = {
  ok: isOk,
  invalid: isRefusedAsInvalid,
  refused: (entry) => !isOk(entry) && statusOf(entry) < 500,
  empty: (entry) => isOk(entry) && listOf(entry).length === 0,
  listed: (entry) => isOk(entry) && listOf(entry).length > 0,
  title: (entry) => isOk(entry) && Boolean(objectIn(entry).title),
  'title as sent': (entry) => isOk(entry) && objectIn(entry).title === asText(sentObject(entry).title),
  'of the first': ({ query, ...entry }) => listsOnly(entry, query.slice(0, 1)),
  'of the last': ({ query, ...entry }) => listsOnly(entry, query.slice(-1)),
  'of both': ({ query, ...entry }) => listsOnly(entry, query),
  // Of a recording it is not known whose tenant that is.
  'refused to member': (entry, look) =>
    [401, 403, 404].includes(statusOf(entry)) &&
    look.isGoodMember(entry) &&
    entry.resource === look.log.resources?.tenantId,
  forbidden: (entry, look) => statusOf(entry) === 403 || statusOf(entry) === look.forbiddenStatus(),
};

function isOfKind(kind: string, entry: Entry, look: Look): boolean {
  const [, like] = kind.split('like ');
  if (like !== undefined) return look.any(like, 1).some((other) => statusOf(other) === statusOf(entry));
  return memberOf(KINDS, kind)?.(entry, look) ?? statusOf(entry) === Number(kind);
}

/** The answer that a row of the model gives by itself: by kinds of answers, by the members of a body, else a status. */
const readBy =
  (gap: string, { shows = {}, main, asks = [], may = [] }: GapRow): Read =>
  (look) => {
    if (main !== undefined)
      return learned(shapeBy(gap, jsonIn(look.success(asks[0] ?? '')) as JsonObject), `\${${main}}`);
    for (const [question, kinds] of Object.entries(shows)) {
      const entry = look.take(question);
      const found = kinds.find(([kind]) => isOfKind(kind, entry, look));
      if (found) return found[1];
      if (question === Object.keys(shows).at(-1)) unexpected(entry);
    }
    const asked = [...asks, ...may].flatMap((question) => look.maybe(question) ?? []);
    return one('it is refused', asked.map(statusOf)) ?? undetermined('nothing was refused');
  };

/** A reader for each gap that the model asks about, in the ledger's order. */
export const allReaders = loadGaps().flatMap(({ id }) => {
  const row = memberOf(GAP_ROWS, id);
  return row ? [readerOf(id, row, memberOf(answers, id) ?? readBy(id, row))] : [];
});
