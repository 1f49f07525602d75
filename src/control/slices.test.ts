// A full journal of long requests delays other clients by no more than a slice of work, and no request is lost.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { turnsOf } from '../../contract-tests/testing/turns.ts';
import { journalEvents } from '../doors/calls/events.ts';
import { createPortableMock } from '../doors/portable.ts';

const requests = 240;
/** Rendered size of each request: in total far more than a page and a slice. */
const length = 40_000;
const megabyte = 1024 * 1024;

const mock = await createPortableMock();
const longRequest = () => mock.fetch(`${mock.baseUrl}/v1/nowhere?${'x'.repeat(length / 2)}`);
for (let at = 1; at <= requests; at += 1) await longRequest();
afterEach(() => vi.restoreAllMocks());

const call = (path: string, init?: RequestInit) => mock.fetch(`${mock.baseUrl}/_mock${path}`, init);
const inOrder = Array.from({ length: requests }, (_, at) => at + 1);

test('the journal comes in pages of a megabyte: all entries, each once, latest first', async () => {
  const found: number[] = [];
  for (let next: number | undefined = requests + 1; next !== undefined; ) {
    const text = await (await call(`/journal?limit=1000&before=${next}`)).text();
    expect(text.length).toBeLessThan(1.1 * megabyte);
    const page = JSON.parse(text) as { entries: { id: number }[]; next?: number };
    found.push(...page.entries.map(({ id }) => id));
    next = page.next;
  }
  expect(found).toEqual(inOrder.toReversed());
  const few = await (await call('/journal?limit=2&before=5&after=2')).json();
  expect(few).toMatchObject({ kept: requests, entries: [{ id: 4 }, { id: 3 }] });
  expect(few).not.toHaveProperty('next');
});

test('so do records, and the next page begins after as many as there were', async () => {
  const { recordings } = mock.world.store;
  for (const record of [...recordings.all()]) recordings.put({ ...record, summary: 'x'.repeat(10 * length) });
  const found: string[] = [];
  for (let total = 1; found.length < total; ) {
    const text = await (await call(`/state/recordings?offset=${found.length}&limit=1000`)).text();
    expect(text.length).toBeLessThan(1.1 * megabyte);
    const page = JSON.parse(text) as { items: { id: string }[]; total: number };
    found.push(...page.items.map(({ id }) => id));
    total = page.total;
  }
  expect(found).toEqual([...recordings.ids()]);
});

test.each([
  ['/journal?limit=1000', 20],
  ['/journal?path=nowhere-near', (4096 * requests) / (256 * 1024)],
  // Finding the secrets of a long text takes a turn.
  ['/journal/har', requests],
  ['/state/recordings?q=kick', 20],
])('%s: others run in between, %d times', async (path, least) => {
  const read = async () => void (await (await call(path)).text());
  expect(await turnsOf(read())).toBeGreaterThan(least);
});

test('the HAR file has all entries, however slowly it is read', async () => {
  const get = vi.spyOn(mock.world.journal, 'get');
  const response = await call('/journal/har');
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(get.mock.calls.length).toBeLessThan(5);
  const { log } = (await response.json()) as { log: { entries: unknown[] } };
  expect(log.entries).toHaveLength(requests);
});

test('events are made as they are read: a slow reader fills no buffer, and gets all that the journal still keeps', async () => {
  const ids: number[] = [];
  let stop = () => {};
  const over = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const events = journalEvents(mock.control, 1, over);
  ids.push((await events.next()).value?.id ?? 0);
  const get = vi.spyOn(mock.world.journal, 'get');
  for (let at = 0; at < 500; at += 1) await longRequest();
  expect(get.mock.calls.length).toBeLessThan(5);
  for await (const { id } of events) if (ids.push(id) && id === requests + 500) stop();
  // The first ones were made before the limit was reached.
  expect(ids.filter((id) => id > requests)).toEqual(Array.from({ length: 500 }, (_, at) => requests + 1 + at));
  await expect.poll(() => mock.world.journal.isWatched).toBe(false);
});

test('HEAD is answered without a body, and ends', async () => {
  for (const path of ['/journal/events', '/journal/har'])
    expect(await (await call(path, { method: 'HEAD' })).text()).toBe('');
  expect(mock.world.journal.isWatched).toBe(false);
});
