import { OPERATIONS } from '../api/operations.ts';
import { findJwts, isExchanged, refreshTokenIn } from '../api/tokens-in-answers.ts';
import {
  type Entry,
  FLAWS,
  type FlawKind,
  isContentRefused,
  isMaskIn,
  isOk,
  isProtected,
  isRefused,
  jsonIn,
  type Log,
  PROTECTED,
  type ProtectedId,
  sentOf,
  statusOf,
} from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { describe } from '../values/answer.ts';
import { findStrings, isObject, show } from '../values/json.ts';
import { describeSent } from './documented.ts';
import { unnamedIn } from './made-up.ts';
import { type Judgement, of, open, type Rule, shown, violated } from './rule.ts';

/** Which credentials protected operations accept and refuse, and for how long (part 5). */

const nameOf = (operation: ProtectedId): string => OPERATIONS[operation].name;
const isGood = ({ credential }: Entry): boolean =>
  credential.flaw === undefined && ['jwt', 'pat', 'opaque'].includes(credential.kind) && credential.token !== undefined;

/** Requests of protected operations with good credentials. */
const withGood = (log: Log): Entry[] => log.entries.filter((entry) => isProtected(entry.operation) && isGood(entry));

const memo = new WeakMap<Log, { size: number; uses: Map<string, Entry[]> }>();

/** Every use of each good token at a protected operation, in order. */
function usesOf(log: Log): Map<string, Entry[]> {
  const known = memo.get(log);
  if (known?.size === log.entries.length) return known.uses;
  const uses = new Map<string, Entry[]>();
  for (const entry of withGood(log)) {
    const token = entry.credential.token ?? '';
    const own = uses.get(token) ?? [];
    uses.set(token, own);
    own.push(entry);
  }
  memo.set(log, { size: log.entries.length, uses });
  return uses;
}

// ---- refusals

/** Each kind of bad credentials is refused by each operation; a refusal counts beside a success with good ones. */
const refusalRule = (kind: FlawKind, operation: ProtectedId): Rule => ({
  id: `auth-${kind}-${operation}`,
  requirements: [FLAWS[kind].requirement],
  title: `${nameOf(operation)} refuses ${kind === 'no-credentials' ? 'a request without credentials' : FLAWS[kind].what}`,
  judge(log) {
    const own = of(log, operation);
    const control = own.find((entry) => isOk(entry) && isGood(entry));
    const hasHeaders =
      !log.isPartial || log.entries.some(({ answer }) => answer.request.headers.Authorization !== undefined);
    return own
      .filter(({ credential }) => credential.flaw?.kind === kind)
      .flatMap((entry): Judgement[] => {
        const { flaw } = entry.credential;
        if (kind === 'no-credentials' && entry.hasCookies) return [];
        if (isOk(entry) && kind === 'no-credentials' && !hasHeaders)
          return [
            open(
              'the recording has no Authorization header at all, as exporters leave them out; export it with sensitive data',
            ),
          ];
        if (isOk(entry) || (statusOf(entry) >= 500 && !log.isPartial && control))
          return [
            violated(
              {
                message: `${nameOf(operation)} ${isOk(entry) ? 'accepts' : 'fails on'} ${flaw?.what}.`,
                expected: 'a refusal (4xx)',
                actual: `${describe(entry.answer)}: ${show(entry.answer.response.body)}`,
              },
              entry,
            ),
          ];
        if (!isRefused(entry)) return [];
        if (!control && !log.isPartial)
          return [
            open(`${nameOf(operation)} does not succeed with valid credentials either, so a refusal shows nothing`),
          ];
        return [shown(...(control ? [control] : []), entry)];
      });
  },
});

// ---- acceptance

/** What ends a token or hides it: a refusal after one of these shows nothing. */
interface Ends {
  /** Something that the document does not show, or bad credentials, which may lock a caller out. */
  any: number;
  /** Sign-ins and exchanges, by whose they are. */
  byUser: Map<string, number>;
  /** PATs made, by whose they are. */
  patsByUser: Map<string, number>;
}

