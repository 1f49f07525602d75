import { expect, test } from 'vitest';
import type { Log } from '../log/entry.ts';
import { answerOf } from '../testing/fixtures.ts';
import { smallLog } from '../testing/small-log.ts';
import { allReaders } from './catalogue.ts';

/** What answers with these headers show of the limit. */
function limitBy(...headers: Record<string, string>[]) {
  const entries = headers.map((each) => ({ answer: answerOf({}, { headers: each }) }));
  const reader = allReaders.find(({ gap }) => gap === 'rate-limit');
  return reader?.read({ entries, actors: {}, isPartial: true } as unknown as Log);
}

test.each<[string, Record<string, string>, object]>([
  ['none', {}, { state: 'open' }],
  ['a policy of RFC 9331 drafts', { 'ratelimit-limit': '25', 'ratelimit-policy': '25;w=10' }, { answer: 150 }],
  ['structured fields', { 'ratelimit-policy': '"default";q=100;w=60', ratelimit: '"default";r=99' }, { answer: 100 }],
  ['no window', { 'x-ratelimit-limit': '25' }, { why: 'no header says in which time 25 requests are allowed' }],
])('the limit in requests a minute: %s', (_what, headers, expected) => {
  expect(limitBy(headers)).toMatchObject(expected);
});

test('several limits are no answer', () => {
  const reading = limitBy({ 'ratelimit-policy': '5;w=60' }, { 'ratelimit-policy': '100;w=60' });
  expect(reading).toMatchObject({ state: 'open', why: expect.stringContaining('several ways: {"limit":5,') });
});

const REFUSED = 'admin patch {title: 7} -> 422; admin patch {analysis: text} -> 422';

test.each([
  [
    'forbidden-status',
    'admin keys; member keys -> 403; member keys -> 401',
    { state: 'open', why: expect.stringMatching(/several ways: 403 and 401$/) },
  ],
  [
    'validation-status',
    `${REFUSED}; admin sso {} -> 400`,
    { state: 'open', why: expect.stringMatching(/refused with 400 and 422$/) },
  ],
  ['validation-status', `${REFUSED}; admin keys ?provider=nonesuch -> 400`, { answer: { body: 422, query: 400 } }],
  // One that falls through to another status.
  [
    'validation-status',
    `${REFUSED}; admin patch {other: 1} -> 422; admin patch {title: null} -> 422; admin sso {} -> 400`,
    { answer: 422, remark: expect.stringMatching(/sso was refused with 400$/) },
  ],
  // Claims of a wrong type may match no user.
  ['validation-status', `admin sso {oid: null, tid: null, upn: null} -> 403; ${REFUSED}`, { answer: 422 }],
])('%s is read, or is not, from %s', (gap, line, expected) => {
  const reading = allReaders.find((each) => each.gap === gap)?.read(smallLog(`admin sso; admin patch; ${line}`));
  expect(reading).toMatchObject(expected);
});

/** What traffic of others shows. */
const shownBy = (line: string): Record<string, unknown> =>
  Object.fromEntries(
    allReaders.flatMap(({ gap, read }) => {
      const reading = read(smallLog(`recorded: ${line}`));
      return reading.state === 'shown' ? [[gap, reading.answer]] : [];
    }),
  );

test.each([
  ['admin sso; admin refresh', { 'refresh-path': '/v1/auth/refresh', 'refresh-request': 'snake-body' }],
  ['admin sso; admin refresh -> {refresh_token: another}; admin refresh -> 401', { 'refresh-rotation': 'rotate' }],
  ['admin sso; admin refresh; admin refresh', { 'refresh-rotation': 'reuse' }],
  ['clerk sso -> {user: {administrator: false}}; clerk keys -> 403', { 'forbidden-status': 403 }],
  [
    'admin patch {} -> 422; admin patch {title: 7} -> 422; admin patch {analysis: text} -> 422',
    { 'empty-update': 'refuse', 'wrong-type': 'refuse', 'validation-status': 422 },
  ],
  [
    'admin patch {other: 1} -> {updated_at: "1"}; admin patch {} -> {updated_at: "2"}; admin patch {title: 7} -> {title: "7"}',
    { 'empty-update': 'accept', 'wrong-type': 'coerce', 'unknown-field': 'ignore' },
  ],
])('traffic of others, %s, shows %j', (line, answers) => expect(shownBy(line)).toMatchObject(answers));

test('what may have another cause is not claimed', () => {
  // The recording may have moved on by itself; an administrator may be refused for the tenant.
  const moved =
    'admin patch -> {status: pending, updated_at: "1"}; admin patch {} -> {status: processing, updated_at: "2"}';
  const refused =
    'boss sso -> {user: {administrator: true}}; boss keys -> 403; admin patch {title: 7, summary: s} -> 422';
  const answers = shownBy(`${moved}; ${refused}`);
  expect(answers).toHaveProperty('success-codes');
  for (const gap of ['empty-update', 'forbidden-status', 'wrong-type', 'rate-limit'])
    expect(answers).not.toHaveProperty(gap);
});
