import { expect, test } from 'vitest';
import { Journal, JournalBudget, type Journalled, type JournalRecord } from './journal.ts';

const record = (url: string): JournalRecord => ({
  number: 0,
  startedAt: 0,
  worldTime: 0,
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

const request = (url: string, { sent, answered }: Bodies = {}): Journalled => ({
  sentBytes: sent === undefined ? undefined : Buffer.from(sent),
  answeredText: answered,
  record: () => record(url),
});

function pass(journal: Journal, url: string, bodies?: Bodies): number {
  const passing = request(url, bodies);
  const number = journal.begin(passing);
  journal.end(number, passing);
  return number;
}

const urls = (journal: Journal) => [...journal.latest()].map(({ url }) => url);

test('keeps the last ones, whatever their sizes, as they were', () => {
  const journal = new Journal(3);
  for (const length of [1, 5000, 10, 60_000, 3]) pass(journal, `/${'ü'.repeat(length)}`);
  expect(urls(journal)).toEqual([3, 60_000, 10].map((length) => `/${'ü'.repeat(length)}`));
  expect(journal.get(2)).toBeUndefined();
  expect(journal.total).toBe(5);
});

test('keeps bodies as they were on the wire, long ones cut, and tells an empty one from none', () => {
  const journal = new Journal();
  pass(journal, '/', { sent: '{"title":"Grüße ☃"}', answered: '' });
  pass(journal, '/', { sent: 'é'.repeat(20_000), answered: '☃'.repeat(20_000) });
  pass(journal, '/');
  expect(journal.get(1)).toMatchObject({
    sentBody: { text: '{"title":"Grüße ☃"}', size: 23 },
    answeredBody: { text: '', size: 0 },
  });
  const long = journal.get(2);
  expect(long?.sentBody).toEqual({ text: 'é'.repeat(8192), size: 40_000 });
  expect(long?.answeredBody).toEqual({ text: '☃'.repeat(16_384), size: 60_000 });
  expect(journal.get(3)).toMatchObject({ sentBody: undefined, answeredBody: undefined });
});

test('shows a request that is still on its way as far as it has come', () => {
  const journal = new Journal();
  let url = '/first';
  const pending: Journalled = { sentBytes: undefined, answeredText: undefined, record: () => record(url) };
  const number = journal.begin(pending);
  expect(journal.get(number)?.url).toBe('/first');
  url = '/then';
  expect(journal.get(number)?.url).toBe('/then');
  journal.end(number, pending);
  url = '/later';
  expect(journal.get(number)?.url).toBe('/then');
});

test('a request that takes longer than the ring lasts is told of, and kept nowhere', () => {
  const journal = new Journal(2);
  const slow = request('/slow', { answered: 'late' });
  const number = journal.begin(slow);
  pass(journal, '/a');
  pass(journal, '/b');
  const told: (string | undefined)[] = [];
  journal.listen({ entry: ({ url, answeredBody }) => told.push(url, answeredBody?.text), end: () => {} });
  journal.end(number, slow);
  expect(told).toEqual(['/slow', 'late']);
  expect(urls(journal)).toEqual(['/b', '/a']);
});

test('journals that share a budget forget what was kept longest ago', () => {
  const budget = new JournalBudget(3);
  const [one, other] = [new Journal(10, budget), new Journal(10, budget)];
  pass(one, '/1');
  pass(other, '/2');
  pass(one, '/3');
  pass(other, '/4');
  expect(urls(one)).toEqual(['/3']);
  expect(urls(other)).toEqual(['/4', '/2']);
  one.clear();
  expect(urls(one)).toEqual([]);
  expect(one.total).toBe(0);
  pass(one, '/5');
  expect(urls(one)).toEqual(['/5']);
});
