import { adminClaim } from '../api/admin-claim.ts';
import { OPERATIONS } from '../api/operations.ts';
import { namesScopes } from '../api/scope-listing.ts';
import { type Entry, jsonIn, type Log, overlappingIn, statusOf } from '../log/entry.ts';
import { describe, jsonOf } from '../values/answer.ts';
import { findStrings, isObject, parseJson, show } from '../values/json.ts';
import { extended, type Judged, type Judgement, of, open, perLog, type Rule, shown, violated } from './rule.ts';
import { answered } from './scopes.ts';

/** What the token scopes say of one user through different tokens, early and late, and at the same time (4.4). */

/** Two answers that must say the same of their callers. */
function contradiction(a: Entry, b: Entry): { was: unknown; is: unknown } | undefined {
  const [one, other] = [adminClaim(jsonIn(a)), adminClaim(jsonIn(b))];
  if (!one || !other || one.isAdmin === other.isAdmin) return undefined;
  return { was: { [one.path.join('.')]: one.value }, is: { [other.path.join('.')]: other.value } };
}

/** The texts of an answer, in one order: a list of scopes has the same ones each time. */
const namesIn = (entry: Entry): string =>
  findStrings(jsonIn(entry))
    .filter(({ value }) => /^[\w.:*/-]+$/.test(value) && !/\d{4,}/.test(value))
    .map(({ value }) => value)
    .toSorted()
    .join('\n');

type Comparison = (log: Log) => { of: readonly Entry[]; requirement?: string; what: string }[];

/** A rule that answers to one user say the same whether the user is an administrator. */
function sameRule(id: string, requirements: readonly string[], title: string, pairs: Comparison): Rule {
  return {
    id,
    requirements,
    title,
    judge: (log) =>
      pairs(log).flatMap(({ of: [first, ...others], what, requirement }): Judgement[] =>
        others.map((entry) => {
          const differs = first && contradiction(first, entry);
          if (!first || !differs) return shown(...(first ? [first] : []), entry);
          return violated({
            ...(requirement ? { requirement } : {}),
            message: `The scopes answer says another thing of administrators ${what}.`,
            expected: differs.was,
            actual: differs.is,
            by: [first, entry],
          });
        }),
      ),
  };
}

const users = (log: Log): string[] => [...new Set(answered(log).flatMap(({ credential }) => credential.who ?? []))];
const byUser = (log: Log, who: string, isWanted: (entry: Entry) => boolean): Entry[] =>
  answered(log).filter((entry) => entry.credential.who === who && isWanted(entry));
const wayOf = ({ credential }: Entry): string =>
  credential.kind === 'pat' ? 'pat' : (credential.issued?.way ?? 'given');

/** Answers to one token: what is said of its holder early and late. */
const laterAnswers: Comparison = (log) =>
  [...new Set(answered(log).map(({ credential }) => credential.token))].map((token) => {
    const own = answered(log).filter((entry) => entry.credential.token === token && !isOverlapping(log, entry));
    const isAdmin = own[0] && adminClaim(jsonIn(own[0]))?.isAdmin;
    return { of: own, requirement: isAdmin ? 'SCO-03' : 'SCO-04', what: 'to the same token later in the run' };
  });

const overlappingScopes = perLog((log) => overlappingIn(of(log, 'scopes')));
const isOverlapping = (log: Log, entry: Entry): boolean => overlappingScopes(log).has(entry);

/** The first answer to a JWT of a user by SSO, then those to the user's tokens of another kind. */
const toKind =
  (kind: string, what: string): Comparison =>
  (log) =>
    users(log).map((who) => {
      const own = byUser(log, who, (entry) => !isOverlapping(log, entry));
      const first =
        own.find((entry) => wayOf(entry) === 'sso' || wayOf(entry) === 'given') ??
        own.find((entry) => wayOf(entry) !== kind);
      const others = own.filter((entry) => wayOf(entry) === kind && entry !== first);
      return { of: first ? [first, ...others] : [], what };
    });

const laterSignIns: Comparison = (log) =>
  users(log).map((who) => ({
    of: byUser(log, who, (entry) => wayOf(entry) === 'sso' && !isOverlapping(log, entry)),
    what: 'to a token of a later sign-in of the same identity',
  }));

const overlappingCallers: Comparison = (log) =>
  users(log).map((who) => {
    const own = byUser(log, who, () => true);
    const first = own.find((entry) => !isOverlapping(log, entry));
    return {
      of: first
        ? [
            first,
            ...own.filter((entry) => entry !== first && isOverlapping(log, entry) && wayOf(entry) === wayOf(first)),
          ]
        : [],
      what: 'while another caller asks at the same time',
    };
  });

