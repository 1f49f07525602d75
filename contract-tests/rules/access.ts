import { OPERATIONS } from '../api/operations.ts';
import { findJwts, isExchanged, refreshTokenIn } from '../api/tokens-in-answers.ts';
import {
  type Credential,
  type Entry,
  FLAWS,
  type FlawKind,
  isContentRefused,
  isMaskIn,
  isOk,
  isRefused,
  jsonIn,
  type Log,
  PROTECTED,
  type ProtectedId,
  statusOf,
  type Way,
} from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { describe } from '../values/answer.ts';
import { findStrings, isObject } from '../values/json.ts';
import { once } from '../values/once.ts';
import { describeSent, isMild, listedKeys } from './documented.ts';
import { REPORTED_BY } from './established.ts';
import { unnamedIn } from './recordings.ts';
import {
  answerOf,
  both,
  each,
  isOdd,
  type Judged,
  notSucceeded,
  of,
  open,
  type Rule,
  refused,
  rulesOf,
  shown,
  violated,
} from './rule.ts';
import { endedByOthers, isGood, isPast, mayHaveEnded, nameOf, ROUNDING_MS, usesOf } from './tokens.ts';

/** Which credentials protected operations accept and refuse (4.1, part 5). */

const KINDS = {
  jwt: { requirement: 'AUT-01', id: 'auth-accepts-jwt', what: 'a JWT access token' },
  pat: { requirement: 'AUT-02', id: 'auth-accepts-pat', what: 'a personal access token' },
  login: { requirement: 'AUT-08', id: 'login-accepted-by', what: `the JWT of ${OPERATIONS.login.name}` },
} as const;
type KindName = keyof typeof KINDS;

const kindName = ({ credential }: Entry): KindName =>
  credential.kind === 'pat' ? 'pat' : credential.issued?.way === 'login' ? 'login' : 'jwt';

/** Every operation accepts each kind of token: a refusal counts where the same user is let in with another token. */
const accepts = (kind: KindName, operation: ProtectedId): Rule['judge'] =>
  each(operation, (entry, log) => {
    if (!isGood(entry)) return [];
    const own = kindName(entry);
    // The JWT of a login is one, too.
    if (isOk(entry)) return own === kind || (kind === 'jwt' && own === 'login') ? shown(entry) : [];
    if (own !== kind) return [];
    if (statusOf(entry) === 401) return judgeUnknown(log, entry, kind);
    return [403, 404].includes(statusOf(entry)) ? judgeForbidden(log, entry, kind) : [];
  });

/** A token that one operation does not know, and another one does. */
function judgeUnknown(log: Log, entry: Entry, kind: KindName): Judged {
  const { token = '', issued } = entry.credential;
  const uses = usesOf(log).get(token) ?? [];
  const accepted = uses.filter(isOk);
  // The operation knows it, where it only lacks a right there.
  const isKnown = uses.some((use) => use.operation === entry.operation && (isOk(use) || statusOf(use) === 403));
  // Who asks for what is another's may lack the right, and may be told so with 401 (gap forbidden-status).
  const mayLackRight = ['caller', 'recording', 'tenant'].some((input) => entry.asked?.odd.includes(input));
  if (isKnown || mayLackRight || isPast(entry, log)) return [];
  // A token that another operation accepts afterwards has not ended.
  const later = accepted.find(({ n }) => n > entry.n);
  const earlier = accepted.findLast(({ n }) => n < entry.n && !mayHaveEnded(log, n, entry));
  // A PAT that the target made itself is refused from the start, and a JWT of the same user is not.
  const isMade = kind === 'pat' && issued?.way === 'pat' && accepted.length === 0 && !endedByOthers(log, entry);
  const control = later ?? earlier ?? (isMade ? controlOf(log, entry) : undefined);
  if (!control || (log.isPartial && !later)) return [];
  return refused(`${nameOf(entry.operation)} refuses with 401 a token that another operation accepts.`, entry, control);
}

