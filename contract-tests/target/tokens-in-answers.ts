import { jsonOf } from '../checks/answers.ts';
import { findStrings, isJwt, isPatForm } from '../checks/formats.ts';
import type { Answer } from './request.ts';

/** The JWTs in an answer whose shape is not documented, in its body and headers: the likeliest access token first. */
export function findJwts(answer: Answer): string[] {
  const inBody = findStrings(jsonOf(answer)).filter(({ value }) => isJwt(value));
  const rank = ({ path }: { path: string[] }): number => {
    const name = path.join('.');
    if (/refresh|id_?token/i.test(name)) return 2;
    return /access|token|jwt/i.test(name) ? 0 : 1;
  };
  const inHeaders = Object.values(answer.response.headers).flatMap((value) => value.split(/[\s=;,]+/));
  const ranked = inBody.toSorted((a, b) => rank(a) - rank(b)).map(({ value }) => value);
  return [...new Set([...ranked, ...inHeaders.filter(isJwt)])];
}

/** The PAT in an answer whose shape is not documented. */
export function findPat(answer: Answer): string | undefined {
  const found = findStrings(jsonOf(answer)).filter(({ value }) => isPatForm(value) && !/[@/]|:\/\//.test(value));
  const rank = ({ path }: { path: string[] }): number => {
    const name = path.at(-1) ?? '';
    if (/^(token|pat|secret|value|key|access_?token|plain_?text_?token|api_?token|raw_?token)$/i.test(name)) return 0;
    return /token|key|secret|pat|value/i.test(name) ? 1 : 2;
  };
  return found.toSorted((a, b) => rank(a) - rank(b))[0]?.value;
}
