import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { runHere } from '../testing/command.ts';
import type { Ended } from '../testing/program.ts';
import { commands } from './commands.ts';

describe('the environment gives options', () => {
  test('a value, and a switch that is on or off', async () => {
    for (const value of ['1', 'true', 'YES', 'on']) {
      const { stdout } = await runHere(['gaps'], { PLATFORM_MOCK_PROFILE: 'strict', PLATFORM_MOCK_JSON: value });
      expect(JSON.parse(stdout)).toContainEqual(
        expect.objectContaining({ from: expect.objectContaining({ profile: 'strict' }) }),
      );
    }
    const plain = await runHere(['gaps'], { PLATFORM_MOCK_JSON: 'false' });
    expect(plain.stdout).toContain('0 answered by a profile');
    // Off differs from not given where it forbids something: its own mock would be written to.
    for (const [variable, isAllowed] of Object.entries({ ALLOW_WRITES: false, NO_ALLOW_WRITES: true })) {
      const { stdout } = await runHere(['verify', '--plan', '--json'], { [`PLATFORM_MOCK_${variable}`]: 'false' });
      expect(JSON.parse(stdout)).toMatchObject({ allowWrites: isAllowed });
    }
    const { code, stdout, stderr } = await runHere(['gaps'], { PLATFORM_MOCK_JSON: 'maybe' });
    expect(stderr).toBe(
      "platform-mock: option '--json' is maybe in the environment (PLATFORM_MOCK_JSON); set it to true or false\n",
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('a list is separated by spaces', async () => {
    const { stderr } = await runHere(['verify', '--plan'], { PLATFORM_MOCK_ONLY: 'SSO-01 no-such-check' });
    expect(stderr).toContain('no-such-check');
    expect(stderr).not.toContain('SSO-01');
  });
});

const program = new Command();
for (const register of commands) register(program);
const options = program.commands.flatMap((command) =>
  command.options.map(({ long, required, optional }) => ({
    name: command.name(),
    long: long ?? '',
    variable: `PLATFORM_MOCK_${long?.slice(2).toUpperCase().replaceAll('-', '_')}`,
    takesValue: required || optional,
  })),
);

describe.each(options)('$name $long', ({ name, long, variable, takesValue }) => {
  /** Ends with another message if nothing is refused before. */
  const unknown = '--no-such-option';
  const isRefused = ({ code, stderr }: Ended, message: string) => {
    expect(stderr).toMatch(/^platform-mock: [^\n]+\n$/);
    expect(stderr).toContain(`option '${long}`);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  };

  test('is reported with its variable', async () => {
    const { stdout } = await runHere([name, '--help']);
    expect(stdout.replaceAll(/\s+/g, '')).toContain(`env:${variable})`);
  });

  test('is refused where it, or its variable, is empty', async () => {
    isRefused(await runHere([name, unknown], { [variable]: '' }), `is empty in the environment (${variable})`);
    for (const words of takesValue ? [[long, ''], [`${long}=`], [long, ' '], [long, '', long, '1']] : [])
      isRefused(await runHere([name, ...words, unknown]), 'is empty; leave it out');
  });
});

test('PORT is the port of serve, after PLATFORM_MOCK_PORT', async () => {
  const refused = await runHere(['serve'], { PORT: '99999' });
  expect(refused.stderr).toContain("value '99999' from env 'PORT' is invalid");
  const own = await runHere(['serve'], { PORT: '99999', PLATFORM_MOCK_PORT: '88888' });
  expect(own.stderr).toContain("value '88888' from env 'PLATFORM_MOCK_PORT' is invalid");
  const empty = await runHere(['serve'], { PORT: '' });
  expect(empty.stderr).toContain('is empty in the environment (PORT)');
});
