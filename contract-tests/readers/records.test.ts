import { expect, test } from 'vitest';
import type { Log } from '../log/entry.ts';
import { answerOf } from '../testing/fixtures.ts';
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
  [
    'no window',
    { 'x-ratelimit-limit': '25' },
    { state: 'open', why: 'no header says in which time 25 requests are allowed' },
  ],
])('the limit in requests a minute: %s', (_what, headers, expected) => {
  expect(limitBy(headers)).toMatchObject(expected);
});

test('several limits are no answer', () => {
  const reading = limitBy({ 'ratelimit-policy': '5;w=60' }, { 'ratelimit-policy': '100;w=60' });
  expect(reading).toMatchObject({ state: 'open', why: expect.stringContaining('several ways: {"limit":5,') });
});
