import { adminClaim, statementsOf } from '../api/admin-claim.ts';
import { OPERATIONS } from '../api/operations.ts';
import { namesScopes } from '../api/scope-listing.ts';
import { type Entry, isOk, jsonIn, type Log, overlappingIn, statusOf } from '../log/entry.ts';
import { describe, jsonOf } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { findStrings, show } from '../values/json.ts';
import { isDocumented } from './documented.ts';
import { each, type Judged, type Judgement, of, open, perLog, type Rule, refused, shown, violated } from './rule.ts';
import { sameByLogin } from './sign-ins.ts';

/** What the token scopes say of their caller (4.4). The shape of the answer is not shown. */

const NAME = OPERATIONS.scopes.name;

/** The answers to good credentials. */
const answered = perLog((log): readonly Entry[] =>
  of(log, 'scopes').filter((entry) => isDocumented(entry) && jsonIn(entry) !== undefined),
);

const claimOf = (entry: Entry) => adminClaim(jsonIn(entry));
const isByPat = ({ credential }: Entry): boolean => credential.kind === 'pat';

const scopesAnswered: Rule = {
  id: 'scopes-answered',
  requirements: ['SCO-01'],
  title: 'the token scopes are answered to GET with a bearer token',
  judge: each('scopes', (entry, log) => {
    const { flaw, kind, issued, token } = entry.credential;
    if (flaw || kind === 'masked') return [];
    if (isOk(entry)) return shown(entry);
    const status = statusOf(entry);
    if (log.isPartial || [304, 401, 429].includes(status) || kind === 'pat') return [];
    // Any authenticated caller may list the scopes that are available to it (part 1).
    const isSignedIn = issued !== undefined && kind === 'jwt';
    const isProven = log.entries.some((each) => isOk(each) && each.credential.token === token);
    const isPathKnown = of(log, 'scopes').some(isOk);
    if (status === 403 ? !isSignedIn : !(isPathKnown || (isProven && status >= 500))) return [];
    const message = `${NAME} was refused with ${status} to a caller who is signed in: any authenticated caller may list its scopes.`;
    return refused(message, entry);
  }),
};

function administratorRule(actor: 'admin' | 'member', rule: Omit<Rule, 'judge'>): Rule {
  const isAdmin = actor === 'admin';
  const says = (entry: Entry, isThat: boolean): boolean => {
    const claim = claimOf(entry);
    return claim?.isAdmin === isThat && !(claim.isWeak && !isThat);
  };
  const judge = (log: Log): Judgement[] => {
    const answers = answered(log);
    if (Object.keys(log.actors).length === 0 && answers.length > 0)
      return [open('who of the callers is an administrator is not known; name them with --target')];
    const ofActor = answers.filter(({ credential: { who = '' } }) => who === actor || log.actors[who]?.role === actor);
    const byJwt = ofActor.filter((entry) => !isByPat(entry));
    const own = byJwt.length > 0 ? byJwt : ofActor;
    const mistaken = own.some((entry) => says(entry, !isAdmin)) ? mistakenActors(log) : undefined;
    if (mistaken) return [open(mistaken, { isSetUp: true })];
    const other = answers.find((entry) => entry.credential.who === (isAdmin ? 'member' : 'admin') && !isByPat(entry));
    const told = own.find(claimOf);
    const untold = ofActor.filter((entry) => told && isByPat(entry) && (!claimOf(entry) || says(entry, !isAdmin)));
    return [
      ...own.map((entry): Judgement => {
        const claim = claimOf(entry);
        if (says(entry, isAdmin)) return shown(entry);
        if (claim && says(entry, !isAdmin)) {
          const wrong = isAdmin ? 'the administrator is none' : 'a member is an administrator';
          const right = `${claim.path.join('.')} of ${isAdmin ? '' : 'somebody who is not '}an administrator`;
          return violated(`The scopes answer says that ${wrong}.`, right, claim.value, entry);
        }
        if (!other || log.isPartial)
          return open('nothing in the answer is named after administrators; with actors.member the suite can compare');
        // Even in words that the suite does not know, callers of whom only one is an administrator are told different things.
        if (statementsOf(jsonIn(entry)) !== statementsOf(jsonIn(other))) return shown(entry, other);
        const message = 'The scopes answer does not say whether the caller is an administrator.';
        return violated(message, 'something in which admin and member differ', show(jsonIn(entry)), other, entry);
      }),
      ...untold.map((entry) => {
        const message =
          'The scopes answer does not say to a PAT whether its user is an administrator, as it does to a JWT.';
        return violated(message, told && claimOf(told)?.path.join('.'), show(jsonIn(entry)), own[0], entry);
      }),
    ];
  };
  return { ...rule, judge };
}

