import { OPERATIONS, type OperationId, PROTECTED, type ProtectedId } from '../api/operations.ts';
import type { TargetField } from '../api/target-fields.ts';
import { findJwts, isExchanged, refreshTokenIn } from '../api/tokens-in-answers.ts';
import {
  type Credential,
  type Entry,
  FLAW_KINDS,
  FLAWS,
  type FlawKind,
  isContentRefused,
  isMaskIn,
  isOk,
  isRefused,
  jsonIn,
  type Log,
  statusOf,
  type Way,
} from '../log/entry.ts';
import {
  type Death,
  deathsIn,
  isGood,
  isPast,
  keepsSessions,
  mayBeLockedOut,
  mayHaveEnded,
  placeOf,
  ROUNDING_MS,
  usesOf,
} from '../log/lives.ts';
import { signerOf } from '../log/log.ts';
import { describe, OF_GATEWAY } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { FETCH } from '../values/header-names.ts';
import { asText, canonical, findStrings, isObject, type JsonObject } from '../values/json.ts';
import { once } from '../values/once.ts';
import { describeSent, isMild, listedKeys } from './documented.ts';
import { unnamedIn } from './recordings.ts';
import {
  answerOf,
  both,
  type DocumentRule,
  each,
  isOdd,
  type Judge,
  type Judged,
  type Judgement,
  notSucceeded,
  of,
  open,
  refused,
  rulesOf,
  shown,
  violated,
} from './rule.ts';

/** Which credentials protected operations accept and refuse, and for how long (4.1, part 5). */

const nameOf = (operation: OperationId | undefined): string => (operation ? OPERATIONS[operation].name : '');

const endedByOthers = (log: Log, use: Entry): boolean =>
  use.credential.issued !== undefined && mayHaveEnded(log, use.credential.issued.n, use);

/**
 * A token that an operation accepted is accepted until its lifetime is over, or something ends it. That one dies may be a restart; that a second one,
 * which was accepted after that, dies as well is a finding.
 */
function* lives(log: Log): Generator<Judgement> {
  for (const uses of usesOf(log).values()) {
    const accepted = new Map<string, Entry>();
    for (const entry of uses.filter(isOk)) {
      const before = accepted.get(placeOf(entry));
      if (before) yield shown(before, entry);
      accepted.set(placeOf(entry), entry);
    }
  }
  const deaths = deathsIn(log);
  for (const death of deaths) {
    const first = deaths.find(({ kind, last }) => kind === death.kind && last.n < death.before.n);
    if (first) yield* judgeDeath(log, death);
    else yield open('a token was refused within its life, once: a restart, or another client, may have ended it');
  }
}

function judgeDeath(log: Log, { kind, uses, before, last }: Death): Judgement[] {
  const { issued } = last.credential;
  // In a recording, only that is sure of a token without announced lifetime.
  if (kind === 'pat' ? log.isPartial : issued?.lifetime === undefined) return [];
  if (kind !== 'pat' && !keepsSessions(log))
    return [open('tokens were refused within their life, which another sign-in of the same user may have ended')];
  const age = ((last.endedAt - (issued?.at ?? before.endedAt)) / 1000).toFixed(1);
  const promised = issued?.lifetime === undefined ? '' : ` of a promised ${issued.lifetime} s`;
  const what = kind === 'pat' ? 'A personal access token' : 'An access token';
  const message = `${what} died within ${age} s${promised}, as one before it did: it was accepted, and ${nameOf(last.operation)} refused its use number ${uses.indexOf(last) + 1} with 401, 3 s after it had refused it before.`;
  const finding = violated(message, 'a success (2xx), as before', describe(last.answer), before, last);
  const requirements = kind === 'pat' ? ['AUT-02'] : issued?.way === 'sso' ? ['SSO-08', 'AUT-01'] : ['AUT-01'];
  return requirements.map((requirement) => ({ ...finding, requirement }));
}

/** How far clocks may differ: more than a service allows for (ASP.NET Core: five minutes), and less than any does. */
const LEEWAY_MS = { most: 301_000, least: 1_000 };

