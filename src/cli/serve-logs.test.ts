import { join } from 'node:path';
import colors from 'picocolors';
import { expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import type { Observed } from '../index.ts';
import { startServer } from '../testing/command.ts';
import { requestLine, warnOfOrigins } from './serve-logs.ts';

const update: Observed = {
  method: 'PATCH',
  url: '/v1/echo/recordings/rec_kickoff',
  status: 200,
  basis: 'documented',
  milliseconds: 3.06,
  delayMs: 0,
  operation: 'updateRecording',
  faults: [],
  isPreflight: false,
  refusedOrigin: undefined,
};
const at = new Date(2030, 0, 1, 9, 8, 7);

test.each<[Partial<Observed>, RegExp]>([
  [{}, /^09:08:07 {2}PATCH {2}\/v1\/echo\/recordings\/rec_kickoff {2}200 {2}3\.1 ms {2}documented$/],
  [
    { status: undefined, basis: '', faults: ['drop-before-commit'], delayMs: 800 },
    / dropped {2}3\.1 ms {2}fault drop-before-commit {2}delayed by 800 ms$/,
  ],
])('a line about a request has what is known of it: %j', (observed, line) => {
  expect(requestLine({ ...update, ...observed }, at, colors.createColors(false))).toMatch(line);
});

test.each([
  [200, 'green'],
  [304, 'cyan'],
  [404, 'yellow'],
  [503, 'red'],
  [undefined, 'red'],
] as const)('its colour for %s is %s', (status, colour) => {
  const all = colors.createColors(true);
  expect(requestLine({ ...update, status }, at, all)).toContain(all[colour](String(status ?? 'dropped')));
});

test('a refused origin is reported once, with the option that allows it', () => {
  const told: string[] = [];
  const warn = warnOfOrigins((message) => told.push(message));
  for (const origin of [undefined, 'https://app.example', 'https://app.example', 'null'])
    warn({ ...update, refusedOrigin: origin });
  const warning = (origin: string) => `CORS: pages of ${origin} may not call; to allow them: --cors ${origin}`;
  expect(told).toEqual([warning('https://app.example'), warning('null')]);
});

const preflight = {
  method: 'OPTIONS',
  headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'PATCH' },
};

test('serve tells of a dropped request, of faults and of the state file; not of preflights', async () => {
  const state = join(testFolder(), 'state.json');
  const mock = await startServer(['serve', '--state', state]);
  expect(mock.output()).toContain(`State        ${state}`);
  await fetch(`${mock.baseUrl}/v1/auth/login`, preflight);
  const faulty = { headers: { 'X-Mock-Fault': 'offline' } };
  await fetch(`${mock.baseUrl}/v1/api-tokens/scopes`, faulty).catch(() => {});
  const { stderr } = await mock.end();
  expect(stderr).toMatch(/GET {4}\/v1\/api-tokens\/scopes {2}dropped {2}[\d.]+ ms {2}.*fault offline/);
  expect(stderr).toContain('--cors https://app.example');
  expect(stderr).not.toContain('OPTIONS');
  expect(stderr).toContain(`state saved in ${state}`);
});

test('with --verbose and --json-logs, each request is a line of fields', async () => {
  const mock = await startServer(['serve', '--json-logs', '--verbose']);
  await fetch(`${mock.baseUrl}/v1/auth/login`, preflight);
  await fetch(`${mock.baseUrl}/v1/api-tokens/scopes`);
  const { stdout } = await mock.end();
  const lines = stdout.trim().split('\n');
  const answered = { status: 401, outcome: 'answered', milliseconds: expect.any(Number), faults: [] };
  for (const fields of [
    { method: 'OPTIONS', isPreflight: true, level: 30 },
    { level: 40, refusedOrigin: 'https://app.example' },
    { operation: 'listTokenScopes', ...answered },
  ])
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining(fields));
});
