import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ErrorShape } from '../../src/core/spec/json.ts';
import { startMock } from '../../src/index.ts';
import type { OperationId } from '../api/operations.ts';
import { keepServed } from '../commands/learn.ts';
import { answerOf } from '../testing/fixtures.ts';
import { learnedAs } from '../testing/judge.ts';
import { learnErrors, type Refusal } from './errors.ts';

interface Known {
  type?: string;
  fields?: string[];
  sent?: object;
  operation?: OperationId;
}
type Sample = [kind: string, status: number, body: unknown, known?: Known];

const NOW = '2026-03-01T10:00:00.000Z';

const refusal = ([
  kind,
  status,
  body,
  { type = 'application/json', fields = [], sent, operation } = {},
]: Sample): Refusal => ({
  kind,
  fields,
  operation,
  date: Date.parse(NOW),
  answer: answerOf(body, {
    status,
    headers: { 'content-type': `${type}; charset=utf-8` },
    request: {
      method: 'GET',
      url: 'https://host.test/api/v1/things?a=1',
      ...(sent ? { body: JSON.stringify(sent) } : {}),
    },
  }),
});

/** Refusals, and the answer to error-body that is learned from them; `$code` is a placeholder. */
const CASES = `
Spring:
  refusals:
    - [unknown-path, 404, { timestamp: ${NOW}, status: 404, error: Not Found, path: /api/v1/things }]
    - [missing-credentials, 401, { timestamp: ${NOW}, status: 401, error: Unauthorized, path: /api/v1/things }]
    - [validation, 400, { timestamp: ${NOW}, status: 400, error: Bad Request, path: /api/v1/things }]
  learned: { template: { timestamp: $time, status: $status, error: $title, path: $path } }
Django REST framework, fields as names:
  refusals:
    - [unknown-path, 404, { detail: Not found. }]
    - [missing-credentials, 401, { detail: Authentication credentials were not provided. }]
    - [validation, 400, { oid: [Not a valid string.], tid: [Required.] }, { fields: [oid, tid] }]
  learned:
    template: { detail: $message }
    cases: [{ for: [validation], template: { $field: [$detail] } }]
sign-ins that are refused in a shape of their own:
  refusals:
    - [refused-sign-in, 401, { detail: No such account }, { operation: sso }]
    - [invalid-credentials, 401, { detail: Invalid token, messages: [{ message: Expired token }] }]
    - [missing-credentials, 401, { detail: No token }]
  learned:
    template: { detail: $message }
    cases:
      - for: [invalid-credentials]
        at: [ssoLogin, login, refreshAccessToken]
        template: { detail: $message }
      - { for: [invalid-credentials], template: { detail: $message, messages: [{ message: $detail }] } }
"FastAPI: paths of mixed types, and the body of the request":
  refusals:
    - [unknown-path, 404, { detail: Not Found }]
    - [missing-credentials, 401, { detail: Not authenticated }]
    - [invalid-credentials, 401, { detail: Invalid token }]
    - - validation
      - 422
      - { detail: [{ type: missing, loc: [body, oid], msg: Field required, input: { upn: x } }] }
      - { fields: [oid, tid], sent: { upn: x } }
    - - validation
      - 422
      - { detail: [{ type: missing, loc: [body, tid], msg: Field required, input: { upn: x } }] }
      - { fields: [oid, tid], sent: { upn: x } }
    - - validation
      - 422
      - { detail: [{ type: missing, loc: [query, provider], msg: Field required, input: x }] }
      - { fields: [provider] }
    - - malformed-json
      - 422
      - detail: [{ type: json_invalid, loc: [body, 9], msg: JSON decode error, input: {}, ctx: { error: It ends } }]
  learned:
    template: { detail: $message }
    cases:
      - { for: [validation], template: { detail: [{ type: missing, loc: [body, $field], msg: $detail, input: {} }] } }
      - for: [malformed-json]
        template:
          detail: [{ type: json_invalid, loc: [body, 9], msg: $detail, input: {}, ctx: { error: $detail } }]
one shape a service, for all kinds:
  refusals:
    - [unknown-path, 404, "404 page not found\\n", { type: text/plain }]
    - [validation, 400, "oid is missing\\n", { type: text/plain, operation: sso }]
    - [malformed-json, 400, "it ends too early\\n", { type: text/plain, operation: sso }]
    - [validation, 400, { message: Bad title. }, { operation: recording }]
    - [unknown-recording, 404, { message: There is none. }, { operation: recording }]
    - [missing-credentials, 401, { error: { code: NO_TOKEN } }, { operation: api-keys }]
    - [validation, 400, { error: { code: BAD_QUERY } }, { operation: api-keys }]
  learned:
    template: $message
    mediaType: text/plain
    cases:
      - { at: [updateRecording], template: { message: $message } }
      - { at: [listTenantApiKeys], template: { error: { code: $code } } }
codes of a validator are not those of errors:
  refusals:
    - [unknown-path, 404, { code: NO_ROUTE, message: No such route }]
    - [missing-credentials, 401, { code: NO_TOKEN, message: No token }]
    - [validation, 422, { issues: [{ code: invalid_type, path: [oid], message: Expected text }] }, { fields: [oid] }]
  learned:
    template: { code: $code, message: $message }
    cases:
      - { for: [validation], template: { issues: [{ code: invalid_type, path: [$field], message: $detail }] } }
"JSON:API: the status as text, and the place of the field":
  refusals:
    - [unknown-path, 404, { errors: [{ status: "404", title: Not Found, detail: Nothing here. }] }]
    - - validation
      - 422
      - errors: [{ status: "422", title: Unprocessable Entity, detail: Wrong type., source: { pointer: /oid } }]
      - { fields: [oid] }
  learned:
    template: { errors: [{ status: $statusText, title: $title, detail: $detail, source?: { pointer: /$field } }] }
plain text, and none:
  refusals:
    - [unknown-path, 404, 404 page not found, { type: text/plain }]
    - [validation, 400, oid is not text, { type: text/plain }]
    - [missing-credentials, 401, "", { type: text/plain }]
  learned:
    template: $message
    mediaType: text/plain
    cases: [{ for: [missing-credentials], template: null }]
what looks like a secret or an identifier is not written down:
  refusals:
    - [unknown-path, 404, { message: No., ref: 9f8e7d6c5b4a39281706f5e4d3c2b1a1, requestId: req-7 }]
    - [validation, 400, { message: No., ref: 9f8e7d6c5b4a39281706f5e4d3c2b1a1, requestId: req-7 }]
  learned: { template: { message: $message, ref: $id, requestId: $id } }
`;
const cases = parse(CASES.replaceAll(/\$(\w+)/g, '"$${$1}"').replaceAll(/(\S*\/)"(\$\{\w+\})"/g, '"$1$2"')) as Record<
  string,
  { refusals: Sample[]; learned: unknown }