const expired: Judge = (log) =>
  [...usesOf(log)].flatMap(([token, uses]) => {
    const isGiven = Object.values(log.actors).some((actor) => actor?.expiredToken === token);
    const overdue = ({ credential: { issued }, startedAt }: Entry): number => {
      if (isGiven) return Number.POSITIVE_INFINITY;
      const { at, lifetime = 0 } = issued ?? { at: 0 };
      return lifetime > 0 ? startedAt - at - lifetime * 1000 : 0;
    };
    const late = uses.filter((entry) => overdue(entry) > LEEWAY_MS.least);
    const refusal = late.find((entry) => statusOf(entry) === 401);
    return late.flatMap((entry): Judged => {
      if (isRefused(entry)) return shown(entry);
      if (!isOk(entry)) return [];
      // Once another operation has refused it, clocks that differ explain nothing.
      const isSure = overdue(entry) > LEEWAY_MS.most || (refusal !== undefined && entry.n > refusal.n);
      if (!isSure) return open('the token was still accepted after its end, which may be a leeway');
      const age = isGiven ? '' : `${Math.round(overdue(entry) / 1000)} s `;
      const message = `${nameOf(entry.operation)} accepts an access token ${age}after the end of its lifetime.`;
      return violated(message, 'a refusal (4xx)', describe(entry.answer), entry);
    });
  });

const KINDS = {
  jwt: { requirement: 'AUT-01', id: 'auth-accepts-jwt', what: 'a JWT access token' },
  pat: { requirement: 'AUT-02', id: 'auth-accepts-pat', what: 'a personal access token', isOfPat: true },
  login: {
    requirement: 'AUT-08',
    id: 'login-accepted-by',
    what: `the JWT of ${OPERATIONS.login.name}`,
    signer: 'actors.admin.login',
  },
} as const;
type KindName = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as KindName[];

const kindName = ({ credential }: Entry): KindName =>
  credential.kind === 'pat' ? 'pat' : credential.issued?.way === 'login' ? 'login' : 'jwt';

/** Every operation accepts each kind of token: a refusal counts where the same user is let in with another token. */
const accepts = (kind: KindName, operation: ProtectedId): Judge =>
  each(operation, (entry, log) => {
    if (!isGood(entry)) return [];
    const own = kindName(entry);
    // The JWT of a login is one, too.
    if (isOk(entry)) return own === kind || (kind === 'jwt' && own === 'login') ? shown(entry) : [];
    if (own !== kind) return [];
    if (statusOf(entry) === 401) return judgeUnknown(log, entry, kind);
    return [403, 404].includes(statusOf(entry)) ? judgeForbidden(log, entry, kind) : [];
  });

function judgeUnknown(log: Log, entry: Entry, kind: KindName): Judged {
  const { token = '', issued } = entry.credential;
  const uses = usesOf(log).get(token) ?? [];
  const accepted = uses.filter(isOk);
  // The operation knows it, where it only lacks a right there.
  const isKnown = uses.some((use) => use.operation === entry.operation && (isOk(use) || statusOf(use) === 403));
  // Who asks for what is another's may lack the right, and may be told so with 401 (gap forbidden-status).
  const mayLackRight = ['caller', 'recording', 'tenant'].some((input) => entry.asked?.odd.includes(input));
  if (isKnown || mayLackRight || isPast(entry, log)) return [];
  // A token that another operation accepts afterwards has not ended; of one that is not, a rule about lives judges.
  const later = accepted.find(({ n }) => n > entry.n);
  // A PAT that the target made itself is refused from the start, and a JWT of the same user is not.
  const isMade = kind === 'pat' && issued?.way === 'pat' && accepted.length === 0 && !endedByOthers(log, entry);
  const control = later ?? (isMade && !log.isPartial ? controlOf(log, entry) : undefined);
  if (!control) return [];
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
  (log: Log) => new Set(of(log, 'api-keys').flatMap((entry) => listedKeys(entry).map(({ id }) => asText(id)))),
);

/** Whether a refusal holds a recording, or API keys that lists hold. */
function tellsData(entry: Entry, log: Log): boolean {
  const found = groupBy(findStrings(jsonIn(entry), ['string', 'number']), ({ path }) => path.at(-1));
  const isRecording = ['user_id', 'filename', 'created_at'].every((name) => found.has(name));
  return isRecording || (found.get('id') ?? []).some(({ value }) => listedIds(log).has(value));
}

/** Each operation refuses each kind of bad credentials. A refusal counts only if valid credentials succeed. */
const refuses =
  (kind: FlawKind, operation: ProtectedId): Judge =>
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