/** Why the actors of the target file are not whom it says, by whom the API keys are listed to. */
function mistakenActors(log: Log): string | undefined {
  const listTo = (actor: string) =>
    of(log, 'api-keys').filter(
      ({ credential, asked }) => credential.who === actor && !credential.flaw && !asked?.odd.includes('tenant'),
    );
  const denied = listTo('admin').find((entry) => [401, 403, 404].includes(statusOf(entry)));
  if (!denied || listTo('admin').some(isOk)) return undefined;
  const member = answered(log).find(({ credential }) => credential.who === 'member');
  if (member && claimOf(member)?.isAdmin && listTo('member').some(isOk))
    return `actors.admin and actors.member look swapped: the target says that member is an administrator and lists the API keys of resources.tenantId to member, and refuses them to admin (${describe(denied.answer)}).`;
  if (statusOf(denied) !== 403) return undefined;
  return `actors.admin is not an administrator: the target says so, and refuses the API keys of resources.tenantId to admin (${describe(denied.answer)}). Name one who is.`;
}

/** The answers to each caller: by its user, else by its token. */
const byCaller = perLog((log): readonly Entry[][] => [
  ...groupBy(answered(log), ({ credential: { who, token } }) => who ?? token).values(),
]);

const overlappingScopes = perLog((log) => overlappingIn(of(log, 'scopes')));
const wayOf = ({ credential }: Entry): string =>
  credential.kind === 'pat' ? 'pat' : (credential.issued?.way ?? 'given');

/** Two answers that must say the same of one caller: whether that is an administrator. */
interface Comparison extends Omit<Rule, 'judge'> {
  /** To what the second one is, for messages. */
  what: string;
  /** Whether the second one, which may overlap another request, is compared with the first one, which does not. */
  isPair: (first: Entry, entry: Entry, isOverlapping: boolean) => boolean;
  /** What else the rule judges. */
  more?: (log: Log) => Judgement[];
}

const COMPARISONS: readonly Comparison[] = [
  {
    id: 'scopes-of-each-caller',
    requirements: ['SCO-01', 'SCO-02'],
    title: 'the token scopes are answered to each caller about itself: by JWT and PAT, early and late, several at once',
    what: 'while another caller asks at the same time',
    isPair: (first, entry, isOverlapping) => isOverlapping && wayOf(entry) === wayOf(first),
    more: (log) => [...notModified(log), ...comingAndGoing(log)],
  },
  {
    id: 'pat-administrator',
    requirements: ['AUT-02'],
    title:
      'the scopes answer says to a PAT what it says to a JWT: that there are scopes, and whether its user is an administrator',
    what: 'to a PAT than to a JWT of the same user',
    isPair: (first, entry, isOverlapping) => !isOverlapping && wayOf(entry) === 'pat' && wayOf(first) !== 'pat',
    more: namedToPat,
  },
  {
    id: 'login-user',
    requirements: ['AUT-08'],
    title: `the JWT of ${OPERATIONS.login.name} is of the user that logs in: the scopes answer says the same of administrators as to SSO`,
    what: `to a JWT of ${OPERATIONS.login.name} than to one of SSO`,
    isPair: (first, entry, isOverlapping) => !isOverlapping && wayOf(entry) === 'login' && wayOf(first) !== 'login',
    more: (log) => [...sameByLogin(log)],
  },
  {
    id: 'sso-identity-kept',
    requirements: ['SSO-17'],
    title: 'the token of a later sign-in is of the same user',
    what: 'to a token of a later sign-in of the same identity',
    isPair: (first, entry, isOverlapping) =>
      !isOverlapping && first.n < entry.n && [first, entry].every((each) => wayOf(each) === 'sso'),
  },
  {
    id: 'scopes-later',
    requirements: ['SCO-03', 'SCO-04'],
    title: 'what is said of administrators stays the same through the run',
    what: 'to the same token later in the run',
    isPair: (first, entry, isOverlapping) =>
      !isOverlapping && first.n < entry.n && first.credential.token === entry.credential.token,
  },
];

