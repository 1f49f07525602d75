import { adminClaim, statementsOf } from '../api/admin-claim.ts';
import { OPERATIONS } from '../api/operations.ts';
import { namesScopes } from '../api/scope-listing.ts';
import { type Entry, isOk, jsonIn, type Log, overlappingIn, statusOf } from '../log/entry.ts';
import { describe, jsonOf } from '../values/answer.ts';
import { findStrings, isObject, parseJson, show } from '../values/json.ts';
import { type Judgement, of, open, perLog, type Rule, shown, violated } from './rule.ts';

/** What the token scopes say of their caller (4.4). The shape of the answer is not shown. */

const NAME = OPERATIONS.scopes.name;

/** The answers to good credentials, by whose they are. */
const answered = (log: Log): Entry[] =>
  of(log, 'scopes').filter(
    (entry) =>
      isOk(entry) &&
      entry.hasBody &&
      !entry.credential.flaw &&
      entry.credential.kind !== 'masked' &&
      jsonIn(entry) !== undefined,
  );

const isBy =
  (actor: string) =>
  ({ credential }: Entry): boolean =>
    credential.who === actor;

const scopesAnswered: Rule = {
  id: 'scopes-answered',
  requirements: ['SCO-01'],
  title: 'the token scopes are answered to GET with a bearer token',
  judge: (log) =>
    of(log, 'scopes').flatMap((entry): Judgement[] => {
      if (entry.credential.flaw || entry.credential.kind === 'masked') return [];
      if (isOk(entry)) return [shown(entry)];
      const status = statusOf(entry);
      if (log.isPartial || status === 401 || status === 429) return [];
      // Any authenticated caller may list the scopes that are available to it (part 1).
      const isSignedIn = entry.credential.issued !== undefined && entry.credential.kind === 'jwt';
      const isProven = log.entries.some((each) => isOk(each) && each.credential.token === entry.credential.token);
      const isPathKnown = of(log, 'scopes').some(isOk);
      if (status === 403 ? !isSignedIn : !(isPathKnown || (isProven && status >= 500))) return [];
      if (entry.credential.kind === 'pat') return [];
      return [
        violated(
          {
            message: `${NAME} was refused with ${status} to a caller who is signed in: any authenticated caller may list its scopes.`,
            expected: 'a success (2xx)',
            actual: `${describe(entry.answer)}: ${show(entry.answer.response.body)}`,
          },
          entry,
        ),
      ];
    }),
};

/** Whether two callers of whom only one is an administrator are told the same, be it in words that the suite does not know. */
const saysTheSame = (a: Entry, b: Entry): boolean => statementsOf(jsonIn(a)) === statementsOf(jsonIn(b));

function administratorRule(id: string, requirement: string, actor: 'admin' | 'member', title: string): Rule {
  const isAdmin = actor === 'admin';
  return {
    id,
    requirements: [requirement],
    title,
    judge(log) {
      const answers = answered(log);
      if (Object.keys(log.actors).length === 0)
        return answers.length === 0
          ? []
          : [open('who of the callers is an administrator is not known; name them with --target')];
      const ofActor = answers.filter(
        ({ credential: { who = '' } }) => who === actor || log.actors[who]?.role === actor,
      );
      const toOthers = ofActor.filter((entry) => entry.credential.kind !== 'pat');
      const own = (toOthers.length > 0 ? toOthers : ofActor).filter((entry) => isJudged(log, entry));
      const toPats = ofActor.filter((entry) => entry.credential.kind === 'pat' && isUntold(entry, isAdmin));
      const told = own.find((entry) => adminClaim(jsonIn(entry)));
      const other = answers.find(
        (entry) => isBy(isAdmin ? 'member' : 'admin')(entry) && entry.credential.kind !== 'pat',
      );
      const isContradicted = own.some((entry) => {
        const claim = adminClaim(jsonIn(entry));
        return claim && !claim.isWeak && claim.isAdmin !== isAdmin;
      });
      const mistaken = isContradicted ? mistakenActors(log) : undefined;
      if (mistaken) return [{ ...open(mistaken), isSetUp: true }];
      const untold = told
        ? toPats.map((entry) =>
            violated(
              {
                message:
                  'The scopes answer does not say to a PAT whether its user is an administrator, and says it to a JWT.',
                expected: adminClaim(jsonIn(told))?.path.join('.'),
                actual: show(jsonIn(entry)),
              },
              told,
              entry,
            ),
          )
        : [];
      const toJwts = own.flatMap((entry): Judgement[] => {
        const claim = adminClaim(jsonIn(entry));
        if (claim && claim.isAdmin === isAdmin && !(claim.isWeak && !isAdmin)) return [shown(entry)];
        if (claim && !claim.isWeak && claim.isAdmin !== isAdmin)
          return [
            violated(
              {
                message: isAdmin
                  ? 'The scopes answer says that the administrator is none.'
                  : 'The scopes answer says that a member is an administrator.',
                expected: `${claim.path.join('.')} of ${isAdmin ? 'an administrator' : 'somebody who is not an administrator'}`,
                actual: claim.value,
              },
              entry,
            ),
          ];
        if (log.isPartial) return [open('nothing in the scopes answer is named after administrators')];
        if (!other)
          return [
            open('nothing in the answer is named after administrators; with actors.member the suite can compare'),
          ];
        if (!saysTheSame(entry, other)) return [shown(entry, other)];
        return [
          violated(
            {
              message: 'The scopes answer does not say whether the caller is an administrator.',
              expected: 'something in which admin and member differ',
              actual: show(jsonIn(entry)),
            },
            other,
            entry,
          ),
        ];
      });
      return [...toJwts, ...untold];
    },
  };
}

