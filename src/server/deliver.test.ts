import { createServer } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { listening, sendRaw } from '../testing/raw-client.ts';
import { deliver, sendTogether } from './deliver.ts';

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
  const texts: Readonly<Record<string, string>> = {
    '/ascii': 'plain',
    '/other': '\u00fc \u2603 \u{1f600}',
    '/none': '',
  };
  const server = createServer(({ url = '' }, response) => {
    const delivery = { status: 200, headers: { 'X-Path': url }, text: texts[url] ?? '' };
    // The first one last: the others have to wait for it.
    setTimeout(() => deliver(response, delivery, undefined, () => {}), url === '/ascii' ? 20 : 0);
  });
  const lines = ['GET /ascii', 'HEAD /other', 'GET /other', 'GET /none', 'GET /ascii'];
  const requests = lines.map((line) => `${line} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
  const received = await sendRaw(await listening(server), requests, /plain[\s\S]*plain$/);
  const seen = Buffer.from(received, 'latin1')
    .toString()
    .split('HTTP/1.1 200 OK\r\n')
    .slice(1)
    .map((response) => {
      const [head = '', body] = response.split('\r\n\r\n');
      return [/X-Path: (.*)/.exec(head)?.[1], Number(/Content-Length: (.*)/.exec(head)?.[1]), body];
    });
  expect(seen).toEqual([
    ['/ascii', 5, 'plain'],
    ['/other', 11, ''],
    ['/other', 11, texts['/other']],
    ['/none', 0, ''],
    ['/ascii', 5, 'plain'],
  ]);
});
