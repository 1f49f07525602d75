import { untested, violation } from '../failure.ts';
import { LOGIN_PATH } from '../target/paths.ts';
import { findJwts } from '../target/tokens-in-answers.ts';
import { isSuccess, notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { firstAccepting, isAccepted } from './protected-operations.ts';
import { registerChecks } from './register.ts';

export const loginChecks: Check[] = [
  {
    id: 'login-jwt',
    requirements: ['AUT-08'],
    title: `POST ${LOGIN_PATH} yields a JWT that protected operations accept`,
    needs: ['actors.admin.login'],
    async run(session) {
      const subject = `POST ${LOGIN_PATH}`;
      const answer = await session.signIn.login('admin');
      const hint = 'Its body is not documented: check that actors.admin.login has the fields that the target takes.';
      if (!isSuccess(answer)) {
        if ([400, 409, 422].includes(answer.response.status))
          throw untested(`${subject} refused the body with ${answer.response.status}. ${hint}`);
        throw notSuccessful(answer, subject, hint, false);
      }
      const [token, ...others] = findJwts(answer);
      if (!token)
        throw violation(`${subject} succeeded and yielded no JWT.`, 'a JWT access token', answer.response.body);
      try {
        await firstAccepting(session, token, `The JWT of ${subject}`);
      } catch (error) {
        // Which of several JWTs is the access token is not documented: one that is accepted will do.
        for (const other of others) if (await isAccepted(session, other)) return;
        throw error;
      }
    },
  },
];

await registerChecks('password login', loginChecks);
