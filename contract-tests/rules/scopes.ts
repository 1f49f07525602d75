import { OPERATIONS } from '../api/operations.ts';
import { adminClaim, namesScopes, statementsOf } from '../api/scopes-answer.ts';
import { type Entry, isOk, jsonIn, type Log, overlappingIn, statusOf } from '../log/entry.ts';
import { mayHaveEnded } from '../log/lives.ts';
import { describe, jsonOf } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { findStrings, memberOf, show } from '../values/json.ts';
import { once } from '../values/once.ts';
import { isDocumented } from './documented.ts';
import { restlessIn } from './restless.ts';
import {
  both,
  type DocumentRule,
  each,
  isOdd,
  type Judge,
  type Judged,
  type Judgement,
  of,
  open,
  refused,
  rulesOf,
  shown,
  violated,
} from './rule.ts';
import { sameByLogin } from './sign-ins.ts';

/** What the token scopes say of their caller (4.4). The shape of the answer is not shown. */

const NAME = OPERATIONS.scopes.name;

/** The answers to good credentials. */
const answered = once((log: Log): readonly Entry[] =>
  of(log, 'scopes').filter((entry) => isDocumented(entry) && jsonIn(entry) !== undefined),
);

const claimOf = (entry: Entry) => adminClaim(jsonIn(entry));
const isByPat = ({ credential }: Entry): boolean => credential.kind === 'pat';

const scopesAnswered: Judge = each('scopes', (entry, log) => {
  const { flaw, kind, issued, token } = entry.credential;
  if (flaw || kind === 'masked') return [];
  if (isOk(entry)) return shown(entry);
  const status = statusOf(entry);
  if (log.isPartial || [304, 401, 429].includes(status) || kind === 'pat') return [];
  // Which status refuses what a target may refuse, like a token whose lifetime is over, is not documented.
  if (isOdd(entry) && status < 500) return [];
  // Any authenticated caller may list the scopes that are available to it (part 1).
  const isSignedIn = issued !== undefined && kind === 'jwt';
  const isProven = log.entries.some((each) => isOk(each) && each.credential.token === token);
  const isPathKnown = of(log, 'scopes').some(isOk);
  if (status === 403 ? !isSignedIn : !(isPathKnown || (isProven && status >= 500))) return [];
  const message = `${NAME} was refused with ${status} to a caller who is signed in: any authenticated caller may list its scopes.`;
  return refused(message, entry);
});

const administrator =
  (actor: 'admin' | 'member'): Judge =>
  (log) => {
    const isAdmin = actor === 'admin';
    const says = (entry: Entry, isThat: boolean): boolean => {
      const claim = claimOf(entry);
      return claim?.isAdmin === isThat && !(claim.isWeak && !isThat);
    };
    const answers = answered(log);
    if (Object.keys(log.actors).length === 0 && answers.length > 0)
      return [open('who of the callers is an administrator is not known; name them with --target')];
    const ofActor = answers.filter(
      ({ credential: { who = '' } }) => who === actor || memberOf(log.actors, who)?.role === actor,
    );
    const byJwt = ofActor.filter((entry) => !isByPat(entry));
    const own = byJwt.length > 0 ? byJwt : ofActor;
    const mistaken = own.some((entry) => says(entry, !isAdmin)) ? mistakenActors(log) : undefined;
    if (mistaken) return [open(mistaken, { kind: 'set-up' })];
    const other = answers.find((entry) => entry.credential.who === (isAdmin ? 'member' : 'admin') && !isByPat(entry));
    const told = own.find(claimOf);
    return ofActor.flatMap((entry): Judged => {
      const claim = claimOf(entry);
      if (says(entry, isAdmin)) return shown(entry);
      if (claim && says(entry, !isAdmin)) {
        const wrong = isAdmin ? 'the administrator is none' : 'a member is an administrator';
        const right = `${claim.path.join('.')} of ${isAdmin ? '' : 'somebody who is not '}an administrator`;
        return violated(`The scopes answer says that ${wrong}.`, right, claim.value, entry);
      }
      const shows = told && claimOf(told);
      const isPat = isByPat(entry) && byJwt.length > 0;
      // What is left out may mean "no", as it does to a member.
      if (isPat || (isAdmin && shows && !shows.isWeak && !claim)) {
        const to = isPat ? 'to a PAT' : `to ${entry.credential.who}`;
        const message = `The scopes answer does not say ${to} whether the user is an administrator, as it does to ${isPat ? 'a JWT' : 'another JWT'}.`;
        return claim || !shows ? [] : violated(message, shows.path.join('.'), show(jsonIn(entry)), told, entry);
      }
      if (!other || log.isPartial)
        return open('nothing in the answer is named after administrators; with actors.member the suite can compare');
      // Even in words that the suite does not know, callers of whom only one is an administrator are told different things.
      if (statementsOf(jsonIn(entry)) !== statementsOf(jsonIn(other))) return shown(entry, other);
      const message = 'The scopes answer does not say whether the caller is an administrator.';
      return violated(message, 'something in which admin and member differ', show(jsonIn(entry)), other, entry);
    });
  };

