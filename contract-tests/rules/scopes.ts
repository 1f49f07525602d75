import { adminClaim, statementsOf } from '../api/admin-claim.ts';
import { OPERATIONS } from '../api/operations.ts';
import { type Entry, isOk, jsonIn, type Log, statusOf } from '../log/entry.ts';
import { describe } from '../values/answer.ts';
import { show } from '../values/json.ts';
import { isDocumented } from './documented.ts';
import { answerOf, type Judged, of, open, type Rule, refused, shown, violated } from './rule.ts';

/** What the token scopes say of their caller (4.4). The shape of the answer is not shown. */

const NAME = OPERATIONS.scopes.name;

/** The answers to good credentials, by whose they are. */
export const answered = (log: Log): Entry[] =>
  of(log, 'scopes').filter((entry) => isDocumented(entry) && jsonIn(entry) !== undefined);

const isBy =
  (actor: string) =>
  ({ credential }: Entry): boolean =>
    credential.who === actor;

const scopesAnswered: Rule = {
  id: 'scopes-answered',
  requirements: ['SCO-01'],
  title: 'the token scopes are answered to GET with a bearer token',
  judge: (log) =>
    of(log, 'scopes').flatMap((entry): Judged => {
      if (entry.credential.flaw || entry.credential.kind === 'masked') return [];
      if (isOk(entry)) return shown(entry);
      const status = statusOf(entry);
      if (log.isPartial || [304, 401, 429].includes(status)) return [];
      // Any authenticated caller may list the scopes that are available to it (part 1).
      const isSignedIn = entry.credential.issued !== undefined && entry.credential.kind === 'jwt';
      const isProven = log.entries.some((each) => isOk(each) && each.credential.token === entry.credential.token);
      const isPathKnown = of(log, 'scopes').some(isOk);
      if (status === 403 ? !isSignedIn : !(isPathKnown || (isProven && status >= 500))) return [];
      if (entry.credential.kind === 'pat') return [];
      const message = `${NAME} was refused with ${status} to a caller who is signed in: any authenticated caller may list its scopes.`;
      return refused(message, [entry], answerOf(entry));
    }),
};

/** Whether two callers of whom only one is an administrator are told the same, even in words that the suite does not know. */
const saysTheSame = (a: Entry, b: Entry): boolean => statementsOf(jsonIn(a)) === statementsOf(jsonIn(b));

function administratorRule(actor: 'admin' | 'member', rule: Omit<Rule, 'judge'>): Rule {
  const isAdmin = actor === 'admin';
  return {
    ...rule,
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
            violated({
              message:
                'The scopes answer does not say to a PAT whether its user is an administrator, and says it to a JWT.',
              expected: adminClaim(jsonIn(told))?.path.join('.'),
              actual: show(jsonIn(entry)),
              by: [told, entry],
            }),
          )
        : [];
      const toJwts = own.flatMap((entry): Judged => {
        const claim = adminClaim(jsonIn(entry));
        if (claim && claim.isAdmin === isAdmin && !(claim.isWeak && !isAdmin)) return shown(entry);
        if (claim && !claim.isWeak && claim.isAdmin !== isAdmin)
          return violated({
            message: isAdmin
              ? 'The scopes answer says that the administrator is none.'
              : 'The scopes answer says that a member is an administrator.',
            expected: `${claim.path.join('.')} of ${isAdmin ? 'an administrator' : 'somebody who is not an administrator'}`,
            actual: claim.value,
            by: [entry],
          });
        if (log.isPartial) return open('nothing in the scopes answer is named after administrators');
        if (!other)
          return open('nothing in the answer is named after administrators; with actors.member the suite can compare');
        if (!saysTheSame(entry, other)) return shown(entry, other);
        return violated({
          message: 'The scopes answer does not say whether the caller is an administrator.',
          expected: 'something in which admin and member differ',
          actual: show(jsonIn(entry)),
          by: [other, entry],
        });
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
  const denied = listTo('admin').find((entry) => [401, 403, 404].includes(statusOf(entry)));
  if (!denied || listTo('admin').some(isOk)) return undefined;
  const member = answered(log).find(isBy('member'));
  if (member && adminClaim(jsonIn(member))?.isAdmin && listTo('member').some(isOk))
    return `actors.admin and actors.member look swapped: the target says that member is an administrator and lists the API keys of resources.tenantId to member, and refuses them to admin (${describe(denied.answer)}).`;
  if (statusOf(denied) !== 403) return undefined;
  return `actors.admin is not an administrator: the target says so, and refuses the API keys of resources.tenantId to admin (${describe(denied.answer)}). Name one who is.`;
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
];
