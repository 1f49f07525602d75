import { LOGIN_PATH } from '../session/operations.ts';
import { describe, isSuccess } from '../wire/answers.ts';
import { type Probe, Undetermined } from './probe.ts';

/** The fields are those of the target file: that the login with them succeeds shows that they are right. */
export const loginRequest: Probe = {
  gap: 'login-request',
  sends: 'POST /v1/auth/login with the fields of actors.admin.login, twice',
  writes: false,
  needs: ['actors.admin.login'],
  async observe(session) {
    const { login = {} } = session.credentials('admin');
    const fields = Object.keys(login).toSorted().join('-');
    const first = await session.signIn.login('admin');
    const answer = await session.send({ method: 'POST', path: LOGIN_PATH, json: login });
    if (!isSuccess(first) || !isSuccess(answer)) {
      throw new Undetermined(
        `the login with actors.admin.login was answered ${describe(first)} and ${describe(answer)}`,
      );
    }
    if (fields === 'email-password' || fields === 'password-username') {
      return fields === 'email-password' ? 'email-password' : 'username-password';
    }
    throw new Undetermined(`it takes ${Object.keys(login).join(', ')}`);
  },
};