/** Why the actors of the target file are not whom it says, by whom the API keys are listed to. */
function mistakenActors(log: Log): string | undefined {
  const listTo = (actor: string) =>
    of(log, 'api-keys').filter(
      ({ credential, asked }) => credential.who === actor && !credential.flaw && !asked?.odd.includes('tenant'),
    );
  const denied = listTo('admin').find((entry) => [401, 403, 404].includes(statusOf(entry)));
  const isSwapped = listTo('member').some(isOk);
  if (!denied || listTo('admin').some(isOk) || !(isSwapped || statusOf(denied) === 403)) return undefined;
  const what = isSwapped ? 'and actors.member look swapped' : 'is not an administrator';
  return `actors.admin ${what}: the target says that admin is no administrator, and refuses the API keys of resources.tenantId to admin (${describe(denied.answer)})${isSwapped ? ' and lists them to member' : ''}. Name one who is.`;
}

const byCaller = once((log: Log): readonly Entry[][] => [
  ...groupBy(answered(log), ({ credential: { who, token } }) => who ?? token).values(),
]);

const wayOf = ({ credential }: Entry): string =>
  credential.kind === 'pat' ? 'pat' : (credential.issued?.way ?? 'given');

type IsPair = (first: Entry, entry: Entry) => boolean;
type Compare = (first: Entry, entry: Entry, what: string, log: Log) => Judged;

/** Two answers must say the same of one caller; the second one overlaps another request where `atOnce`. `what`: to what it is. */
const sameSaid =
  (what: string, isPair: IsPair, compare: Compare = sameOfAdministrators, atOnce = false): Judge =>
  (log) => {
    const overlapping = overlappingIn(of(log, 'scopes'));
    return byCaller(log).flatMap((own) =>
      own.flatMap((entry): Judged => {
        const first = own.find((each) => !overlapping.has(each) && isPair(each, entry));
        return first && overlapping.has(entry) === atOnce ? compare(first, entry, what, log) : [];
      }),
    );
  };

function sameOfAdministrators(first: Entry, entry: Entry, what: string) {
  const [was, is] = [claimOf(first), claimOf(entry)];
  if (!was || !is || was.isAdmin === is.isAdmin) return shown(first, entry);
  const message = `The scopes answer says another thing of administrators ${what}.`;
  const [expected, actual] = [was, is].map(({ path, value }) => ({ [path.join('.')]: value }));
  return violated(message, expected, actual, first, entry);
}

/** Where one token of a user is named scopes, so is another one. */
function sameOfScopes(first: Entry, entry: Entry, what: string): Judgement {
  if (!namesScopes(jsonIn(first)) || namesScopes(jsonIn(entry))) return sameOfAdministrators(first, entry, what);
  const [expected, actual] = [jsonIn(first), jsonIn(entry)].map(show);
  return violated(`The scopes answer names fewer scopes ${what}: none.`, expected, actual, first, entry);
}

