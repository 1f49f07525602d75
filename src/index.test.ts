import { existsSync, readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createMock, type ListenOptions, startMock } from './index.ts';
import { reasonsOf } from './testing/refused.ts';

describe('JavaScript, which no compiler checks, gets an error for an unknown option', () => {
  test.each([
    ['startMock', 'prot', 'port', () => startMock({ prot: 0 } as never)],
    ['startMock', 'profil', 'profile', () => startMock({ profil: 'strict' } as never)],
    ['createMock', 'fault', 'faults', () => createMock({ fault: [] } as never)],
    ['createMock', 'fixtures', 'fixturesDir', () => createMock({ fixtures: undefined } as never)],
    ['createMock', 'state', 'stateFile', () => createMock({ state: 'x.json' } as never)],
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

describe('an address that cannot be had is one line, with what to do', () => {
  test('a port in use', async () => {
    await using other = await startMock();
    expect(await reasonsOf(() => startMock({ port: other.port }))).toEqual([
      `port ${other.port} on 127.0.0.1 is in use; choose another port`,
    ]);
  });

  // Who may take port 1 is the system's affair: root may, and in many containers everybody.
  const isForRootOnly = process.getuid?.() !== 0 && firstFreePort() > 1;

  test.for<[address: ListenOptions, isRefused: boolean, reason: RegExp]>([
    [
      { host: 'no-such-host.invalid' },
      true,
      /^the host no-such-host\.invalid does not resolve \(\w+\); choose another with --host: /,
    ],
    // 203.0.113.0/24 is for documentation: no machine has it.
    [
      { host: '203.0.113.1' },
      true,
      /^203\.0\.113\.1 is not an address of this machine \(EADDRNOTAVAIL\); choose another with --host/,
    ],
    [{ port: 1 }, isForRootOnly, /^port 1 on 127\.0\.0\.1 may not be used without more rights; choose one above 1023$/],
  ])('%j', async ([address, isRefused, reason], { skip }) => {
    skip(!isRefused, 'this user may');
    expect(await reasonsOf(() => startMock(address))).toEqual([expect.stringMatching(reason)]);
  });
});

function firstFreePort(): number {
  const file = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}

test.each(['', ' ', 'two words', 'schlüssel', 'a\nb'])(
  'the control token %j, which no header carries, is refused',
  async (controlToken) => {
    const message = 'the control token must be printable ASCII without spaces';
    await expect(createMock({ controlToken })).rejects.toThrow(message);
    await expect(startMock({ controlToken })).rejects.toThrow(message);
  },
);

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