/** If the scopes answer names scopes to a JWT, it names some to a PAT of the same user. */
const scopesToPat: Rule = extended(
  sameRule(
    'pat-administrator',
    ['AUT-02'],
    'the scopes answer says to a PAT what it says to a JWT: that there are scopes, and whether its user is an administrator',
    toKind('pat', 'to a PAT than to a JWT of the same user'),
  ),
  (log) =>
    users(log).flatMap((who): Judgement[] => {
      const jwt = byUser(log, who, (entry) => wayOf(entry) !== 'pat' && namesScopes(jsonIn(entry)))[0];
      if (!jwt) return [];
      return byUser(log, who, (entry) => wayOf(entry) === 'pat' && !namesScopes(jsonIn(entry))).map((entry) =>
        violated({
          message: 'The scopes answer names no scope to a PAT, and some to a JWT of the same user.',
          expected: 'scopes that are available to the user',
          actual: show(jsonIn(entry)),
          by: [jwt, entry],
        }),
      );
    }),
);

/** A caller is told to keep the answer of another one, which says something else (RFC 9110, 13.1.2). */
const notModified = (log: Log): Judgement[] =>
  of(log, 'scopes').flatMap((entry): Judged => {
    const { 'If-None-Match': etag } = entry.answer.request.headers;
    if (statusOf(entry) !== 304 || etag === undefined) return [];
    const own = answered(log).find(({ credential }) => credential.token === entry.credential.token);
    const tagged = answered(log).find(
      ({ answer, credential }) => answer.response.headers.etag === etag && credential.who !== entry.credential.who,
    );
    if (!own || !tagged || (namesIn(own) === namesIn(tagged) && !contradiction(own, tagged))) return [];
    return violated({
      message: 'A caller is answered "not modified" (304) to the ETag of another caller, who is told something else.',
      expected: show(jsonIn(own)),
      actual: describe(entry.answer),
      by: [own, tagged, entry],
    });
  });

/** The scopes that one token is shown are the same each time. */
const scopesOfEachCaller: Rule = extended(
  sameRule(
    'scopes-of-each-caller',
    ['SCO-01', 'SCO-02'],
    'the token scopes are answered to each caller about itself: by JWT and PAT, early and late, several at once',
    overlappingCallers,
  ),
  (log) => [
    ...notModified(log),
    ...[...new Set(answered(log).map(({ credential }) => credential.token))].flatMap((token): Judged => {
      const own = answered(log).filter((entry) => entry.credential.token === token);
      const [first, ...others] = own;
      // Scopes may be granted or taken away meanwhile; they do not come and go.
      const lists = own.map(namesIn);
      const changes = lists.filter((list, at) => at > 0 && list !== lists[at - 1]).length;
      const other = others.findLast((entry) => first && namesIn(entry) !== namesIn(first));
      if (!first || log.isPartial || changes < 2 || !other) return first && others[0] ? shown(first, others[0]) : [];
      return violated({
        requirement: 'SCO-02',
        message: 'One token is shown other scopes from answer to answer.',
        expected: show(jsonIn(first)),
        actual: show(jsonIn(other)),
        by: [first, other],
      });
    }),
  ],
);

const sameByLogin: Rule = sameRule(
  'login-user',
  ['AUT-08'],
  `the JWT of ${OPERATIONS.login.name} is of the user that logs in: the scopes answer says the same of administrators as to SSO`,
  toKind('login', `to a JWT of ${OPERATIONS.login.name} than to one of SSO`),
);

/** Whether a login names the user that SSO signs in: by what it is sent, or by what it answers. */
function isOneUser(log: Log, { credential: { issued, who } }: Entry): boolean {
  const bySso = log.entries.find((entry) => entry.credential.who === who && entry.credential.issued?.way === 'sso');
  const grant = bySso?.credential.issued && jsonOf(bySso.credential.issued.answer);
  const user = isObject(grant) && isObject(grant.user) ? grant.user : {};
  const whos = [user.id, user.email, user.username].filter((value) => typeof value === 'string' && value.length > 2);
  const named = findStrings({
    sent: parseJson(issued?.answer.request.body ?? ''),
    answered: issued && jsonOf(issued.answer),
  });
  return named.some(({ value }) => whos.includes(value));
}

const loginUser: Rule = {
  ...sameByLogin,
  judge: (log) =>
    [...sameByLogin.judge(log)].map((judgement) => {
      const entry = judgement.state === 'violated' ? judgement.by.at(-1) : undefined;
      return !entry || isOneUser(log, entry)
        ? judgement
        : open(
            'actors.admin.login and actors.admin.sso may be two users: the scopes answers differ, and nothing shows that they are one',
          );
    }),
};

export const scopeComparisons: readonly Rule[] = [
  scopesOfEachCaller,
  scopesToPat,
  loginUser,
  sameRule('sso-identity-kept', ['SSO-17'], 'the token of a later sign-in is of the same user', laterSignIns),
  sameRule(
    'scopes-later',
    ['SCO-03', 'SCO-04'],
    'what is said of administrators stays the same through the run',
    laterAnswers,
  ),
];