/** A PAT is named scopes where a JWT is, and a member's none that only administrators have. */
function sameToPat(first: Entry, entry: Entry, what: string, log: Log): Judged {
  const [expected, actual] = [jsonIn(first), jsonIn(entry)].map(show);
  const ofAdmins = answered(log).filter((each) => !isByPat(each) && claimOf(each)?.isAdmin);
  const foreign = namesIn(entry).find(
    (name) => !namesIn(first).includes(name) && ofAdmins.flatMap(namesIn).includes(name),
  );
  if (foreign === undefined || claimOf(first)?.isAdmin !== false) return sameOfScopes(first, entry, what);
  const message = `The scopes answer names the scope ${show(foreign)} of administrators to the PAT of somebody else, and not to a JWT of the same user.`;
  return violated(message, expected, actual, first, entry);
}

function sameLater(first: Entry, entry: Entry, what: string) {
  const requirement = claimOf(first)?.isAdmin ? 'SCO-03' : 'SCO-04';
  return { ...sameOfAdministrators(first, entry, what), requirement };
}

const isSameWay: IsPair = (first, entry) => wayOf(entry) === wayOf(first);

/** The answer by this way of getting a token is compared with one by another way. */
const isBy =
  (way: 'pat' | 'login' | 'elsewhere'): IsPair =>
  (first, entry) =>
    wayOf(entry) === way && wayOf(first) !== way;

/** The texts of an answer, in one order: a list of scopes has the same ones each time. */
const namesIn = (entry: Entry): string[] =>
  findStrings(jsonIn(entry))
    .filter(({ value }) => /^[\w.:*/-]+$/.test(value) && !/\d{4,}/.test(value))
    .map(({ value }) => value)
    .toSorted();
const isSameNames = (a: Entry, b: Entry): boolean => namesIn(a).join('\n') === namesIn(b).join('\n');

/** An ETag of another caller's different answer gets 304 (RFC 9110, 13.1.2). */
const notModified = each('scopes', (entry, log) => {
  const { 'If-None-Match': etag } = entry.answer.request.headers;
  if (statusOf(entry) !== 304 || etag === undefined) return [];
  const own = answered(log).find(({ credential }) => credential.token === entry.credential.token);
  const tagged = answered(log).find(
    ({ answer, credential }) => answer.response.headers.etag === etag && credential.who !== entry.credential.who,
  );
  if (!own || !tagged || (isSameNames(own, tagged) && claimOf(own)?.isAdmin === claimOf(tagged)?.isAdmin)) return [];
  const message = 'A caller gets "not modified" (304) for the ETag of another caller, whose answer differs.';
  return violated(message, show(jsonIn(own)), describe(entry.answer), own, tagged, entry);
});

/** The scopes that one token is shown may be granted or taken away meanwhile; they do not go and come back. */
const comingAndGoing = (log: Log): Judgement[] =>
  [...groupBy(answered(log), ({ credential }) => credential.token).values()].flatMap((own): Judged => {
    const [first, second] = own;
    for (const name of log.isPartial ? [] : new Set(own.flatMap(namesIn))) {
      const looks = own.map((entry) => ({ entry, value: namesIn(entry).includes(name) }));
      // A name that is there for once may be no scope.
      const since = looks.findIndex(({ value }) => value);
      const [before, without] = restlessIn(looks.slice(since), (a, b) => a === b) ?? [];
      if (!before || !without) continue;
      const message = `One token is shown ${show(name)}, then not, then again.`;
      const [expected, actual] = [before, without].map(({ entry }) => show(jsonIn(entry)));
      return { ...violated(message, expected, actual, before.entry, without.entry), requirement: 'SCO-02' };
    }
    return first && second ? shown(first, second) : [];
  });

/** Names that each answer to a token repeats more often, also where the user got no other token between, which a list could hold. */
const growing = (log: Log): Judgement[] =>
  [...groupBy(answered(log), ({ credential }) => credential.token).values()].flatMap((own): Judged => {
    const [first, last] = [own[0], own.at(-1)];
    const repeated = own.map((entry) => namesIn(entry).length - new Set(namesIn(entry)).size);
    const isMore = repeated.every((count, at) => at === 0 || count > (repeated[at - 1] ?? 0));
    const isUncaused = own.some((entry, at) => at > 0 && !mayHaveEnded(log, own[at - 1]?.n ?? 0, entry));
    if (log.isPartial || !first || !last || own.length < 3 || !isMore || !isUncaused) return [];
    const message = 'Each answer to one token repeats more scopes than the one before.';
    return { ...violated(message, show(jsonIn(first)), show(jsonIn(last)), first, last), requirement: 'SCO-02' };
  });