/** API keys that a path in another spelling answers without credentials: what guards the documented one may take it for an open one. */
const guarded: Judge = (log) =>
  of(log, undefined).flatMap((entry): Judged => {
    const isOfKey = ({ id, provider }: JsonObject): boolean => provider !== undefined && listedIds(log).has(asText(id));
    const isOpen = entry.answer.request.headers.Authorization === undefined && !entry.hasCookies;
    if (log.isPartial || !isOk(entry) || !isOpen || !listedKeys(entry).some(isOfKey)) return [];
    const message = `${entry.answer.request.method} ${entry.path} answers API keys without an Authorization header.`;
    return violated(message, 'a refusal (4xx)', answerOf(entry), entry);
  });

const patUpdates = each('recording', (entry, log) => {
  if (kindName(entry) !== 'pat' || !isGood(entry)) return [];
  if (isOk(entry)) return shown(entry);
  const control = controlOf(log, entry);
  const isNamed = unnamedIn(entry, log).length === 0;
  if (log.isPartial || !isMild(entry) || !isContentRefused(entry) || !control || !isNamed) return [];
  return refused(`${describeSent(entry)} does not succeed, and does with a JWT of the same user.`, entry, control);
});

/** Refusals that no chance explains. */
const TOO_MANY = 3;

/** Names of headers have no case (RFC 9110, 5.1): `fetch` writes them in lower case. */
const inLowerCase: Judge = (log) => {
  const uses = [...usesOf(log).values()].flat().filter((use) => isOk(use) || (statusOf(use) === 401 && !isPast(use)));
  const isLower = ({ answer }: Entry): boolean => answer.request.headers.Accept === FETCH;
  const other = uses.find((use) => isOk(use) && !isLower(use));
  const lower = uses.filter(isLower);
  const last = lower.at(-1);
  if (log.isPartial || !other || !last) return [];
  if (lower.some(isOk) || lower.length < TOO_MANY) return [];
  const message = 'A good token is refused with 401 where header names are in lower case, as fetch sends them.';
  return [{ ...refused(message, last, other), requirement: 'AUT-01' }];
};

/** What a way of signing in hands out is accepted by some protected operation. */
const works =
  (what: string, isOf: (credential: Credential, way: Way | undefined) => boolean): Judge =>
  (log) => {
    const ofEach = [...usesOf(log).values()];
    const all = ofEach.map((uses) => uses.filter(({ credential }) => isOf(credential, credential.issued?.way)));
    const unknown = all.filter((own) => !own.some(isOk) && own.some((entry) => statusOf(entry) === 401));
    return all.flatMap((own): Judged => {
      const accepted = own.find(isOk);
      if (accepted) return shown(accepted);
      // A 403 decides nothing: who may do what is not documented.
      const unauthorized = own.filter((entry) => statusOf(entry) === 401 && !isPast(entry));
      const [first] = unauthorized;
      const isDecided = own.every((entry) => [401, 403, 404].includes(statusOf(entry)));
      if (!first || !isDecided || endedByOthers(log, first) || mayBeLockedOut(log, first)) return [];
      // An instance may not know a new token at its first use.
      if (unauthorized.length === 1) return open(`${what} was refused once, and not used again`);
      // A restart may forget a token before its first use: the next one is accepted.
      const isAfter = (entry: Entry): boolean => isOk(entry) && (entry.credential.issued?.n ?? 0) > first.n;
      // It forgets those of its user that were accepted, too.
      const since = first.credential.issued?.n ?? first.n;
      const isForgotten = (use: Entry): boolean =>
        statusOf(use) === 401 && use.credential.who === first.credential.who && use.n < first.n && use.n > since;
      const areAllForgotten = ofEach.some(
        (uses) => uses.some((use) => isOk(use) && use.n < first.n) && uses.some(isForgotten),
      );
      if (areAllForgotten || (unknown.length === 1 && all.some((others) => others.some(isAfter))))
        return open(`${what} was accepted by no protected operation, once`);
      const names = [...new Set(unauthorized.map(({ operation }) => nameOf(operation)))].join(', ');
      const actual = unauthorized.map((entry) => `${nameOf(entry.operation)}: ${describe(entry.answer)}`).slice(0, 4);
      const message = `${what} is accepted by no protected operation.`;
      return violated(message, `a success (2xx) at one of ${names}`, actual, first);
    });
  };

