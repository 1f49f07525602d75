import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { readRunInput } from '../commands/run-input.ts';
import { sameAnswer } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { recordApp } from '../testing/app-traffic.ts';
import { harOf } from '../testing/har-of.ts';
import { learnAt } from '../testing/judge.ts';
import type { Passed } from '../wire/passed.ts';
import { learnHar } from './recorded.ts';

test('an app shows what a run would learn, each answer with entries that show it; the rest is not claimed', async () => {
  const server = await startSecondImplementation({ style: { targetAdmin: ['sso', 'login'], unknownFields: 'ignore' } });
  const { file, text: har } = await recordApp(server);
  const given = { name: 'known', answers: { 'scopes-path': server.style.scopesPath } };
  const { answers, gaps } = await learnHar(file, { ...readRunInput({}), given });
  const live = await learnAt(server.target);
  await server.close();
  const different = loadGaps().filter(
    (gap) => gap.id in answers && gap.id in live.answers && !sameAnswer(gap, answers[gap.id], live.answers[gap.id]),
  );
  // The app logs in as well.
  expect(different.map(({ id }) => id)).toEqual(['success-codes']);
  const shown =
    'access-token-lifetime error-body extra-fields invalid-credentials-status key-status-values login-request login-response ' +
    'missing-credentials-status pat-create-response pat-prefix provider-values scopes-path success-codes timestamp-form unknown-field';
  expect(Object.keys(answers).toSorted().join(' ')).toBe(shown);
  const headersRemoved = `${file}.without-headers`;
  writeFileSync(
    headersRemoved,
    har.replaceAll(/\{\s*"name":\s*"content-type",\s*"value":\s*"[^"]*"\s*\}/gi, '{"name":"x","value":""}'),
  );
  expect((await learnHar(headersRemoved, { ...readRunInput({}), given })).answers).toEqual(answers);
  for (const { id, evidence, outcome } of gaps) {
    expect(outcome !== 'undetermined', id).toBe(id in answers);
    if (id in answers) expect(evidence?.[0]).toMatch(/^entry \d+ \(\d{4}-.*\): (GET|POST|PATCH) \/\S* -> \d{3}$/);
  }
});

/** `GET /v1/a {body: 1} as TOKEN -> 200 {answer: 1}`; a body that is no map is sent as it is. */
const CALL =
  /^(?<method>[A-Z]+) (?<path>\S+)(?: (?<sent>.+?))??(?: as (?<token>\S+))? -> (?<status>\d+) (?<answer>.*)$/;
/** `sso TOKEN REFRESH`: a sign-in of an administrator, or of a `member`. */
const SIGN_IN = /^sso (?<token>\S+) (?<refresh>\S+)(?<member> member)?$/;

function exchangeOf(line: string, at: number): Partial<Passed> {
  const signIn = SIGN_IN.exec(line)?.groups;
  const call = CALL.exec(line)?.groups ?? {};
  const { method = 'POST', path = '/v1/auth/sso', sent, token, status = 200, answer = '' } = call;
  const body = signIn ? JSON.stringify({ oid: 'o', tid: 't', upn: signIn.token }) : asJson(sent);
  const user = { id: 'u', administrator: !signIn?.member, created_at: '2026-01-01T00:00:00.123456+00:00' };
  const tokens = { access_token: signIn?.token, refresh_token: signIn?.refresh };
  const grant = { ...tokens, token_type: 'bearer', expires_in: 900, user };
  return {
    method,
    url: `http://api.example.test${path}`,
    requestHeaders: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    requestBody: Buffer.from(body ?? ''),
    status: Number(status),
    responseHeaders: { 'content-type': 'application/json' },
    responseBody: Buffer.from(signIn ? JSON.stringify(grant) : (asJson(answer) ?? '')),
    startedAt: Date.parse('2026-03-01T12:00:00Z') + at * 1000,
  };
}

const asJson = (text?: string): string | undefined => (text?.endsWith('}') ? JSON.stringify(parse(text)) : text);

/** What a recording of these exchanges shows. */
async function shownBy(lines: string[]) {
  const { file } = await harOf(lines.map(exchangeOf));
  return (await learnHar(file, readRunInput({}))).answers;
}

const CASES = `
an exchange of a refresh token:
  - { refresh-path: /v1/auth/renew, refresh-request: camel-body, timestamp-form: offset-micros }
  - sso access-one refresh-one
  - "POST /v1/auth/renew {refreshToken: refresh-one} -> 200 {access_token: access-two}"
one that is refused the second time:
  - { refresh-rotation: rotate }
  - sso access-one refresh-one
  - "POST /v1/auth/renew {refreshToken: refresh-one} -> 200 {access_token: access-two, refresh_token: refresh-two}"
  - "POST /v1/auth/renew {refreshToken: refresh-one} -> 401 {}"
one that works the second time:
  - { refresh-rotation: reuse }
  - sso access-one refresh-one
  - "POST /v1/auth/renew {refreshToken: refresh-one} -> 200 {access_token: access-two}"
  - "POST /v1/auth/renew {refreshToken: refresh-one} -> 200 {access_token: access-three}"
somebody who is no administrator:
  - { forbidden-status: 403 }
  - sso of-member r member
  - GET /v1/admin/tenants/t/api-keys as of-member -> 403 {}
updates that are refused:
  - { empty-update: refuse, wrong-type: refuse, validation-status: 422 }
  - PATCH /v1/echo/recordings/r {} as x -> 422 {}
  - "PATCH /v1/echo/recordings/r {title: 7} as x -> 422 {}"
  - "PATCH /v1/echo/recordings/r {analysis: text} as x -> 422 {}"
updates that are accepted:
  - { empty-update: accept, wrong-type: coerce, unknown-field: ignore }
  - 'PATCH /v1/echo/recordings/r {other: 1} as x -> 200 {status: completed, updated_at: "1"}'
  - 'PATCH /v1/echo/recordings/r {} as x -> 200 {status: completed, updated_at: "2"}'
  - 'PATCH /v1/echo/recordings/r {title: 7} as x -> 200 {title: "7"}'
what is no JSON, and a method that there is not:
  - { malformed-json-status: 400, method-status: 405 }
  - 'POST /v1/auth/sso {"oid": " -> 400 {}'
  - GET /v1/auth/sso -> 405 {}
`;
type Case = [answers: Record<string, unknown>, ...lines: string[]];

test.each(Object.entries(parse(CASES) as Record<string, Case>))('%s is seen', async (_, [answers, ...lines]) =>
  expect(await shownBy(lines)).toMatchObject(answers),
);

test('what may have another cause is not claimed', async () => {
  const answers = await shownBy([
    'sso of-admin r',
    // The recording may have moved on by itself.
    'PATCH /v1/echo/recordings/r {summary: s} as x -> 200 {status: pending, updated_at: "1"}',
    'PATCH /v1/echo/recordings/r {} as x -> 200 {status: processing, updated_at: "2"}',
    // An administrator may be refused for the tenant.
    'GET /v1/admin/tenants/t/api-keys as of-admin -> 403 {}',
    'PATCH /v1/echo/recordings/r {title: 7, summary: s} as x -> 422 {}',
  ]);
  for (const gap of ['empty-update', 'forbidden-status', 'wrong-type', 'rate-limit'])
    expect(answers).not.toHaveProperty(gap);
});