/** Until which exchange something may have ended the tokens of a user, at a place of the log. */
function endsBefore(log: Log, until: Entry): Ends {
  const ends: Ends = { any: 0, byUser: new Map(), patsByUser: new Map() };
  for (const entry of log.entries) {
    if (entry.n >= until.n) break;
    const { operation, credential, answer } = entry;
    const who = whoOf(log, entry) ?? '';
    if (isProtected(operation)) {
      if (credential.flaw) ends.any = entry.n;
    } else if (operation === 'sso' || operation === 'login') ends.byUser.set(who, entry.n);
    else if (operation === 'pat') ends.patsByUser.set(credential.who ?? '', entry.n);
    // Such as the exchange of a refresh token, whose it may be.
    else if (!['GET', 'HEAD', 'OPTIONS'].includes(answer.request.method)) ends.any = entry.n;
  }
  return ends;
}

/** Whose a sign-in is: as the tokens that it hands out say. */
function whoOf(log: Log, entry: Entry): string | undefined {
  const body = sentOf(entry);
  for (const [name, actor] of Object.entries(log.actors))
    for (const claims of [actor?.sso, actor?.login])
      if (claims && isObject(body) && JSON.stringify(claims) === JSON.stringify(body)) return name;
  return entry.answer.request.body;
}

/** Whether anything between two exchanges may have ended the token of the second one, or locked it out. */
function mayHaveEnded(log: Log, since: Entry, at: Entry): boolean {
  const { any, byUser, patsByUser } = endsBefore(log, at);
  const who = at.credential.who ?? '';
  const ended = at.credential.kind === 'pat' ? (patsByUser.get(who) ?? 0) : (byUser.get(who) ?? 0);
  return Math.max(any, ended) > since.n;
}

/** Lifetimes are whole seconds, and the time of an entry is that of its answer. */
const ROUNDING_MS = 1_500;

/** Whether the announced lifetime of the token was over, or nothing says how long it is. */
function isPast(entry: Entry): boolean {
  const { issued } = entry.credential;
  if (issued?.lifetime === undefined) return false;
  return entry.endedAt - issued.at > issued.lifetime * 1000 - ROUNDING_MS;
}

/** Whether a token whose lifetime nothing announces may be past it: as others of the log live. */
function mayBePast(log: Log, { credential: { issued, kind }, endedAt }: Entry): boolean {
  if (!issued || issued.lifetime !== undefined || kind === 'pat') return false;
  const known = log.entries.flatMap(({ credential }) => credential.issued?.lifetime ?? []);
  return endedAt - issued.at > Math.min(...known) * 1000 - ROUNDING_MS;
}

const kindName = ({ credential }: Entry): 'pat' | 'login' | 'jwt' =>
  credential.kind === 'pat' ? 'pat' : credential.issued?.way === 'login' ? 'login' : 'jwt';
const KINDS = {
  jwt: { requirement: 'AUT-01', id: 'auth-accepts-jwt', what: 'a JWT access token' },
  pat: { requirement: 'AUT-02', id: 'auth-accepts-pat', what: 'a personal access token' },
  login: { requirement: 'AUT-08', id: 'login-accepted-by', what: `the JWT of ${OPERATIONS.login.name}` },
} as const;