function comparisonRule({ what, isPair, more, ...rule }: Comparison): Rule {
  const compared = (log: Log, first: Entry, entry: Entry): Judgement => {
    const [was, is] = [claimOf(first), claimOf(entry)];
    if (!was || !is || was.isAdmin === is.isAdmin) return shown(first, entry);
    if (rule.id === 'login-user' && !isOneUser(log, entry))
      return open(
        'actors.admin.login and actors.admin.sso may be two users: the scopes answers differ, and nothing shows that they are one',
      );
    const message = `The scopes answer says another thing of administrators ${what}.`;
    const [expected, actual] = [was, is].map(({ path, value }) => ({ [path.join('.')]: value }));
    const finding = violated(message, expected, actual, first, entry);
    return rule.id === 'scopes-later' ? { ...finding, requirement: was.isAdmin ? 'SCO-03' : 'SCO-04' } : finding;
  };
  const judge = (log: Log): Judgement[] => {
    const overlapping = overlappingScopes(log);
    const pairs = byCaller(log).flatMap((own) =>
      own.flatMap((entry): Judged => {
        const first = own.find((each) => !overlapping.has(each) && isPair(each, entry, overlapping.has(entry)));
        return first ? compared(log, first, entry) : [];
      }),
    );
    return [...(more?.(log) ?? []), ...pairs];
  };
  return { ...rule, judge };
}

/** If the scopes answer names scopes to a JWT, it names some to a PAT of the same user, and none to a member's that only administrators have. */
function namedToPat(log: Log): Judgement[] {
  const none = 'The scopes answer names no scope to a PAT, and some to a JWT of the same user.';
  const more =
    'The scopes answer names a scope of administrators to the PAT of somebody else, and not to a JWT of the same user.';
  return byCaller(log).flatMap((own) => {
    const jwt = own.find((entry) => !isByPat(entry) && namesScopes(jsonIn(entry)));
    const admins = answered(log).filter((entry) => !isByPat(entry) && claimOf(entry)?.isAdmin);
    const [known, foreign] = [
      new Set(jwt && namesIn(jwt)),
      new Set(jwt && claimOf(jwt)?.isAdmin === false ? admins.flatMap(namesIn) : []),
    ];
    return own
      .filter((entry) => jwt && isByPat(entry))
      .flatMap((entry): Judged => {
        const json = show(jsonIn(entry));
        if (!namesScopes(jsonIn(entry))) return violated(none, 'scopes that are available', json, jwt, entry);
        const name = namesIn(entry).find((each) => foreign.has(each) && !known.has(each));
        return name === undefined
          ? []
          : violated(`${more} It is ${show(name)}.`, show(jwt && jsonIn(jwt)), json, jwt, entry);
      });
  });
}

/** The texts of an answer, in one order: a list of scopes has the same ones each time. */
const namesIn = (entry: Entry): string[] =>
  findStrings(jsonIn(entry))
    .filter(({ value }) => /^[\w.:*/-]+$/.test(value) && !/\d{4,}/.test(value))
    .map(({ value }) => value)
    .toSorted();
const isSameNames = (a: Entry, b: Entry): boolean => namesIn(a).join('\n') === namesIn(b).join('\n');

/** An ETag of another caller's different answer gets 304 (RFC 9110, 13.1.2). */
const notModified = (log: Log): Judgement[] =>
  of(log, 'scopes').flatMap((entry): Judged => {
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

/** The scopes that one token is shown may be granted or taken away meanwhile; they do not come and go. */
const comingAndGoing = (log: Log): Judgement[] =>
  [...groupBy(answered(log), ({ credential }) => credential.token).values()].flatMap((own): Judged => {
    const [first, second] = own;
    const changes = own.slice(1).filter((entry, at) => !isSameNames(entry, own[at] as Entry));
    if (!first || !second) return [];
    if (log.isPartial || changes.length < 2) return shown(first, second);
    const message = 'One token is shown other scopes from answer to answer.';
    const [other = second] = changes;
    return { ...violated(message, show(jsonIn(first)), show(jsonIn(other)), first, other), requirement: 'SCO-02' };
  });

/** Whether a login names the user that SSO signs in: by what it is sent, or by what it answers. */
function isOneUser(log: Log, { credential: { issued, who } }: Entry): boolean {
  const bySso = log.entries.find(({ credential }) => credential.who === who && credential.issued?.way === 'sso');
  const user = findStrings(bySso?.credential.issued && jsonOf(bySso.credential.issued.answer));
  const names = user.filter(({ path, value }) => value.length > 2 && /^user (id|email|username)$/.test(path.join(' ')));
  const { request, response } = issued?.answer ?? {};
  return names.some(({ value }) => [request, response].some((part) => part?.body?.includes(JSON.stringify(value))));
}

export const scopeRules: readonly Rule[] = [
  scopesAnswered,
  administratorRule('admin', {
    id: 'scopes-administrator',
    requirements: ['SCO-03'],
    title: 'the scopes answer says of an administrator that the caller is one',
  }),
  administratorRule('member', {
    id: 'scopes-no-administrator',
    requirements: ['SCO-04'],
    title: 'the scopes answer says of somebody else that the caller is not an administrator',
  }),
  ...COMPARISONS.map(comparisonRule),
];
