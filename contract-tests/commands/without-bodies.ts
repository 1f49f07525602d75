/** Reports of `--without-bodies`: names and types of members instead of their values, for deployments that hold people's data. */
import type { CheckResult, Exchange } from '../model.ts';
import { count } from '../report/text.ts';
import type { Secret } from '../secrets/known.ts';
import { isPublicWord } from '../secrets/secrets.ts';
import { canonical, findStrings, isObject, parseJson } from '../values/json.ts';

/** What a message quotes as JSON, and whether it is the name of a member. Where it is cut, nothing says where it ends. */
const QUOTED = /"((?:[^"\\…]|\\[\s\S])*)(?:"(\s*:)?|…[\s\S]*|\\?$)/g;
const MARK = /^‹[^‹›]*›$/;
const NUMBER = /(?<![\w.‹-])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w›]|\.\d)/gi;

const bodiesOf = ({ request, response }: Exchange): unknown[] =>
  [request.body, response?.body].map((body = '') => parseJson(body));

/** The texts in the bodies of an exchange, by the names of their members. */
export const textsIn = (exchange: Exchange): Secret[] =>
  bodiesOf(exchange).flatMap((body) =>
    findStrings(body).flatMap(({ path, value }) =>
      isPublicWord(value) ? [] : [{ value, name: path.at(-1) ?? 'text', isWhole: true }],
    ),
  );

/** Replaces what texts about these exchanges quote of their bodies. `scrub` replaces the texts in them. */
export function withoutValuesOf(exchanges: readonly Exchange[], scrub: (text: string) => string) {
  const statuses = new Set(exchanges.map(({ response }) => String(response?.status)));
  const names = new Map(
    exchanges.flatMap((exchange) =>
      bodiesOf(exchange).flatMap((body) =>
        findStrings(body, ['string', 'number']).map(({ path, value }) => [value, path.at(-1) ?? 'value'] as const),
      ),
    ),
  );
  const markOf = (value: string): string =>
    names.has(value) && !statuses.has(value) && !isPublicWord(value) ? `‹${names.get(value)}›` : value;
  const hide = (text: string): string =>
    scrub(text)
      .replace(QUOTED, (whole: string, quoted: string, isName?: string) => {
        const isShown = isName !== undefined || MARK.test(quoted) || isPublicWord(quoted);
        return isShown ? whole : '"…"';
      })
      .replace(NUMBER, markOf);
  const hideValue = (value: unknown): unknown => {
    if (typeof value === 'object') return typesOf(value);
    if (typeof value === 'number') return names.has(String(value)) ? markOf(String(value)) : value;
    return typeof value === 'string' ? hide(markOf(value)) : value;
  };
  const bare = <T extends Pick<CheckResult, 'message' | 'expected' | 'actual'>>(finding: T): T => ({
    ...finding,
    message: hide(finding.message),
    expected: hideValue(finding.expected),
    actual: hideValue(finding.actual),
  });
  return ({ also, ...check }: CheckResult): CheckResult => ({ ...bare(check), ...(also && { also: also.map(bare) }) });
}

export function withoutBodies({ request, response, ...exchange }: Exchange): Exchange {
  const bare = <T extends { body?: string }>(message: T): T =>
    message.body === undefined ? message : { ...message, body: bodyTypes(message.body) };
  return { ...exchange, request: bare(request), ...(response && { response: bare(response) }) };
}

/** The names and types of a body, as JSON; of one that is no JSON, how long it is. */
function bodyTypes(body: string): string {
  const json = parseJson(body);
  return json === undefined ? `(${count(body.length, 'character')})` : JSON.stringify(typesOf(json));
}

/** The type of a JSON value, below the names of its members; a list has each type once. */
const typesOf = (value: unknown): unknown => {
  if (Array.isArray(value))
    return [...new Map(value.map((item) => [canonical(typesOf(item)), typesOf(item)])).values()];
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, typesOf(item)]));
  return value === null ? 'null' : typeof value;
};