/** Every operation accepts each kind of token: a refusal counts where the same user is let in with another token. */
const acceptRule = (kind: keyof typeof KINDS, operation: ProtectedId): Rule => ({
  id: `${KINDS[kind].id}-${operation}`,
  requirements: [KINDS[kind].requirement],
  title: `${nameOf(operation)} accepts ${KINDS[kind].what}`,
  judge(log) {
    const uses = usesOf(log);
    return withGood(log)
      .filter(
        (entry) =>
          entry.operation === operation &&
          (kindName(entry) === kind || (kind === 'jwt' && kindName(entry) === 'login')),
      )
      .flatMap((entry): Judgement[] => {
        if (isOk(entry)) return [shown(entry)];
        if (kindName(entry) !== kind) return [];
        const token = entry.credential.token ?? '';
        const same = uses.get(token) ?? [];
        const isOdd = entry.asked !== undefined && entry.asked.odd.length > 0;
        if (statusOf(entry) === 401) {
          if (isPast(entry) || mayBePast(log, entry)) return [];
          // A token that another operation accepts afterwards has not ended.
          const elsewhere = same.find((other) => isOk(other) && other.operation !== operation && other.n > entry.n);
          const earlier = same.findLast((other) => isOk(other) && other.operation !== operation && other.n < entry.n);
          const neverHere = !same.some((other) => isOk(other) && other.operation === operation);
          // A PAT that the target made itself is refused from the start, and a JWT of the same user is not.
          const isMade =
            kind === 'pat' && entry.credential.issued?.way === 'pat' && !same.some(isOk) && !endedByOthers(log, entry);
          const control =
            elsewhere ??
            (earlier && !mayHaveEnded(log, earlier, entry) ? earlier : undefined) ??
            (isMade ? controlOf(log, entry) : undefined);
          if (!control || !neverHere || (log.isPartial && !elsewhere)) return [];
          return [
            violated(
              {
                message: `${nameOf(operation)} refuses with 401 a token that another operation accepts.`,
                expected: 'a success (2xx)',
                actual: describe(entry.answer),
              },
              control,
              entry,
            ),
          ];
        }
        if (log.isPartial || isOdd || ![403, 404].includes(statusOf(entry))) return [];
        const control = controlOf(log, entry);
        if (!control || kind === 'jwt') return [];
        // A login may give fewer rights than SSO.
        if (kind === 'login')
          return [
            open(`${nameOf(operation)} was refused to the JWT of a login with ${statusOf(entry)}: it may lack a right`),
          ];
        // It may lack a scope, which is not documented; unless a token that means nothing is told the same.
        const nonsense = of(log, operation).find(
          (other) => other.credential.flaw?.kind === 'garbage' && statusOf(other) === statusOf(entry),
        );
        const isAlike = nonsense?.answer.response.body === entry.answer.response.body;
        if (!isAlike && !hasAllScopes(entry))
          return [
            open(
              `${nameOf(operation)} was refused to the PAT with ${statusOf(entry)}: it may lack a scope; set actors.admin.pat to one that may do all that admin may`,
            ),
          ];
        return [
          violated(
            {
              message: `${nameOf(operation)} refuses ${KINDS[kind].what} with ${statusOf(entry)}, and accepts another token of the same user.`,
              expected: 'a success (2xx)',
              actual: describe(entry.answer),
            },
            control,
            entry,
          ),
        ];
      });
  },
});

/** The same request of the same user by another kind of token, which was accepted. */
const controlOf = (log: Log, entry: Entry): Entry | undefined =>
  of(log, entry.operation).find(
    (other) =>
      isOk(other) &&
      isGood(other) &&
      other.credential.who !== undefined &&
      other.credential.who === entry.credential.who &&
      other.resource === entry.resource &&
      kindName(other) !== kindName(entry) &&
      other.credential.kind !== 'pat',
  );

