import { blocked, setUpError, untested, violation } from '../failure.ts';
import { GARBAGE_TOKENS, isPatForm } from '../session/token-forms.ts';
import { findPats } from '../session/tokens-in-answers.ts';
import { describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { findStrings, isObject, show } from '../wire/json.ts';
import { notSuccessful } from './answers.ts';
import { patCallerChecks } from './auth-pat-callers.ts';
import { patUpdateCheck } from './auth-pat-update.ts';
import type { Check } from './check.ts';
import { CHECKED_OPERATIONS, PROTECTED_OPERATIONS, type ProtectedOperation } from './operations.ts';
import { isPatAccepted, MAKES_PAT, patAnswer, WIDER_PAT } from './pat-answers.ts';
import { acceptedControl, firstAccepting } from './protected-operations.ts';

const { name: SUBJECT, hint: HINT, needs, writes } = CHECKED_OPERATIONS.pat;

function acceptsPat(operation: ProtectedOperation): Check {
  return {
    id: `auth-accepts-pat-${operation.id}`,
    requirements: ['AUT-02'],
    title: `${operation.name} accepts a personal access token`,
    needs: operation.needs,
    writes: [MAKES_PAT, ...(operation.writes ? ['PATCH of the disposable recording: summary'] : [])],
    async run(session) {
      await acceptedControl(operation, session);
      const { source } = await session.pats.of('admin');
      const answer = await patAnswer(session, operation);
      if (isSuccess(answer)) return;
      const subject = `${operation.name} with the PAT of ${source}`;
      // Whether PATs are accepted at all is judged by one that the target itself makes.
      if (source.startsWith('actors.') && !(await isPatAccepted(session))) {
        throw setUpError(
          `${subject} was refused with ${answer.response.status}, as it is by every protected operation, and other credentials of admin are not. Check ${source}.`,
          describe(answer),
        );
      }
      if (answer.response.status !== 403)
        throw notSuccessful(answer, subject, 'A JWT of the same user is accepted.', true);
      // A 403 may mean that the PAT lacks a scope, which is not documented; unless the target says the same to nonsense.
      const nonsense = await operation.withHeaders(session, { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` });
      const same = nonsense.response.status === 403 && nonsense.response.body === answer.response.body;
      if (!same) throw untested(`${subject} was refused with 403: ${WIDER_PAT}`);
      throw violation(`${subject} was refused like a token that means nothing.`, 'a success (2xx)', describe(answer));
    },
  };
}

/** All that is asked of the PAT that is given comes first: one that is made may end it, and then its refusal shows nothing. */
export const patChecks: Check[] = [
  ...PROTECTED_OPERATIONS.map(acceptsPat),
  ...patCallerChecks,
  patUpdateCheck,
  {
    id: 'pat-created',
    requirements: ['AUT-09'],
    title: `${SUBJECT} yields a PAT that protected operations accept`,
    needs,
    writes,
    async run(session) {
      const answer = await session.pats.created('admin');
      if (!isSuccess(answer)) throw notSuccessful(answer, SUBJECT, HINT, true);
      const token = await session.pats.made('admin');
      if (!token) throw blocked('pat-form', 'The answer has no PAT of the documented form');
      // What other checks request with it as well shows most often that it works.
      if (!session.credentials('admin').pat && (await isPatAccepted(session))) return;
      await firstAccepting(session, token, 'The PAT created');
    },
  },
  {
    id: 'pat-form',
    requirements: ['AUT-10'],
    title: 'a PAT has the form <token_prefix>_<tokenId>.<secret>',
    needs,
    async run(session) {
      const given = session.credentials('admin').pat;
      const form = '<token_prefix>_<tokenId>.<secret>';
      if (given !== undefined) {
        if (!isPatForm(given)) throw violation('The PAT in actors.admin.pat has another form.', form, given);
        return;
      }
      const answer = await session.pats.created('admin');
      if (!isSuccess(answer)) throw blocked('pat-created', `${SUBJECT} answered ${describe(answer)}`);
      if (findPats(answer).length > 0) return;
      const json = jsonOf(answer);
      const strings =
        isObject(json) || Array.isArray(json)
          ? findStrings(json).map(({ path }) => path.join('.'))
          : show(answer.response.body);
      throw violation(`${SUBJECT} did not answer a PAT of the documented form.`, form, {
        'strings answered in': strings,
      });
    },
  },
];