/** Whether an answer does not say what it should of its caller, or says the opposite. */
function isUntold(entry: Entry, isAdmin: boolean): boolean {
  const claim = adminClaim(jsonIn(entry));
  return !claim || (!claim.isWeak && claim.isAdmin !== isAdmin);
}

/** The first answer to each token, and those that no other request disturbed: what changes later is another rule's finding. */
function isJudged(log: Log, entry: Entry): boolean {
  const own = answered(log).filter((each) => each.credential.token === entry.credential.token);
  return own[0] === entry || adminClaim(jsonIn(own[0] as Entry))?.isAdmin === adminClaim(jsonIn(entry))?.isAdmin;
}

/** Why the actors of the target file are not whom it says, by whom the API keys are listed to. */
function mistakenActors(log: Log): string | undefined {
  const listTo = (actor: string) =>
    of(log, 'api-keys').filter(
      (entry) => isBy(actor)(entry) && !entry.credential.flaw && entry.asked?.odd.includes('tenant') !== true,
    );
  const refused = listTo('admin').find((entry) => [401, 403, 404].includes(statusOf(entry)));
  if (!refused || listTo('admin').some(isOk)) return undefined;
  const member = answered(log).find(isBy('member'));
  if (member && adminClaim(jsonIn(member))?.isAdmin && listTo('member').some(isOk))
    return `actors.admin and actors.member look swapped: the target says that member is an administrator and lists the API keys of resources.tenantId to member, and refuses them to admin (${describe(refused.answer)}).`;
  if (statusOf(refused) !== 403) return undefined;
  return `actors.admin is not an administrator: the target says so, and refuses the API keys of resources.tenantId to admin (${describe(refused.answer)}). Name one who is.`;
}

/** Two answers that must say the same of their callers. */
function contradiction(a: Entry, b: Entry): { was: unknown; is: unknown } | undefined {
  const [one, other] = [adminClaim(jsonIn(a)), adminClaim(jsonIn(b))];
  if (!one || !other || one.isAdmin === other.isAdmin) return undefined;
  return { was: { [one.path.join('.')]: one.value }, is: { [other.path.join('.')]: other.value } };
}

/** The texts of an answer, whatever their order: a list of scopes has the same ones each time. */
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
          return violated(
            {
              ...(requirement ? { requirement } : {}),
              message: `The scopes answer says another thing of administrators ${what}.`,
              expected: differs.was,
              actual: differs.is,
            },
            first,
            entry,
          );
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
const toPat: Rule = {
  ...sameRule(
    'pat-administrator',
    ['AUT-02'],
    'the scopes answer says to a PAT what it says to a JWT: that there are scopes, and whether its user is an administrator',
    toKind('pat', 'to a PAT than to a JWT of the same user'),
  ),
};

const scopesToPat: Rule = {
  ...toPat,
  judge: (log) => [
    ...toPat.judge(log),
    ...users(log).flatMap((who): Judgement[] => {
      const jwt = byUser(log, who, (entry) => wayOf(entry) !== 'pat' && namesScopes(jsonIn(entry)))[0];
      if (!jwt) return [];
      return byUser(log, who, (entry) => wayOf(entry) === 'pat' && !namesScopes(jsonIn(entry))).map((entry) =>
        violated(
          {
            message: 'The scopes answer names no scope to a PAT, and some to a JWT of the same user.',
            expected: 'scopes that are available to the user',
            actual: show(jsonIn(entry)),
          },
          jwt,
          entry,
        ),
      );
    }),
  ],
};

/** The scopes that one token is shown are the same each time. */
const sameScopes: Rule = {
  ...sameRule(
    'scopes-of-each-caller',
    ['SCO-01', 'SCO-02'],
    'the token scopes are answered to each caller about itself: by JWT and PAT, early and late, several at once',
    overlappingCallers,
  ),
};

const scopesOfEachCaller: Rule = {
  ...sameScopes,
  judge: (log) => [
    ...sameScopes.judge(log),
    ...[...new Set(answered(log).map(({ credential }) => credential.token))].flatMap((token): Judgement[] => {
      const own = answered(log).filter((entry) => entry.credential.token === token);
      const [first, ...others] = own;
      // Scopes may be granted or taken away meanwhile; they do not come and go.
      const lists = own.map(namesIn);
      const changes = lists.filter((list, at) => at > 0 && list !== lists[at - 1]).length;
      const other = others.findLast((entry) => first && namesIn(entry) !== namesIn(first));
      if (!first || log.isPartial || changes < 2 || !other) return first && others[0] ? [shown(first, others[0])] : [];
      return [
        violated(
          {
            requirement: 'SCO-02',
            message: 'One token is shown other scopes from answer to answer.',
            expected: show(jsonIn(first)),
            actual: show(jsonIn(other)),
          },
          first,
          other,
        ),
      ];
    }),
  ],
};

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
    sameByLogin.judge(log).map((judgement) => {
      const entry = judgement.state === 'violated' ? judgement.by.at(-1) : undefined;
      return !entry || isOneUser(log, entry)
        ? judgement
        : open(
            'actors.admin.login and actors.admin.sso may be two users: the scopes answers differ, and nothing shows that they are one',
          );
    }),
};

export const scopeRules: readonly Rule[] = [
  scopesAnswered,
  administratorRule(
    'scopes-administrator',
    'SCO-03',
    'admin',
    'the scopes answer says of an administrator that the caller is one',
  ),
  administratorRule(
    'scopes-no-administrator',
    'SCO-04',
    'member',
    'the scopes answer says of somebody else that the caller is not an administrator',
  ),
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
