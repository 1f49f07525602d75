import { describe, expect, test } from 'vitest';
import type { Session } from '../session/session.ts';
import { answerOf } from '../testing/fixtures.ts';
import type { Answer } from '../wire/exchange.ts';
import { keyDisagreements } from './key-agreement.ts';

const KEY = { id: 'k1', provider: 'tavily', name: 'One', status: 'active', created_at: '2026-02-03T04:05:06Z' };
const BASE = 'http://127.0.0.1';
const PATH = '/v1/admin/tenants/t1/api-keys';

function list(query: string, keys: object[], Authorization = 'Bearer admin', path = PATH): Answer {
  return answerOf(keys, { request: { url: `${BASE}${path}${query}`, headers: { Authorization } } });
}

/** What is found in the lists, and how often the target was asked anew, given what it then answers to a query. */
async function judge(lists: Answer[], now: (query: string, asked: number) => object[]) {
  let asked = 0;
  const send = async ({ path }: { path: string }): Promise<Answer> => {
    asked += 1;
    const query = path.slice(PATH.length);
    return list(query, now(query, asked));
  };
  const found = await keyDisagreements(lists, { target: { baseUrl: BASE }, send } as unknown as Session);
  return { requirements: found.map(({ requirement }) => requirement), asked };
}

const renamed = { ...KEY, name: 'Two' };

describe('an API key', () => {
  test('that all lists agree on is not asked for again', async () => {
    const other = { ...KEY, id: 'k2', name: 'Other' };
    const lists = [list('', [KEY, other]), list('?provider=tavily', [other, KEY])];
    expect(await judge(lists, () => [])).toEqual({ requirements: [], asked: 0 });
  });

  test('that somebody renames during the run is not a violation', async () => {
    const lists = [list('', [KEY]), list('?provider=tavily', [renamed]), list('', [renamed])];
    expect(await judge(lists, () => [renamed])).toEqual({ requirements: [], asked: 3 });
  });

  test('nor is one that is renamed or deleted while it is requested again', async () => {
    const lists = [list('', [KEY]), list('?provider=tavily', [renamed])];
    const again = { ...KEY, name: 'Three' };
    for (const at of [1, 2]) {
      const { requirements } = await judge(lists, (_query, asked) => [asked > at ? again : renamed]);
      expect(requirements).toEqual([]);
    }
    expect((await judge(lists, () => [])).requirements).toEqual([]);
  });

  test('nor is one whose status keeps changing', async () => {
    const lists = [list('', [KEY]), list('?provider=tavily', [{ ...KEY, status: 'idle' }])];
    const { requirements } = await judge(lists, (_query, asked) => [{ ...KEY, status: `used ${asked} times` }]);
    expect(requirements).toEqual([]);
  });

  test('that has a name of its own under a filter is one', async () => {
    const lists = [list('', [KEY]), list('', [KEY]), list('?provider=tavily', [renamed])];
    const found = await judge(lists, (query) => [query === '' ? KEY : renamed]);
    expect(found).toEqual({ requirements: ['KEY-05'], asked: 3 });
  });

  test('that is made anew at each list is one', async () => {
    const made = (second: number) => ({ ...KEY, created_at: `2026-02-03T04:05:0${second}Z` });
    const { requirements } = await judge([list('', [made(0)]), list('', [made(1)])], (_query, asked) => [
      made(asked + 1),
    ]);
    expect(requirements).toEqual(['KEY-07']);
  });

  test('that was made three times in a run is one, however fast the lists are asked for again', async () => {
    const lists = [0, 1, 2].map((second) => list('', [{ ...KEY, created_at: `2026-02-03T04:05:0${second}Z` }]));
    expect(await judge(lists, () => [KEY])).toEqual({ requirements: ['KEY-07'], asked: 0 });
    // Once it may have been made anew, under the id that it had.
    expect((await judge(lists.slice(0, 2), () => [KEY])).requirements).toEqual([]);
  });

  test('may be shown otherwise to others, and be another one in another tenant', async () => {
    const lists = [
      list('', [KEY]),
      list('', [renamed], 'Bearer member'),
      list('', [renamed], 'Bearer admin', '/v1/admin/tenants/t2/api-keys'),
    ];
    expect(await judge(lists, () => [KEY])).toEqual({ requirements: [], asked: 0 });
  });

  test('that a list has twice is not compared', async () => {
    expect(await judge([list('', [KEY, renamed]), list('', [renamed, KEY])], () => [])).toMatchObject({ asked: 0 });
  });
});
