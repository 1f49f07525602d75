import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { findStrings } from '../values/json.ts';
import { isJwt } from '../values/jwt.ts';
import { isPatForm, partsOfPat } from './token-forms.ts';

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

/** Whether an answer is that of an exchange of a refresh token: a page that answers everything with 200 exchanges nothing. */
export const isExchanged = (answer: Answer) => isSuccess(answer) && /access|"(token|jwt)"/i.test(answer.response.body);

/** The refresh token in an answer of any shape: by the name of the member. */
export const refreshTokenIn = (answer: Answer): string | undefined =>
  findStrings(jsonOf(answer)).find(({ path }) => path.some((name) => /refresh/i.test(name)))?.value;

const PAT_NAME = /token|key|secret|pat|value/i;
/** An example of a PAT rather than one: by its name, and by what replaces the secret. */
const SPECIMEN_NAME = /example|sample|preview|format|pattern|mask|hint/i;
const SPECIMEN = /\*{3}|…|<|\.{3}/;

/** The PATs that an answer of any shape may hold, the likeliest first: in one piece, else assembled from its parts (part 5). */
export function findPats(answer: Answer): string[] {
  const strings = findStrings(jsonOf(answer)).map(({ path, value }) => ({ name: path.at(-1) ?? '', value }));
  const rank = ({ name, value }: { name: string; value: string }): number => {
    if (SPECIMEN_NAME.test(name) || SPECIMEN.test(value)) return 2;
    return PAT_NAME.test(name) ? 0 : 1;
  };
  const whole = strings.filter(({ value }) => isPatForm(value) && !isAddress(value));
  const found = whole.toSorted((a, b) => rank(a) - rank(b)).map(({ value }) => value);
  return found.length > 0 ? [...new Set(found)] : assembledPat(strings);
}

/** An e-mail address, a URL, or a host with a path. */
const isAddress = (value: string): boolean =>
  /:\/\/|@[\w-]+(\.[\w-]+)+$/.test(value) || /[@/]/.test(partsOfPat(value)?.head ?? '');

function assembledPat(strings: { name: string; value: string }[]): string[] {
  const named = (...names: RegExp[]): string =>
    names.flatMap((pattern) => strings.find(({ name }) => pattern.test(name))?.value ?? [])[0] ?? '';
  const pat = `${named(/^(token|pat)?_?prefix$/i)}_${named(/^(token|pat)_?id$/i, /^id$/i)}.${named(/^(token|pat)?_?secret$/i)}`;
  return isPatForm(pat) ? [pat] : [];
}
