import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createMock, startMock } from './index.ts';
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
