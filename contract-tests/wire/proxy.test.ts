import { request as ask, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startMock } from '../../src/index.ts';
import { credentialsOf } from '../../src/server/tls.ts';
import { withServer } from '../testing/fixtures.ts';
import { verify } from '../testing/judge.ts';
import { Client } from './client.ts';
import { readOnly } from './write-guard.ts';

const HOST = 'api.example.test';
const credentials = await credentialsOf('self-signed', HOST);

/** Starts a proxy that the environment names, with a password; whatever host is asked for, `port` on this machine answers. */
async function startProxy(port: string, status = 200) {
  const seen: string[] = [];
  const note = (method = '', url = '', authorization = '') => seen.push(`${method} ${url} ${authorization}`);
  const proxy = createServer(({ method, url = '', headers }, response) => {
    note(method, url, headers['proxy-authorization']);
    if (status !== 200) return void response.writeHead(status).end();
    const { pathname } = new URL(url);
    ask({ port, path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    }).end();
  });
  proxy.on('connect', ({ method, url, headers }, socket) => {
    note(method, url, headers['proxy-authorization']);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const onward = connect(Number(port), '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    onward.pipe(socket).pipe(onward);
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    proxy.closeAllConnections();
    proxy.close();
  });
  const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])
    vi.stubEnv(name, `http://qa:p%40ss@${host}`);
  return { seen, host };
}

const BASIC = `Basic ${Buffer.from('qa:p@ss').toString('base64')}`;

/** Asks a server behind the proxy, by that name. */
const answered = (named: string, isSecure: boolean, status?: number) =>
  withServer(
    (_request, response) => response.end('[]'),
    async (baseUrl) => {
      const { port } = new URL(baseUrl);
      const { seen, host } = await startProxy(port, status);
      const given = { baseUrl: `http${isSecure ? 's' : ''}://${named}:${port}`, tls: { insecure: true } };
      const client = new Client(given, readOnly(), () => {});
      const sending = client.send({ method: 'GET', path: '/v1/x' }).finally(() => client.close());
      const answer = await sending.then(
        ({ response }) => response.body,
        (error: Error) => error.message.replace(host, 'PROXY').replaceAll(port, 'PORT'),
      );
      return { answer, seen: seen.map((line) => line.replace(port, 'PORT')) };
    },
    isSecure ? credentials : undefined,
  );

test('requests go through the proxy that the environment names: HTTP as a whole URL, HTTPS by CONNECT', async () => {
  const seen = [`GET http://${HOST}:PORT/v1/x ${BASIC}`];
  expect(await answered(HOST, false)).toEqual({ answer: '[]', seen });
  expect(await answered(HOST, true)).toEqual({ answer: '[]', seen: [`CONNECT ${HOST}:PORT ${BASIC}`] });
});

test.each([false, true])('what the proxy refuses is said to be its refusal; HTTPS: %s', async (isSecure) => {
  const { answer } = await answered(HOST, isSecure, 407);
  expect(answer).toMatch(/: the proxy PROXY refuses: 407 Proxy Authentication Required$/);
  expect(answer).not.toContain('p%40ss');
});

test('this machine, and what NO_PROXY names, are reached directly', async () => {
  for (const isSecure of [false, true])
    expect(await answered('127.0.0.1', isSecure)).toEqual({ answer: '[]', seen: [] });
  vi.stubEnv('NO_PROXY', '.example.test');
  expect((await answered(HOST, false)).seen).toEqual([]);
});

test('a proxy that is not there, and one of another kind, are told', async () => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1').stubEnv('http_proxy', 'http://127.0.0.1:1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { summary, exitCode } = await verify({ baseUrl: `http://${HOST}` });
  expect(summary.text).toContain('the proxy 127.0.0.1:1 cannot be reached (ECONNREFUSED)');
  expect(exitCode).toBe(3);
  vi.stubEnv('http_proxy', 'socks5://u:secret@127.0.0.1:1');
  await expect(verify({ baseUrl: `http://${HOST}` })).rejects.toThrow(
    'expected http://HOST:PORT in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY; found socks5://….',
  );
});

test('--upstream goes through the proxy, too', () =>
  withServer(
    (_request, response) => response.end('up'),
    async (baseUrl) => {
      const { port } = new URL(baseUrl);
      const { seen, host } = await startProxy(port, 200);
      await using mock = await startMock({ upstream: { upstream: `http://${HOST}:${port}` } });
      expect(await (await fetch(`${mock.baseUrl}/v1/health`)).text()).toBe('up');
      expect(seen).toHaveLength(1);
      await startProxy(port, 407);
      await using refused = await startMock({ upstream: { upstream: `https://${HOST}:${port}` } });
      expect(await (await fetch(`${refused.baseUrl}/v1/health`)).text()).toMatch(/the proxy \S+ refuses: 407/);
      expect(host).toBeDefined();
    },
  ));
