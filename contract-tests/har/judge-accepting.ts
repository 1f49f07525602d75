import { CHECKED_OPERATIONS } from '../checks/operations.ts';
import { isUpdate } from '../checks/run-answers.ts';
import { WRITABLE_FIELDS } from '../session/records.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import { isJsonMediaType, isObject, type JsonObject, parseJson, show } from '../wire/json.ts';
import type { Book } from './book.ts';
import { bearerOf, isRefusedContent, type Judge } from './judge.ts';
import { isSsoRequest } from './judge-answers.ts';
import type { Seen } from './operations-in.ts';
import { Recent } from './recent.ts';

/** Limits of length and of characters are not shown, so only texts like the everyday ones of the suite must be taken. */
const EVERYDAY = { title: /^(?=.{3,50}$)[A-Za-z0-9]+( [A-Za-z0-9]+)*$/, summary: /^[\p{L}\p{N}\p{P} ]{20,200}$/u };
const LIMIT = 1_000;

/** A kind of request: whether it was ever accepted, and a refusal that nothing but its kind explains. */
interface Tried {
  isAccepted: boolean;
  refused?: Answer;
  /** The same caller was let in to the same resource afterwards, with a request of another kind. */
  control?: Answer;
}

const REQUIREMENTS: Record<string, string> = {
  title: 'REC-01',
  kb_folder_id: 'REC-02',
  kb_document_id: 'REC-03',
  summary: 'REC-04',
  analysis: 'REC-05',
};

/** The check that an update of these fields is accepted, and its requirement. */
function ruleOf(fields: readonly string[]): { check: string; requirement: string } {
  const [field = ''] = fields;
  if (fields.length === 1)
    return { check: `recording-update-${field.replaceAll('_', '-')}`, requirement: REQUIREMENTS[field] ?? '' };
  const isAll = fields.length === Object.keys(WRITABLE_FIELDS).length;
  return { check: `recording-update-${isAll ? 'all' : 'some'}`, requirement: 'REC-06' };
}

/** Judges whether what the document shows is accepted: never, although the caller is let in, is a violation. */
export function acceptingJudge(book: Book): Judge {
  const tried = new Recent<string, Tried & { check: string; requirement: string; what: string; place: string }>(LIMIT);
  /** Values whose content is left open, which were accepted somewhere. */
  const goodValues = new Recent<string, true>(LIMIT);
  const ssoWithout = new Recent<string, Answer>(LIMIT);

  const note = (
    key: string,
    rule: { check: string; requirement: string; what: string; place: string },
    answer: Answer,
  ): void => {
    const own = tried.ensure(key, () => ({ ...rule, isAccepted: false }));
    if (isSuccess(answer)) {
      own.isAccepted = true;
      book.pass(rule.check, answer);
      for (const [other, each] of tried)
        if (other !== key && each.place === rule.place && each.refused) each.control ??= answer;
    } else if (isRefusedContent(answer)) own.refused ??= answer;
  };

  const isOrdinary = (body: JsonObject): boolean =>
    Object.entries(body).every(([field, value]) => {
      const everyday = EVERYDAY[field as keyof typeof EVERYDAY];
      return everyday ? everyday.test(String(value)) : goodValues.has(`${field} ${JSON.stringify(value)}`);
    });

  const seeUpdate = (answer: Answer, path: string): void => {
    const body = parseJson(answer.request.body ?? '');
    if (!isUpdate(answer.request) || !isObject(body)) return;
    if (!isJsonMediaType(answer.request.headers['Content-Type'])) return;
    const fields = Object.keys(body).toSorted();
    if (isSuccess(answer))
      for (const [field, value] of Object.entries(body)) goodValues.set(`${field} ${JSON.stringify(value)}`, true);
    else if (!isOrdinary(body)) {
      book.open(
        ruleOf(fields).check,
        `an update of ${fields.join(', ')} was answered ${describe(answer)}, and its values may be why`,
      );
      return;
    }
    const what = `${CHECKED_OPERATIONS.recording.name} with ${fields.join(', ')}${fields.length === 1 ? ' alone' : ' together'}`;
    note(`${fields}`, { ...ruleOf(fields), what, place: `${bearerOf(answer)} ${path}` }, answer);
  };

  const seeSso = (answer: Answer): void => {
    const { headers, body = '' } = answer.request;
    if (!isSsoRequest(answer)) return;
    if (headers.Authorization === undefined) {
      if (isSuccess(answer)) book.pass('sso-without-authorization', answer);
      else if (answer.response.status === 401) ssoWithout.set(body, answer);
    } else if (isSuccess(answer)) {
      book.open('sso-without-authorization', 'every SSO login of the recording has an Authorization header');
      const refused = ssoWithout.get(body);
      if (refused)
        book.violate('sso-without-authorization', {
          requirement: 'SSO-01',
          message: 'The SSO login was refused without an Authorization header and succeeded with one.',
          expected: 'success without Authorization',
          actual: `${describe(refused)} without, ${describe(answer)} with the header`,
          answers: [answer, refused],
        });
    }
    if (isSuccess(answer)) book.pass('sso-claims-accepted', answer);
    else
      book.open(
        'sso-claims-accepted',
        `an SSO login was answered ${describe(answer)}; whether its identity is known, the recording does not say`,
      );
  };

  return {
    checks: [
      'sso-without-authorization',
      'sso-claims-accepted',
      ...Object.keys(WRITABLE_FIELDS).map((field) => ruleOf([field]).check),
      'recording-update-all',
      'recording-update-some',
      'keys-list',
      'scopes-answered',
    ],
    see({ operation, answer, path, hasRequestBody }: Seen) {
      if (operation === 'sso' && hasRequestBody) seeSso(answer);
      else if (operation === 'recording' && hasRequestBody) seeUpdate(answer, path);
      else if (operation === 'api-keys') {
        const query = new URL(answer.request.url).search;
        const rule = { check: 'keys-list', requirement: 'KEY-01', what: CHECKED_OPERATIONS['api-keys'].name };
        // A list with filters only shows that the caller is let in.
        if (query === '') note('api-keys', { ...rule, place: `${bearerOf(answer)} ${path}` }, answer);
        else if (isSuccess(answer)) {
          const whole = tried.get('api-keys');
          if (whole?.refused && whole.place === `${bearerOf(answer)} ${path}`) whole.control ??= answer;
        }
      } else if (operation === 'scopes' && isSuccess(answer)) book.pass('scopes-answered', answer);
    },
    end() {
      for (const { check, requirement, what, isAccepted, refused, control } of tried.values()) {
        if (isAccepted || !refused || !control) continue;
        book.violate(check, {
          requirement,
          message: `${what} is refused wherever the recording shows it, and the same caller is let in with another request.`,
          expected: 'a success (2xx)',
          actual: `${describe(refused)}: ${show(refused.response.body)}`,
          answers: [control, refused],
        });
      }
    },
  };
}
