import { createServer } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listening, sendRaw } from '../testing/raw-client.ts';
import { deliver, sendTogether } from './deliver.ts';

const silent = () => {};

test('sends the responses of one turn together, and later ones in the next turn', async () => {
  const done: string[] = [];
  const note = (what: string) => () => done.push(what);
  sendTogether(note('send 1'), note('rest 1'), silent);
  sendTogether(
    () => {
      done.push('send 2');
      sendTogether(note('send 3'), note('rest 3'), silent);
    },
    note('rest 2'),
    silent,
  );
  expect(done).toEqual([]);
  await turn();
  expect(done.slice(0, 2)).toEqual(['send 1', 'send 2']);
  await turn();
  await turn();
  expect(done.filter((what) => what.startsWith('send'))).toEqual(['send 1', 'send 2', 'send 3']);
  expect(done.filter((what) => what.startsWith('rest'))).toEqual(['rest 1', 'rest 2', 'rest 3']);
});

test('a failed send is logged, and does not affect the others', async () => {
  const told: string[] = [];
  const log = (_level: string, message: string): void => void told.push(message);
  const sent: string[] = [];
  const fail = (): void => {
    throw new Error('broken');
  };
  sendTogether(fail, silent, log);
  sendTogether(() => sent.push('sent'), silent, log);
  await turn();
  expect(sent).toEqual(['sent']);
  expect(told).toEqual([expect.stringContaining('BUG: a response could not be sent: Error: broken')]);
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
    setTimeout(() => deliver(response, delivery, undefined, silent), url === '/ascii' ? 20 : 0);
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