function judgeLogin(entry: Entry, log: Log): Judged {
  const { name } = OPERATIONS.login;
  const status = statusOf(entry);
  if (!isOk(entry)) {
    if (log.isPartial || !isMild(entry)) return [];
    if (status >= 500 || status === 404) return notSucceeded(name, entry);
    const reason = `${name} refused the body with ${status}. ${OPERATIONS.login.hint}`;
    return isContentRefused(entry) ? open(reason) : [];
  }
  if (!entry.hasBody || findJwts(entry.answer).length > 0) return [];
  const json = jsonIn(entry);
  const strings = findStrings(json);
  // It may be masked, or handed out in a cookie of another form, or in a second step: the response is not shown.
  const isMasked = strings.some(({ value }) => isMaskIn(entry, value));
  if (isMasked || (isObject(json) && !strings.some(({ path }) => /token|jwt|bearer/i.test(path.join('.')))))
    return open(`${name} succeeded, and no token in its answer can be seen; what it answers is not shown`);
  return violated(`${name} succeeded without yielding a JWT.`, 'a JWT access token', entry.answer.response.body, entry);
}

function judgeCreation(entry: Entry, log: Log): Judged {
  if (isOk(entry)) return [];
  const { name } = OPERATIONS.pat;
  const status = statusOf(entry);
  // It is sent once, since nothing removes what it makes: a gateway's answer may have passed.
  const isFailure = [404, 405].includes(status) || (status >= 500 && !OF_GATEWAY.has(status));
  if (!log.isPartial && entry.credential.kind === 'jwt' && isFailure) return notSucceeded(name, entry);
  return open(`${name}, whose body is not documented, was answered ${describe(entry.answer)}; set actors.admin.pat`);
}

const signInOf = (log: Log, { refresh }: Entry): Entry | undefined =>
  refresh && [...of(log, 'sso'), ...of(log, 'login')].find(({ answer }) => refreshTokenIn(answer) === refresh.token);

function judgeExchange(log: Log, entry: Entry): Judged {
  const signIn = signInOf(log, entry);
  if (signIn?.operation !== 'sso' || entry.refresh?.exchanged) return [];
  if (isExchanged(entry.answer)) {
    const [known, given] = [findJwts(signIn.answer), findJwts(entry.answer)];
    const after = entry.startedAt - signIn.endedAt;
    // Within a second, a new one may be the same.
    if (given.length === 0 || given.some((token) => !known.includes(token)) || after < ROUNDING_MS) return [];
    const signIns = of(log, 'sso').flatMap(({ answer }) => findJwts(answer));
    if (new Set(signIns).size < signIns.length)
      return open('sign-ins answer a token again while it lives, so a refresh may answer it as well');
    const message = `The refresh token was exchanged for the access token of the sign-in ${(after / 1000).toFixed(1)} s before.`;
    return violated(message, 'a new access token', 'the same access token', signIn, entry);
  }
  if (![400, 401, 403, 422].includes(statusOf(entry))) return [];
  // The path and the form are right where another refresh token of the same user is exchanged in the same way afterwards.
  const other = log.entries.find((each) => {
    if (each.n <= entry.n || each.path !== entry.path || !isExchanged(each.answer)) return false;
    const theirs = signInOf(log, each);
    // A sign-in between the two may have ended this session.
    const isSameUser = theirs && signerOf(log.actors, theirs.answer) === signerOf(log.actors, signIn.answer);
    const isApart = isSameUser && (theirs.n < signIn.n || theirs.n > entry.n);
    return isApart && canonical(each.refresh?.template) === canonical(entry.refresh?.template);
  });
  const message = `The refresh token of an SSO login was refused with ${statusOf(entry)}, and that of another sign-in of the same user is exchanged in the same way.`;
  return other ? refused(message, entry, other) : [];
}

const ACCEPTED = 'that protected operations accept';
const { login, pat } = OPERATIONS;

/** What the target file must give where another field than that of the operation lets somebody in. */
const signedBy = (operation: ProtectedId, signer: TargetField): readonly TargetField[] => [
  signer,
  ...OPERATIONS[operation].needs.slice(1),
];

/** What is known of a kind of credential. */
interface KindRow {
  requirement: string;
  what: string;
  /** The field of the target file that gives it, where that is not any of admin's. */
  signer?: TargetField;
  isOfPat?: true;
}

const acceptingRules = (operation: ProtectedId): DocumentRule[] =>
  rulesOf(
    operation,
    KIND_NAMES.map((kind) => {
      const { requirement, what, signer = 'actors.admin', isOfPat }: KindRow = KINDS[kind];
      return {
        id: `${KINDS[kind].id}-${operation}`,
        requirements: [requirement],
        title: `${nameOf(operation)} accepts ${what}`,
        needs: signedBy(operation, signer),
        isOfPat,
        judge: accepts(kind, operation),
      };
    }),
  );

