import { setImmediate as nextTurn } from 'node:timers/promises';
import { Option } from 'commander';
import { describe, expect, test, vi } from 'vitest';
import { createPortableMock } from './doors/portable.ts';
import { createMock, startMock } from './index.ts';
import { listenOptions } from './server/options.ts';
import { reasonsOf } from './testing/refused.ts';

describe('JavaScript, which no compiler checks, gets an error for an unknown option', () => {
  test.each([
    ['startMock', 'prot', 'port', () => startMock({ prot: 0 } as never)],
    ['createMock', 'fault', 'faults', () => createMock({ fault: [] } as never)],
    // It does not listen.
    ['createMock', 'port', '', () => createMock({ port: 4010 } as never)],
  ])('%s: %s, where %s was meant', async (name, wrong, meant, call) => {
    const hint = meant === '' ? '' : `; did you mean ${meant}\\b`;
    expect(await reasonsOf(call)).toEqual([
      expect.stringMatching(new RegExp(`^${name} has no option ${wrong}; it takes .*${hint}`)),
    ]);
  });

  test.each([4010, null, ['port']])('%j is no object of options', async (options) => {
    expect(await reasonsOf(() => startMock(options as never))).toEqual([
      `startMock takes an object of options, not ${JSON.stringify(options)}`,
    ]);
  });
});

describe.each(Object.entries({ startMock, createMock, createPortableMock }))('%s', (name, call) => {
  type Case = [option: string, value: unknown, message: string];
  const listening: Case[] = [
    ['port', Number.NaN, 'a whole number from 0 to 65535; it is NaN'],
    // Node would listen on all addresses.
    ['host', '', 'a string that is not empty; it is ""'],
    ['tls', 'self', 'self-signed, or an object; it is "self"'],
  ];
  const inNode: Case[] = [
    ['cors', 'zz', 'a list of strings that are not empty; it is "zz"'],
    ['upstream', 'zz', 'an object; it is "zz"'],
    ['metrics', true, 'control or open; it is true'],
    ['record', {}, 'a string that is not empty, or a function; it is of type object'],
  ];
  const inPages: Case[] = [
    ['baseUrl', '/api', 'a URL without query and fragment; it is "/api"'],
    ['baseUrl', 'http://x/?a', 'a URL without query and fragment; it is "http://x/?a"'],
  ];
  test.each<Case>([
    ['seed', 'x', 'a whole number from 0 to 9007199254740991; it is "x"'],
    ['recordings', -1, 'a whole number from 0 to 1000000; it is -1'],
    ['latency', () => 5, 'a whole number from 0 to 600000; it is of type function'],
    ['faults', [{ id: 'delay' }], 'a list of strings that are not empty; it is [{"id":"delay"}]'],
    ['routes', 'x.yaml', 'a list; it is "x.yaml"'],
    ['log', console, 'a function; it is of type object'],
    ...(call === createPortableMock ? inPages : inNode),
    ...(call === startMock ? listening : []),
  ])('refuses %s: %o', async (option, value, message) => {
    const options = { [option]: value } as never;
    expect(await reasonsOf(() => call(options))).toEqual([`${name}: ${option} must be ${message}`]);
  });
});

test('code and command line have one name for an option; that of a list is in the singular there', () => {
  const names = Object.entries(listenOptions).flatMap(([name, { flag }]) =>
    flag === undefined ? [] : [[name, new Option(flag).attributeName()]],
  );
  expect(names.filter(([name, attribute]) => name !== attribute)).toEqual([['faults', 'fault']]);
});

test('an upstream has its own options', async () => {
  const upstream = { upstream: 'http://127.0.0.1:1', timeoutMs: 0, mockOnly: 'ssoLogin' } as never;
  expect(await reasonsOf(() => createMock({ upstream }))).toEqual([
    'upstream: timeoutMs must be a whole number from 1 to 3600000; it is 0',
    'upstream: mockOnly must be a list of strings that are not empty; it is "ssoLogin"',
  ]);
  const tls = { insecure: true } as never;
  expect(await reasonsOf(() => createMock({ upstream: { upstream: 'https://127.0.0.1:1', tls } }))).toEqual([
    'upstream.tls has no option insecure; it takes rejectUnauthorized, ca',
  ]);
});

test.each(['', ' ', 'two words', 'schlüssel', 'a\nb'])(
  'the control token %j, which no header carries, is refused',
  async (controlToken) => {
    const message = 'the control token must be printable ASCII without spaces';
    await expect(createMock({ controlToken })).rejects.toThrow(message);
    await expect(startMock({ controlToken })).rejects.toThrow(message);
  },
);

test('the end of a mock has options, and a refused one does not end it', async () => {
  await using mock = await startMock();
  expect(await reasonsOf(() => mock.close({ delay: 5 } as never))).toEqual([
    'close has no option delay; it takes delayMs, timeoutMs; did you mean delayMs?',
  ]);
  expect(await reasonsOf(() => mock.close({ delayMs: -1, timeoutMs: '9' } as never))).toEqual([
    'close: delayMs must be a whole number from 0 to 3600000; it is -1',
    'close: timeoutMs must be a whole number from 0 to 3600000; it is "9"',
  ]);
  expect((await fetch(`${mock.baseUrl}/_mock/health/ready`)).status).toBe(200);
});

test('a mock in the process of a test with a simulated clock answers, by the clock of the runtime, and closes', async () => {
  const mock = await startMock({ latency: 1 });
  vi.useFakeTimers();
  try {
    for (const fault of ['delay;ms=20', 'throttle;bytesPerSecond=20000', 'slow-drip']) {
      const headers = { 'X-Mock-Fault': fault, Prefer: 'wait=1' };
      const response = await fetch(`${mock.baseUrl}/v1/api-tokens/scopes`, { headers });
      expect([response.status, typeof (await response.json())]).toEqual([401, 'object']);
    }
    await using sandbox = await mock.sandbox();
    expect((await fetch(`${sandbox.baseUrl}/v1/api-tokens/scopes`)).status).toBe(401);
  } finally {
    // With connections that the client keeps open.
    await mock.close();
    vi.useRealTimers();
  }
});

test('a mock that is closed loads nothing any more', async () => {
  let isLoaded = false;
  vi.resetModules();
  vi.doMock(import('./control/handle.ts'), async (original) => {
    // As on a busy machine.
    for (let turns = 0; turns < 2000; turns += 1) await nextTurn();
    isLoaded = true;
    return original();
  });
  const fresh = await import('./index.ts');
  const mock = await fresh.startMock();
  await nextTurn();
  expect(isLoaded).toBe(false);
  await mock.close();
  expect(isLoaded).toBe(true);
  vi.doUnmock('./control/handle.ts');
});
