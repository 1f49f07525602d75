import type { Session } from '../session/session.ts';
import { loadGaps } from '../spec-data.ts';
import { describe, isSuccess } from '../wire/answers.ts';
import type { Answer, ClientRequest } from '../wire/request.ts';
import { refreshTokenIn } from './grants.ts';
import { Undetermined, unexpected } from './probe.ts';

/** The ways to send a refresh token that the ledger knows. */
export const REFRESH_FORMS = {
  'snake-body': (token) => ({ json: { refresh_token: token } }),
  'camel-body': (token) => ({ json: { refreshToken: token } }),
  'bearer-header': (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
} as const satisfies Record<string, (token: string) => Pick<ClientRequest, 'json' | 'headers'>>;
export type RefreshForm = keyof typeof REFRESH_FORMS;
const FORMS = Object.keys(REFRESH_FORMS) as RefreshForm[];

/** How a refresh token was exchanged. */
export interface Exchanged {
  path: string;
  form: RefreshForm;
  /** The token that was sent. */
  token: string;
  answer: Answer;
}

/** Where an undocumented path may be: the profile's answer, else the ledger's default and examples. */
export function candidatePaths(gapId: string, answers: Record<string, unknown>): string[] {
  if (gapId in answers) return [String(answers[gapId])];
  const gap = loadGaps().find(({ id }) => id === gapId);
  return [...new Set([gap?.default, ...(gap?.examples ?? [])])].map(String);
}

/**
 * The first exchange of a fresh refresh token that succeeds. A path that says at once that it is not there is tried in
 * the other forms only when no other path answers, since a deployment may hide refusals behind 404.
 */
export async function exchanged(session: Session): Promise<Exchanged> {
  return session.recorder.once('probe: refresh', async () => {
    const login = await session.signIn.sendSso('admin');
    const token = refreshTokenIn(login);
    if (!isSuccess(login) || !token) throw unexpected('A fresh SSO login, for a refresh token,', login);
    const tried: { path: string; form: RefreshForm; answer: Answer }[] = [];
    const attempt = async (path: string, form: RefreshForm): Promise<Exchanged | undefined> => {
      const answer = await session.refresh(path, REFRESH_FORMS[form](token));
      tried.push({ path, form, answer });
      return isSuccess(answer) && refreshesSomething(answer) ? { path, form, token, answer } : undefined;
    };
    const absent: string[] = [];
    for (const path of candidatePaths('refresh-path', session.config.answers)) {
      for (const form of FORMS) {
        const found = await attempt(path, form);
        if (found) return found;
        if (form === FORMS[0] && [404, 405].includes(tried.at(-1)?.answer.response.status ?? 0)) {
          absent.push(path);
          break;
        }
      }
    }
    for (const path of absent) {
      for (const form of FORMS.slice(1)) {
        const found = await attempt(path, form);
        if (found) return found;
      }
    }
    const seen = [...new Set(tried.map(({ path, answer }) => `${path} ${describe(answer)}`))];
    throw new Undetermined(`no likely path took the refresh token of a fresh login (${seen.join('; ')})`);
  });
}

/** A page that answers everything with 200 exchanges nothing. */
function refreshesSomething(answer: Answer): boolean {
  return /access/i.test(answer.response.body) || /"(token|jwt)"/i.test(answer.response.body);
}