const refusingRules = (operation: ProtectedId): DocumentRule[] =>
  rulesOf(
    operation,
    FLAW_KINDS.map((kind) => {
      const { requirement, what, signer = 'actors.admin', isOfPat }: KindRow = FLAWS[kind];
      return {
        id: `auth-${kind}-${operation}`,
        requirements: [requirement],
        title: `${nameOf(operation)} refuses ${kind === 'no-credentials' ? 'a request without credentials' : what}`,
        phases: [...OPERATIONS[operation].askedIn, 'refusals'],
        needs: signedBy(operation, signer),
        isOfPat,
        judge:
          kind === 'no-credentials' && operation === 'api-keys'
            ? both(refuses(kind, operation), guarded)
            : refuses(kind, operation),
      };
    }),
  );

export const accessRules: readonly DocumentRule[] = [
  ...rulesOf('sso', [
    {
      id: 'sso-token-works',
      requirements: ['SSO-15'],
      title: 'a protected operation accepts the access token of the SSO answer',
      judge: works('The access token of an SSO answer', ({ kind }, way) => way === 'sso' && kind !== 'pat'),
    },
    {
      id: 'sso-refresh',
      requirements: ['SSO-18'],
      title: `the refresh token of an SSO login yields an access token of the same user ${ACCEPTED}`,
      isOptional: true,
      phases: ['others', 'strangers', 'late'],
      judge: both(
        works(
          'The access token that a refresh token yielded',
          ({ kind, who }, way) => way === 'elsewhere' && kind === 'jwt' && who !== undefined,
        ),
        (log) => log.entries.flatMap((entry) => judgeExchange(log, entry)),
      ),
    },
    {
      id: 'after-a-pause',
      requirements: ['SSO-08', 'AUT-01', 'AUT-02'],
      title:
        'a token that was accepted is accepted for its whole life, however often, how late and by which client it is used',
      isOptional: true,
      phases: ['late'],
      needs: ['actors.admin'],
      judge: both(lives, inLowerCase),
    },
  ]),
  {
    id: 'auth-expired-jwt',
    requirements: ['AUT-12'],
    title: 'an access token is refused once its lifetime is over, by every operation',
    phases: ['late'],
    needs: ['actors.admin.expiredToken'],
    judge: expired,
  },
  {
    id: 'pat-update',
    requirements: ['AUT-02'],
    title: 'an update with a PAT is accepted like one with a JWT of the same user',
    isOptional: true,
    phases: ['scopes', 'updates'],
    needs: ['actors.admin', 'resources.recordingId'],
    isOfPat: true,
    judge: patUpdates,
  },
  {
    id: 'login-jwt',
    requirements: ['AUT-08'],
    title: `${login.name} yields a JWT ${ACCEPTED}`,
    phases: ['scopes'],
    needs: ['actors.admin.login'],
    judge: both(
      works(`The JWT of ${login.name}`, ({ kind }, way) => way === 'login' && kind === 'jwt'),
      each('login', judgeLogin),
    ),
  },
  {
    id: 'pat-created',
    requirements: ['AUT-09'],
    title: `${pat.name} yields a PAT ${ACCEPTED}`,
    phases: ['scopes'],
    needs: ['actors.admin'],
    isOfPat: true,
    judge: both(
      works('The PAT created', (_, way) => way === 'pat'),
      each('pat', judgeCreation),
    ),
  },
  {
    id: 'pat-later-ones',
    requirements: ['AUT-09'],
    title: 'later PATs are accepted like the first one',
    isOptional: true,
    phases: ['scopes', 'overlaps', 'late'],
    needs: ['actors.admin'],
    isOfPat: true,
    judge: works('A later PAT', ({ who }, way) => way === 'pat' && who !== 'admin'),
  },
  ...PROTECTED.flatMap((operation) => [...acceptingRules(operation), ...refusingRules(operation)]),
];

/** Whether an operation accepted a token, refused it, and accepted it again. */
export const isRefusedBetween = (log: Log): boolean =>
  [...usesOf(log).values()].some((uses) =>
    uses.some((entry, at) => {
      const isAccepted = (other: Entry): boolean => isOk(other) && other.operation === entry.operation;
      return statusOf(entry) === 401 && uses.slice(0, at).some(isAccepted) && uses.slice(at).some(isAccepted);
    }),
  );