/** Only where a login names the user that SSO signs in: by what it is sent, or by what it answers. */
function sameOfLogin(first: Entry, entry: Entry, what: string, log: Log): Judgement {
  const { issued, who } = entry.credential;
  const bySso = log.entries.find(({ credential }) => credential.who === who && credential.issued?.way === 'sso');
  const user = findStrings(bySso?.credential.issued && jsonOf(bySso.credential.issued.answer));
  const names = user.filter(({ path, value }) => value.length > 2 && /^user (id|email|username)$/.test(path.join(' ')));
  const { request, response } = issued?.answer ?? {};
  const isOne = names.some(({ value }) =>
    [request, response].some((part) => part?.body?.includes(JSON.stringify(value))),
  );
  const found = sameOfAdministrators(first, entry, what);
  if (isOne || found.state === 'shown') return found;
  return open(
    'actors.admin.login and actors.admin.sso may be two users: the scopes answers differ, and nothing shows that they are one',
  );
}

const { login } = OPERATIONS;

export const scopeRules: readonly DocumentRule[] = [
  ...rulesOf('scopes', [
    {
      id: 'scopes-answered',
      requirements: ['SCO-01'],
      title: 'the token scopes are answered to GET with a bearer token',
      judge: scopesAnswered,
    },
    {
      id: 'scopes-administrator',
      requirements: ['SCO-03'],
      title: 'the scopes answer says of an administrator that the caller is one',
      judge: administrator('admin'),
    },
    {
      id: 'scopes-no-administrator',
      requirements: ['SCO-04'],
      title: 'the scopes answer says of somebody else that the caller is not an administrator',
      needs: ['actors.admin', 'actors.member'],
      judge: administrator('member'),
    },
    {
      id: 'scopes-of-each-caller',
      requirements: ['SCO-01', 'SCO-02'],
      title:
        'the token scopes are answered to each caller about itself: by JWT and PAT, early and late, several at once',
      isOptional: true,
      phases: ['scopes', 'others', 'overlaps'],
      judge: both(
        notModified,
        comingAndGoing,
        growing,
        sameSaid('while another caller asks at the same time', isSameWay, sameOfAdministrators, true),
        sameSaid('to a refreshed token than to one of a sign-in of the same user', isBy('elsewhere'), sameOfScopes),
      ),
    },
    {
      id: 'scopes-later',
      requirements: ['SCO-03', 'SCO-04'],
      title: 'what is said of administrators stays the same through the run',
      isOptional: true,
      phases: ['scopes', 'others', 'late'],
      judge: sameSaid(
        'to the same token later in the run',
        (first, entry) => first.n < entry.n && first.credential.token === entry.credential.token,
        sameLater,
      ),
    },
  ]),
  {
    id: 'pat-administrator',
    requirements: ['AUT-02'],
    title:
      'the scopes answer says to a PAT what it says to a JWT: that there are scopes, and whether its user is an administrator',
    isOptional: true,
    phases: ['scopes'],
    needs: ['actors.admin'],
    isOfPat: true,
    judge: sameSaid('to a PAT than to a JWT of the same user', isBy('pat'), sameToPat),
  },
  {
    id: 'login-user',
    requirements: ['AUT-08'],
    title: `the JWT of ${login.name} is of the user that logs in: the scopes answer says the same of administrators as to SSO`,
    isOptional: true,
    phases: ['scopes'],
    needs: ['actors.admin.login'],
    judge: both(sameByLogin, sameSaid(`to a JWT of ${login.name} than to one of SSO`, isBy('login'), sameOfLogin)),
  },
  ...rulesOf('sso', [
    {
      id: 'sso-identity-kept',
      requirements: ['SSO-17'],
      title: 'the token of a later sign-in is of the same user',
      isOptional: true,
      phases: ['others', 'strangers', 'late'],
      judge: sameSaid(
        'to a token of a later sign-in of the same identity',
        (first, entry) => first.n < entry.n && wayOf(entry) === 'sso' && isSameWay(first, entry),
      ),
    },
  ]),
];