/** A token that an operation refuses for lack of a right, to a user whom another token lets in. */
function judgeForbidden(log: Log, entry: Entry, kind: KindName): Judged {
  const control = controlOf(log, entry);
  if (!control || kind === 'jwt' || log.isPartial || isOdd(entry)) return [];
  const [name, status] = [nameOf(entry.operation), statusOf(entry)];
  // A login may give fewer rights than SSO.
  if (kind === 'login') return open(`${name} was refused to the JWT of a login with ${status}: it may lack a right`);
  // The PAT may lack a scope, which is not documented, unless it was made with all.
  if (!/"(scopes|permissions|abilities)":\["/.test(entry.credential.issued?.answer.request.body ?? ''))
    return open(
      `${name} was refused to the PAT with ${status}: it may lack a scope; set actors.admin.pat to one that may do all that admin may`,
    );
  const message = `${name} refuses ${KINDS[kind].what} with ${status}, and accepts another token of the same user.`;
  return refused(message, entry, control);
}

/** The same request of the same user by a JWT of another kind, which was accepted. */
const controlOf = (log: Log, entry: Entry): Entry | undefined =>
  of(log, entry.operation).find(
    (other) =>
      isOk(other) &&
      isGood(other) &&
      other.credential.who !== undefined &&
      other.credential.who === entry.credential.who &&
      other.resource === entry.resource &&
      ![kindName(entry), 'pat'].includes(kindName(other)),
  );

const listedIds = once(
  (log: Log) => new Set(of(log, 'api-keys').flatMap((entry) => listedKeys(entry).map(({ id }) => String(id)))),
);

/** Whether a refusal holds a recording, or API keys that lists hold. */
function tellsData(entry: Entry, log: Log): boolean {
  const found = findStrings(jsonIn(entry), ['string', 'number']).map(({ path, value }) => ({
    name: path.at(-1) ?? '',
    value,
  }));
  const names = new Set(found.map(({ name }) => name));
  const isRecording = ['user_id', 'filename', 'created_at'].every((name) => names.has(name));
  return isRecording || found.some(({ name, value }) => name === 'id' && listedIds(log).has(value));
}

/** Each operation refuses each kind of bad credentials. A refusal counts only if valid credentials succeed. */
const refuses =
  (kind: FlawKind, operation: ProtectedId): Rule['judge'] =>
  (log) => {
    const name = nameOf(operation);
    const control = of(log, operation).find((entry) => isOk(entry) && isGood(entry));
    const hasHeaders = log.entries.some(({ answer }) => answer.request.headers.Authorization !== undefined);
    return of(log, operation).flatMap((entry): Judged => {
      const { flaw } = entry.credential;
      if (flaw?.kind !== kind || (kind === 'no-credentials' && entry.hasCookies)) return [];
      if (isOk(entry) && kind === 'no-credentials' && log.isPartial && !hasHeaders)
        return open(
          'the recording has no Authorization header at all, as exporters leave them out; export it with sensitive data',
        );
      if (isOk(entry) || (statusOf(entry) >= 500 && !log.isPartial && control)) {
        const message = `${name} ${isOk(entry) ? 'accepts' : 'fails on'} ${flaw.what}.`;
        return violated(message, 'a refusal (4xx)', answerOf(entry), entry);
      }
      if (!isRefused(entry)) return [];
      if (tellsData(entry, log)) {
        const message = `${name} refuses ${flaw.what}, and answers what it would have answered with valid credentials.`;
        return violated(message, 'a refusal without data', entry.answer.response.body, control, entry);
      }
      if (control || log.isPartial) return shown(control, entry);
      return open(`${name} does not succeed with valid credentials either, so a refusal shows nothing`);
    });
  };

/** Updates with a PAT, for the rules of recordings apply to every caller. */
const patUpdates = each('recording', (entry, log) => {
  if (kindName(entry) !== 'pat' || !isGood(entry)) return [];
  if (isOk(entry)) return shown(entry);
  const control = controlOf(log, entry);
  const isNamed = unnamedIn(entry, log).length === 0;
  if (log.isPartial || !isMild(entry) || !isContentRefused(entry) || !control || !isNamed) return [];
  return refused(`${describeSent(entry)} does not succeed, and does with a JWT of the same user.`, entry, control);
});

/** What a way of signing in hands out is accepted by some protected operation. */
const works =
  (what: string, isOf: (credential: Credential, way: Way | undefined) => boolean): Rule['judge'] =>
  (log) =>
    [...usesOf(log).values()].flatMap((uses): Judged => {
      const own = uses.filter(({ credential }) => isOf(credential, credential.issued?.way));
      const accepted = own.find(isOk);
      if (accepted) return shown(accepted);
      // A 403 decides nothing: who may do what is not documented.
      const unauthorized = own.filter((entry) => statusOf(entry) === 401 && !isPast(entry));
      const [first] = unauthorized;
      const isDecided = own.every((entry) => [401, 403, 404].includes(statusOf(entry)));
      if (!first || !isDecided || endedByOthers(log, first)) return [];
      const names = [...new Set(unauthorized.map(({ operation }) => nameOf(operation)))].join(', ');
      const actual = unauthorized.map((entry) => `${nameOf(entry.operation)}: ${describe(entry.answer)}`).slice(0, 4);
      const message = `${what} is accepted by no protected operation.`;
      return violated(message, `a success (2xx) at one of ${names}`, actual, first);
    });

function judgeLogin(entry: Entry, log: Log): Judged {
  const { name } = OPERATIONS.login;
  const status = statusOf(entry);
  if (!isOk(entry)) {
    if (log.isPartial || !isMild(entry)) return [];
    if (status >= 500 || status === 404) return notSucceeded(name, entry);
    const reason = `${name} refused the body with ${status}. ${REPORTED_BY.login.hint}`;
    return isContentRefused(entry) ? open(reason) : [];
  }
  if (!entry.hasBody || findJwts(entry.answer).length > 0) return [];
  const json = jsonIn(entry);
  const strings = findStrings(json);
  if (strings.some(({ value }) => isMaskIn(entry, value)))
    return open('what the login handed out was masked in the recording');
  // It may be handed out in a cookie of another form, or in a second step: the response is not shown.
  if (isObject(json) && !strings.some(({ path }) => /token|jwt|bearer/i.test(path.join('.'))))
    return open(`${name} succeeded, and nothing in its answer is called a token; what it answers is not shown`);
  return violated(`${name} succeeded without yielding a JWT.`, 'a JWT access token', entry.answer.response.body, entry);
}

function judgeCreation(entry: Entry, log: Log): Judged {
  if (isOk(entry)) return [];
  const { name } = OPERATIONS.pat;
  const status = statusOf(entry);
  // It is sent once, since nothing removes what it makes: a gateway's answer may have passed.
  const isFailure = [404, 405].includes(status) || (status >= 500 && ![502, 503, 504].includes(status));
  if (!log.isPartial && entry.credential.kind === 'jwt' && isFailure) return notSucceeded(name, entry);
  return open(`${name}, whose body is not documented, was answered ${describe(entry.answer)}; set actors.admin.pat`);
}

/** The sign-in that handed out the refresh token of an exchange. */
const signInOf = (log: Log, { refresh }: Entry): Entry | undefined =>
  refresh && of(log, 'sso').find((entry) => refreshTokenIn(entry.answer) === refresh.token);

function judgeExchange(log: Log, entry: Entry): Judged {
  const signIn = signInOf(log, entry);
  if (!signIn || entry.refresh?.exchanged) return [];
  if (isExchanged(entry.answer)) {
    const [known, given] = [findJwts(signIn.answer), findJwts(entry.answer)];
    const after = entry.startedAt - signIn.endedAt;
    // Within a second, a new one may be the same.
    if (given.length === 0 || given.some((token) => !known.includes(token)) || after < ROUNDING_MS) return [];
    const message = `The refresh token was exchanged for the access token of the sign-in ${(after / 1000).toFixed(1)} s before.`;
    return violated(message, 'a new access token', 'the same access token', signIn, entry);
  }
  if (![400, 401, 403, 422].includes(statusOf(entry))) return [];
  // The path and the form are right where an older refresh token of the same user is exchanged in the same way afterwards.
  const older = log.entries.find((other) => {
    if (other.n <= entry.n || other.path !== entry.path || !isExchanged(other.answer)) return false;
    const theirs = signInOf(log, other);
    const isOlder = theirs && theirs.n < signIn.n && theirs.answer.request.body === signIn.answer.request.body;
    return isOlder && canonical(other.refresh?.template) === canonical(entry.refresh?.template);
  });
  const message = `The refresh token of a later sign-in was refused with ${statusOf(entry)}, and that of an earlier one is exchanged in the same way.`;
  return older ? refused(message, entry, older) : [];
}

const ACCEPTED = 'that protected operations accept';
const { login, pat } = OPERATIONS;

/** The rules of each protected operation. */
const rulesAt = (operation: ProtectedId): Record<string, Rule['judge']> =>
  Object.fromEntries([
    ...(Object.keys(KINDS) as KindName[]).map((kind) => {
      const { id, requirement, what } = KINDS[kind];
      return [`${id}-${operation} ${requirement}: ${nameOf(operation)} accepts ${what}`, accepts(kind, operation)];
    }),
    ...(Object.keys(FLAWS) as FlawKind[]).map((kind) => {
      const what = kind === 'no-credentials' ? 'a request without credentials' : FLAWS[kind].what;
      const heading = `auth-${kind}-${operation} ${FLAWS[kind].requirement}: ${nameOf(operation)} refuses ${what}`;
      return [heading, refuses(kind, operation)];
    }),
  ]);

export const accessRules: readonly Rule[] = [
  ...rulesOf(undefined, {
    'sso-token-works SSO-15: a protected operation accepts the access token of the SSO answer': works(
      'The access token of an SSO answer',
      ({ kind }, way) => way === 'sso' && kind !== 'pat',
    ),
    [`sso-refresh SSO-18: the refresh token of an SSO login yields an access token of the same user ${ACCEPTED}`]: both(
      works(
        'The access token that a refresh token yielded',
        ({ kind, who }, way) => way === 'elsewhere' && kind === 'jwt' && who !== undefined,
      ),
      (log) => log.entries.flatMap((entry) => judgeExchange(log, entry)),
    ),
    'pat-update AUT-02: an update with a PAT is accepted like one with a JWT of the same user': patUpdates,
  }),
  ...rulesOf('login', {
    [`login-jwt AUT-08: ${login.name} yields a JWT ${ACCEPTED}`]: both(
      works(`The JWT of ${login.name}`, ({ kind }, way) => way === 'login' && kind === 'jwt'),
      each('login', judgeLogin),
    ),
  }),
  ...rulesOf('pat', {
    [`pat-created AUT-09: ${pat.name} yields a PAT ${ACCEPTED}`]: both(
      works('The PAT created', (_, way) => way === 'pat'),
      each('pat', judgeCreation),
    ),
    'pat-later-ones AUT-09: later PATs are accepted like the first one': works(
      'A later PAT',
      ({ who }, way) => way === 'pat' && who !== 'admin',
    ),
  }),
  ...PROTECTED.flatMap((operation) => rulesOf(operation, rulesAt(operation))),
];