>;

test.each(Object.entries(cases))('error bodies are learned from samples, and served: %s', async (_name, sample) => {
  const learned = learnErrors(sample.refusals.map(refusal));
  expect(learned).toEqual(sample.learned);
  const observed = learnedAs({ 'error-body': learned });
  await using mock = await startMock({ port: 0, profile: { answers: { 'error-body': learned as ErrorShape } } });
  expect(await keepServed(observed, mock.baseUrl)).toEqual(observed);
  // Errors that name no field.
  const unread = { 'application/json': '{"oid": "', 'text/plain': '{}', 'application/x-www-form-urlencoded': 'oid=1' };
  for (const [type, body] of Object.entries(unread)) {
    const sent = { method: 'POST', headers: { 'content-type': type }, body };
    expect((await fetch(`${mock.baseUrl}/v1/auth/sso`, sent)).status).toBeLessThan(500);
  }
});

test('what a mock does not give back is left open, with the reason', async () => {
  await using mock = await startMock({ port: 0 });
  const learned = learnedAs({ 'error-body': 'detail', 'validation-status': 400, 'empty-update': 'refuse' });
  const { answers, gaps: kept } = await keepServed(learned, mock.baseUrl);
  expect(answers).toEqual({ 'validation-status': 400, 'empty-update': 'refuse' });
  const reason = '"detail" was observed and cannot be served: the mock that serves it answers "error-object"';
  expect(kept[0]).toMatchObject({ id: 'error-body', outcome: 'undetermined', reason });
});