/** Whether a PAT was made with a list of scopes, as all that are available. */
function hasAllScopes({ credential }: Entry): boolean {
  const request = credential.issued?.answer.request.body ?? '';
  return /"(scopes|permissions|abilities)":\["/.test(request);
}

/** What a way of signing in hands out is accepted by some protected operation. */
function worksRule(
  id: string,
  requirements: string[],
  title: string,
  isOf: (entry: Entry) => boolean,
  what: string,
): Rule {
  return {
    id,
    requirements,
    title,
    judge: (log) =>
      [...usesOf(log).values()].flatMap((uses): Judgement[] => {
        const own = uses.filter(isOf);
        const accepted = own.find(isOk);
        if (accepted) return [shown(accepted)];
        // A 403 decides nothing: who may do what is not documented.
        const refused = own.filter((entry) => statusOf(entry) === 401 && !isPast(entry));
        const [first] = refused;
        const wasNew = first && !endedByOthers(log, first);
        if (!first || !wasNew || own.some((entry) => ![401, 403, 404].includes(statusOf(entry)))) return [];
        return [
          violated(
            {
              message: `${what} is accepted by no protected operation.`,
              expected: `a success (2xx) at one of ${[...new Set(refused.map(({ operation }) => nameOf(operation as ProtectedId)))].join(', ')}`,
              actual: refused
                .map((entry) => `${nameOf(entry.operation as ProtectedId)}: ${describe(entry.answer)}`)
                .slice(0, 4),
            },
            first,
          ),
        ];
      }),
  };
}

/** Whether something after its issue may have ended a token before it was first used. */
function endedByOthers(log: Log, use: Entry): boolean {
  const { issued } = use.credential;
  const issuing = issued && log.entries.find(({ n }) => n === issued.n);
  return issuing ? mayHaveEnded(log, issuing, use) : false;
}

const isFrom =
  (way: string) =>
  ({ credential }: Entry): boolean =>
    credential.issued?.way === way && (way !== 'sso' || credential.kind !== 'pat');

// ---- creation

const loginJwt: Rule = {
  ...worksRule(
    'login-jwt',
    ['AUT-08'],
    `${OPERATIONS.login.name} yields a JWT that protected operations accept`,
    (entry) => isFrom('login')(entry) && entry.credential.kind === 'jwt',
    `The JWT of ${OPERATIONS.login.name}`,
  ),
};

const login: Rule = {
  ...loginJwt,
  judge: (log) => [
    ...loginJwt.judge(log),
    ...of(log, 'login').flatMap((entry): Judgement[] => {
      if (!isOk(entry)) {
        if (log.isPartial || !entry.asked || entry.asked.odd.length > 0) return [];
        if (isContentRefused(entry) && statusOf(entry) < 500)
          return [
            open(
              `${OPERATIONS.login.name} refused the body with ${statusOf(entry)}. Its body is not documented: check that actors.admin.login has the fields that the target takes.`,
            ),
          ];
        if (statusOf(entry) < 500 && ![404, 501].includes(statusOf(entry))) return [];
        return [
          violated(
            {
              message: `${OPERATIONS.login.name} did not succeed: it answered ${statusOf(entry)}.`,
              expected: 'a success (2xx)',
              actual: `${describe(entry.answer)}: ${show(entry.answer.response.body)}`,
            },
            entry,
          ),
        ];
      }
      if (!entry.hasBody || findJwts(entry.answer).length > 0) return [];
      if (findStrings(jsonIn(entry)).some(({ value }) => isMaskIn(entry, value)))
        return [open('what the login handed out was masked in the recording')];
      const isCalledToken = findStrings(jsonIn(entry)).some(
        ({ path }) => path.length === 0 || /token|jwt|bearer/i.test(path.join('.')),
      );
      // It may be handed out in a cookie of another form, or in a second step: the response is not shown.
      if (isObject(jsonIn(entry)) && !isCalledToken)
        return [
          open(
            `${OPERATIONS.login.name} succeeded, and nothing in its answer is called a token; what it answers is not shown`,
          ),
        ];
      return [
        violated(
          {
            message: `${OPERATIONS.login.name} succeeded without yielding a JWT.`,
            expected: 'a JWT access token',
            actual: entry.answer.response.body,
          },
          entry,
        ),
      ];
    }),
  ],
};

const patWorks = worksRule(
  'pat-created',
  ['AUT-09'],
  `${OPERATIONS.pat.name} yields a PAT that protected operations accept`,
  isFrom('pat'),
  'The PAT created',
);

const patCreated: Rule = {
  ...patWorks,
  judge: (log) => [
    ...patWorks.judge(log),
    ...of(log, 'pat').flatMap((entry): Judgement[] => {
      if (isOk(entry)) return [];
      const isMissing = [404, 405, 501].includes(statusOf(entry));
      // It is sent once, since nothing removes what it makes: a gateway's answer may have passed.
      const isFailure = statusOf(entry) >= 500 && ![502, 503, 504].includes(statusOf(entry));
      if (log.isPartial || entry.credential.kind !== 'jwt' || !(isMissing || isFailure))
        return [
          open(
            `${OPERATIONS.pat.name}, whose body is not documented, was answered ${describe(entry.answer)}; set actors.admin.pat`,
          ),
        ];
      return [
        violated(
          {
            message: `${OPERATIONS.pat.name} did not succeed: it answered ${statusOf(entry)}.`,
            expected: 'a success (2xx)',
            actual: `${describe(entry.answer)}: ${show(entry.answer.response.body)}`,
          },
          entry,
        ),
      ];
    }),
  ],
};

/** The PATs after the first one of the run. */
const laterPats = worksRule(
  'pat-later-ones',
  ['AUT-09'],
  'later PATs are accepted like the first one',
  (entry) => isFrom('pat')(entry) && entry.credential.who !== 'admin',
  'A later PAT',
);

const refreshedWorks: Rule = {
  ...worksRule(
    'sso-refresh',
    ['SSO-18'],
    'the refresh token of an SSO login yields an access token of the same user that protected operations accept',
    (entry) => isFrom('elsewhere')(entry) && entry.credential.kind === 'jwt' && entry.credential.who !== undefined,
    'The access token that a refresh token yielded',
  ),
  isOptional: true,
};

/** The sign-in that handed out the refresh token of an exchange. */
const signInOf = (log: Log, { refresh }: Entry): Entry | undefined =>
  of(log, 'sso').find((entry) => refreshTokenIn(entry.answer) === refresh?.token);

const refreshWorks: Rule = {
  ...refreshedWorks,
  judge: (log) => [
    ...refreshedWorks.judge(log),
    ...log.entries.flatMap((entry): Judgement[] => {
      if (!entry.refresh || entry.refresh.exchanged || ![400, 401, 403, 422].includes(statusOf(entry))) return [];
      const own = signInOf(log, entry);
      // The path and the form are right where an older refresh token of the same user is exchanged in the same way afterwards.
      const older = log.entries.find((other) => {
        const theirs = other.refresh && isExchanged(other.answer) ? signInOf(log, other) : undefined;
        return (
          own !== undefined &&
          theirs !== undefined &&
          other.n > entry.n &&
          theirs.n < own.n &&
          theirs.answer.request.body === own.answer.request.body &&
          other.path === entry.path &&
          canonical(other.refresh?.template) === canonical(entry.refresh?.template)
        );
      });
      if (!older) return [];
      return [
        violated(
          {
            message: `The refresh token of a later sign-in was refused with ${statusOf(entry)}, and that of an earlier one is exchanged in the same way.`,
            expected: 'a success (2xx)',
            actual: describe(entry.answer),
          },
          older,
          entry,
        ),
      ];
    }),
  ],
};

// ---- life

/** A token that an operation accepted is accepted until its lifetime is over, or something ends it. */
const lives: Rule = {
  id: 'after-a-pause',
  requirements: ['SSO-08', 'AUT-01', 'AUT-02'],
  title: 'a token that was accepted is accepted for its whole life, however often and however late it is used',
  judge: (log) =>
    [...usesOf(log).values()].flatMap((uses): Judgement[] => {
      const judgements: Judgement[] = [];
      const accepted = new Map<string, Entry>();
      for (const [at, entry] of uses.entries()) {
        const place = `${entry.operation} ${entry.resource}`;
        const before = accepted.get(place);
        if (isOk(entry)) {
          if (before) judgements.push(shown(before, entry));
          accepted.set(place, entry);
        } else if (statusOf(entry) === 401 && before && !isPast(entry)) {
          const later = uses.slice(at + 1);
          const again = later.find((other) => isOk(other) && other.operation === entry.operation);
          // Refused in between: nothing ended it. In a recording, only that is sure of a token without announced lifetime.
          const hasLifetime = entry.credential.issued?.lifetime !== undefined || entry.credential.kind === 'pat';
          // A token that is new may not be known to every instance yet.
          if (again && isNew(entry, at)) {
            judgements.push(
              open('an access token was refused once right after it was handed out, as where instances lag'),
            );
            continue;
          }
          const isDead =
            !mayHaveEnded(log, before, entry) && hasLifetime && (!log.isPartial || entry.credential.kind !== 'pat');
          if (!again && !isDead) continue;
          judgements.push(deathOf(before, entry, at + 1, outlived(log, entry) && !hadPatBetween(log, before, entry)));
        }
      }
      return judgements;
    }),
};

/** How long instances of a deployment may need to hear of a token, in milliseconds. */
const LAG_MS = 3_000;
/** Uses after which every instance was met. */
const MANY_USES = 10;

const isNew = ({ credential, startedAt }: Entry, uses: number): boolean =>
  credential.issued !== undefined && startedAt - credential.issued.at < LAG_MS && uses < MANY_USES;

/** Whether another access token of SSO was accepted at a greater age, and longer after its first use: then time did not end this one. */
function outlived(log: Log, entry: Entry): boolean {
  const uses = usesOf(log);
  const age = ({ endedAt, credential }: Entry): number => endedAt - (credential.issued?.at ?? endedAt);
  const span = ({ endedAt, credential }: Entry): number =>
    endedAt - (uses.get(credential.token ?? '')?.[0]?.endedAt ?? endedAt);
  return withGood(log).some(
    (other) =>
      isOk(other) &&
      other.credential.token !== entry.credential.token &&
      other.credential.issued?.way === entry.credential.issued?.way &&
      age(other) > age(entry) &&
      span(other) > span(entry),
  );
}

/** Whether a PAT of the same user was made in between, which must not end an access token. */
const hadPatBetween = (log: Log, before: Entry, entry: Entry): boolean =>
  of(log, 'pat').some(({ n, credential }) => n > before.n && n < entry.n && credential.who === entry.credential.who);

function deathOf(before: Entry, entry: Entry, use: number, isOutlived: boolean): Judgement {
  const { issued, kind } = entry.credential;
  const age = ((entry.endedAt - (issued?.at ?? before.endedAt)) / 1000).toFixed(1);
  const name = nameOf(entry.operation as ProtectedId);
  return violated(
    {
      requirement: kind === 'pat' ? 'AUT-02' : issued?.way === 'sso' && !isOutlived ? 'SSO-08' : 'AUT-01',
      message: `${kind === 'pat' ? 'A personal access token' : 'An access token'} died after ${age} s${issued?.lifetime === undefined ? '' : ` of a promised ${issued.lifetime} s`}: ${name} accepted it before, and refused its use number ${use} with 401.`,
      expected: 'a success (2xx), as before',
      actual: describe(entry.answer),
    },
    before,
    entry,
  );
}

/** Services allow for clocks that differ: by no more than this. */
const MAX_LEEWAY_MS = 60_000;
const LEEWAY_MS = 1_000;

const expired: Rule = {
  id: 'auth-expired-jwt',
  requirements: ['AUT-12'],
  title: 'an access token is refused once its lifetime is over, by every operation',
  isOptional: true,
  judge: (log) =>
    [...usesOf(log)].flatMap(([token, uses]): Judgement[] => {
      const isGiven = Object.values(log.actors).some((actor) => actor?.expiredToken === token);
      const overdue = ({ credential: { issued }, startedAt }: Entry): number =>
        isGiven
          ? Number.POSITIVE_INFINITY
          : issued?.lifetime === undefined || issued.lifetime <= 0
            ? -1
            : startedAt - issued.at - issued.lifetime * 1000;
      const late = uses.filter((entry) => overdue(entry) > LEEWAY_MS);
      const refusedAt = late.find((entry) => statusOf(entry) === 401)?.n;
      return late.flatMap((entry): Judgement[] => {
        if (isRefused(entry)) return [shown(entry)];
        // Once another operation has refused it, clocks that differ explain nothing.
        const isSure = overdue(entry) > MAX_LEEWAY_MS || (refusedAt !== undefined && entry.n > refusedAt);
        if (!isOk(entry) || !isSure)
          return isOk(entry) ? [open('the token was still accepted after its end, which may be a leeway')] : [];
        const seconds = Math.round(overdue(entry) / 1000);
        return [
          violated(
            {
              message: `${nameOf(entry.operation as ProtectedId)} accepts an access token ${isGiven ? 'whose lifetime is over' : `${seconds} s after its lifetime was over`}.`,
              expected: 'a refusal (4xx)',
              actual: describe(entry.answer),
            },
            entry,
          ),
        ];
      });
    }),
};

/** Updates with a PAT, for the rules of recordings apply to every caller. */
const patUpdates: Rule = {
  id: 'pat-update',
  requirements: ['AUT-02'],
  title: 'an update with a PAT is accepted like one with a JWT of the same user',
  judge: (log) =>
    of(log, 'recording')
      .filter((entry) => entry.credential.kind === 'pat' && !entry.credential.flaw)
      .flatMap((entry): Judgement[] => {
        if (isOk(entry)) return [shown(entry)];
        if (log.isPartial || !entry.asked || entry.asked.odd.length > 0 || !isContentRefused(entry)) return [];
        if (unnamedIn(entry, log).length > 0) return [];
        const control = of(log, 'recording').find(
          (other) =>
            isOk(other) &&
            other.credential.kind === 'jwt' &&
            other.credential.who === entry.credential.who &&
            other.resource === entry.resource,
        );
        if (!control) return [];
        return [
          violated(
            {
              message: `${describeSent(entry)} does not succeed, and does with a JWT of the same user.`,
              expected: 'a success (2xx)',
              actual: describe(entry.answer),
            },
            control,
            entry,
          ),
        ];
      }),
};

export const accessRules: readonly Rule[] = [
  worksRule(
    'sso-token-works',
    ['SSO-15'],
    'a protected operation accepts the access token of the SSO answer',
    isFrom('sso'),
    'The access token of an SSO answer',
  ),
  refreshWorks,
  login,
  patCreated,
  laterPats,
  patUpdates,
  ...(Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((kind) =>
    PROTECTED.map((operation) => acceptRule(kind, operation)),
  ),
  ...(Object.keys(FLAWS) as FlawKind[]).flatMap((kind) => PROTECTED.map((operation) => refusalRule(kind, operation))),
  lives,
  expired,
];
