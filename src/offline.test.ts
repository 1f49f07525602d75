// After installation, nothing needs the network: a connection or look-up that leaves this machine fails, and the test names it.
import { expect, test } from 'vitest';
import { runCommand, startServer } from './testing/command.ts';

/** Loaded before a command, and inherited by those that it starts. */
const cut = `
import dns from 'node:dns';
import net from 'node:net';
const refuse = (host) => {
  process.stderr.write('NETWORK ' + host + '\\n');
  throw Object.assign(new Error('the network is cut'), { code: 'ENETUNREACH' });
};
const check = (host = 'localhost') => /^(localhost|127\\.|\\[?::1)/.test(host) || refuse(host);
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  const [options, host] = given.flat();
  check(typeof options === 'object' ? options.host : host);
  return connect.apply(this, given);
};
const { lookup } = dns;
dns.lookup = (host, ...rest) => check(host) && lookup(host, ...rest);
`;
const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(cut)}` };

test('the cut is one: what leaves this machine fails', async () => {
  const { code, stderr } = await runCommand(['verify', '--base-url', 'http://api.example.test'], env);
  expect([code, stderr]).toEqual([3, expect.stringContaining('NETWORK api.example.test')]);
});

test('with the network cut, it serves its pages and its API, judges, learns, proxies and prints', async () => {
  const server = await startServer(['serve'], env);
  for (const path of ['/_mock/', '/_mock/docs', '/_mock/openapi.json', '/_mock/spec.json', '/_mock/info'])
    expect((await fetch(server.baseUrl + path)).status, path).toBe(200);
  const commands = [
    ['verify', '--quick'],
    ['learn', '--base-url', server.baseUrl],
    ...['gaps', 'spec', 'faults'].map((name) => [name]),
  ];
  for (const words of commands) {
    const { code, stderr } = await runCommand(words, env);
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: expect.not.stringContaining('NETWORK') });
  }
  const proxy = await startServer(['proxy', '--base-url', server.baseUrl], env);
  for (const each of [proxy, server]) expect((await each.end()).stderr).not.toContain('NETWORK');
});
