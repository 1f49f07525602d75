import { expect, test } from 'vitest';
import { Journal, JournalBudget, type Journalled, type JournalOutline } from './journal.ts';

const outlineOf = (url: string): JournalOutline => ({
  isDropped: false,
  method: 'GET',
  url,
  rawHeaders: [],
  isJson: false,
  basis: 'documented',
  isProtected: false,
  isValid: true,
  forced: false,
  gaps: [],
  faults: [],
  changes: [],
});

interface Bodies {
  readonly sent?: string;
  readonly answered?: string;
}

const request = (url: string, { sent, answered }: Bodies = {}, outline = () => outlineOf(url)): Journalled => ({
  number: 0,
  startedAt: 0,
  worldTime: 0,
  sentBytes: sent === undefined ? undefined : Buffer.from(sent),
  answeredText: answered,
  outline,
});

function record(journal: Journal, url: string, bodies?: Bodies, outline?: () => JournalOutline): void {
  const passing = request(url, bodies, outline);
  journal.end(journal.begin(passing), passing);
}

const urls = (journal: Journal) => journal.numbers().map((number) => journal.get(number)?.url);

test('keeps the latest requests of any size unchanged', () => {
  const journal = new Journal(3);
  for (const length of [1, 5000, 10, 60_000, 3]) record(journal, `/${'ü'.repeat(length)}`);
  expect(urls(journal)).toEqual([10, 60_000, 3].map((length) => `/${'ü'.repeat(length)}`));
  expect(journal.get(2)).toBeUndefined();
  expect(journal.total).toBe(5);
});

test('keeps bodies as sent, truncates long ones, and distinguishes empty from missing', () => {
  const journal = new Journal();
  record(journal, '/', { sent: '{"title":"Grüße ☃"}', answered: '' });
  record(journal, '/', { sent: 'é'.repeat(20_000), answered: '☃'.repeat(20_000) });
  record(journal, '/');
  expect(journal.get(1)).toMatchObject({
    sentBody: { text: '{"title":"Grüße ☃"}', size: 23 },
    answeredBody: { text: '', size: 0 },
  });
  const long = journal.get(2);
  expect(long?.sentBody).toEqual({ text: 'é'.repeat(8192), size: 40_000 });
  expect(long?.answeredBody).toEqual({ text: '☃'.repeat(16_384), size: 60_000 });
  expect(journal.get(3)).toMatchObject({ sentBody: undefined, answeredBody: undefined });
});

test('of requests that are nearly alike, each keeps what is its own', () => {
  const journal = new Journal();
  const own: Partial<JournalOutline>[] = [
    {},
    { caller: { user: 'usr_1', username: 'ada', via: 'jwt' } },
    { caller: { user: 'usr_1', username: 'ada', via: 'pat' } },
    { caller: undefined },
    { gaps: [{ id: 'unknown-query', answer: 'ignore' }] },
    { gaps: [{ id: 'unknown-query', answer: 'refuse' }] },
    { rawHeaders: ['a', '1', 'b', '2'] },
    { rawHeaders: ['a', '1', 'b'] },
    { answered: { status: 200, headers: { a: '1' } } },
    { answered: { status: 200, headers: { b: '1' } } },
    { answered: { status: 200, headers: { a: '1', b: '1' } } },
    { changes: [{ resource: 'recordings', id: 'rec_1', change: 'updated', fields: ['title'] }] },
    {},
  ];
  for (const parts of own) record(journal, '/', { answered: '{}' }, () => ({ ...outlineOf('/'), ...parts }));
  const kept = journal.numbers().map((number) => journal.get(number));
  expect(kept).toMatchObject(
    own.map((parts) => ({ ...outlineOf('/'), ...parts, answeredBody: { text: '{}', size: 2 } })),
  );
  expect(kept[3]?.caller).toBeUndefined();
});

test('shows the current state of a request in progress', () => {
  const journal = new Journal();
  let url = '/first';
  const pending = request(url, {}, () => outlineOf(url));
  const number = journal.begin(pending);
  expect(journal.get(number)?.url).toBe('/first');
  url = '/then';
  expect(journal.get(number)?.url).toBe('/then');
  journal.end(number, pending);
  url = '/later';
  expect(journal.get(number)?.url).toBe('/then');
});

test('a request that outlives its slot is reported to listeners, and not stored', () => {
  const journal = new Journal(2);
  const slow = request('/slow', { answered: 'late' });
  const number = journal.begin(slow);
  record(journal, '/a');
  record(journal, '/b');
  const reported: (string | undefined)[] = [];
  journal.listen({ entry: (_, it) => reported.push(it?.url, it?.answeredBody?.text), missed: () => {}, end: () => {} });
  journal.end(number, slow);
  expect(reported).toEqual(['/slow', 'late']);
  expect(urls(journal)).toEqual(['/a', '/b']);
});

test('journals that share a budget evict the oldest entry', () => {
  const budget = new JournalBudget(3);
  const [one, other] = [new Journal(10, budget), new Journal(10, budget)];
  record(one, '/1');
  record(other, '/2');
  record(one, '/3');
  record(other, '/4');
  expect(urls(one)).toEqual(['/3']);
  expect(urls(other)).toEqual(['/2', '/4']);
  one.clear();
  expect(urls(one)).toEqual([]);
  expect(one.total).toBe(0);
  record(one, '/5');
  expect(urls(one)).toEqual(['/5']);
});
