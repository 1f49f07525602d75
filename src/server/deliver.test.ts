import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { TestMock } from '../testing/client.ts';
import { sendRaw } from '../testing/raw-client.ts';
import { sendTogether } from './deliver.ts';

test('a failed send is logged, and does not affect the others', async () => {
  const [log, sent] = [vi.fn(), vi.fn()];
  const fail = (): void => {
    throw new Error('broken');
  };
  for (const send of [fail, sent]) sendTogether(send, () => {}, log);
  await turn();
  expect(sent).toHaveBeenCalledOnce();
  expect(log.mock.lastCall?.join()).toContain('BUG: a response could not be sent: Error: broken');
});

test('responses to pipelined requests arrive whole and in order, in several languages, without a body for HEAD', async () => {
  const other = '\u00fc \u2603 \u{1f600}';
  // The first one last: the others have to wait for it.
  const routes = [
    { path: '/ascii', delay: 20, body: 'plain' },
    { path: '/other', body: other },
    { path: '/none', body: '' },
  ];
  await using mock = await TestMock.start({ routes: [{ routes }] });
  const lines = ['GET /ascii', 'HEAD /other', 'GET /other', 'GET /none', 'GET /ascii'];
  const requests = lines.map((line) => `${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join('');
  const received = await sendRaw(mock.mock.baseUrl, requests, /plain[\s\S]*plain$/);
  const seen = Buffer.from(received, 'latin1').toString().split('HTTP/1.1 200 OK\r\n').slice(1);
  const lengths = seen.map((response) => Number(/Content-Length: (.*)/i.exec(response)?.[1]));
  expect(lengths).toEqual([5, 11, 11, 0, 5]);
  expect(seen.map((response) => response.split('\r\n\r\n')[1])).toEqual(['plain', '', other, '', 'plain']);
});
