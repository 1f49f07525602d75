import { OPERATIONS } from '../api/operations.ts';
import {
  type Entry,
  FLAWS,
  type FlawKind,
  isContentRefused,
  isOk,
  type Log,
  PROTECTED,
  type ProtectedId,
  statusOf,
} from '../log/entry.ts';
import { describeSent } from './documented.ts';
import { isFrom, laterPats, login, patCreated, refreshWorks, worksRule } from './handed-out.ts';
import { expired, lifetimeLeft, lives } from './lifetimes.ts';
import { unnamedIn } from './made-up.ts';
import { refusalRule } from './refused-credentials.ts';
import { type Judged, of, open, type Rule, refused, shown } from './rule.ts';
import { endedByOthers, isGood, isPast, mayBePast, mayHaveEnded, nameOf, usesOf, withGood } from './tokens-in-use.ts';

/** Which credentials protected operations accept and refuse, and for how long (part 5). */

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
      .flatMap((entry): Judged => {
        if (isOk(entry)) return shown(entry);
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
          const message = `${nameOf(operation)} refuses with 401 a token that another operation accepts.`;
          return refused(message, [control, entry]);
        }
        if (log.isPartial || isOdd || ![403, 404].includes(statusOf(entry))) return [];
        const control = controlOf(log, entry);
        if (!control || kind === 'jwt') return [];
        // A login may give fewer rights than SSO.
        if (kind === 'login')
          return open(
            `${nameOf(operation)} was refused to the JWT of a login with ${statusOf(entry)}: it may lack a right`,
          );
        // The PAT may lack a scope, which is not documented, unless a garbage token gets the same answer.
        const nonsense = of(log, operation).find(
          (other) => other.credential.flaw?.kind === 'garbage' && statusOf(other) === statusOf(entry),
        );
        const isAlike = nonsense?.answer.response.body === entry.answer.response.body;
        if (!isAlike && !hasAllScopes(entry))
          return open(
            `${nameOf(operation)} was refused to the PAT with ${statusOf(entry)}: it may lack a scope; set actors.admin.pat to one that may do all that admin may`,
          );
        const what = `${KINDS[kind].what} with ${statusOf(entry)}`;
        const message = `${nameOf(operation)} refuses ${what}, and accepts another token of the same user.`;
        return refused(message, [control, entry]);
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

/** Updates with a PAT, for the rules of recordings apply to every caller. */
const patUpdates: Rule = {
  id: 'pat-update',
  requirements: ['AUT-02'],
  title: 'an update with a PAT is accepted like one with a JWT of the same user',
  judge: (log) =>
    of(log, 'recording')
      .filter((entry) => entry.credential.kind === 'pat' && !entry.credential.flaw)
      .flatMap((entry): Judged => {
        if (isOk(entry)) return shown(entry);
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
        const message = `${describeSent(entry)} does not succeed, and does with a JWT of the same user.`;
        return refused(message, [control, entry]);
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
  lifetimeLeft,
  expired,
];
