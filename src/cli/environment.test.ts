import { describe, expect, test } from 'vitest';
import { runHere } from '../testing/command.ts';

describe('the environment gives options', () => {
  test('a value, a switch, and neither where the variable is empty or says no', async () => {
    const { stdout } = await runHere(['gaps'], { PLATFORM_MOCK_PROFILE: 'strict', PLATFORM_MOCK_JSON: '1' });
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ from: expect.objectContaining({ profile: 'strict' }) }),
    );
    const plain = await runHere(['gaps'], { PLATFORM_MOCK_PROFILE: '', PLATFORM_MOCK_JSON: 'false' });
    expect(plain.stdout).toContain('0 answered by a profile');
  });

  test('the command line comes first', async () => {
    const { stdout } = await runHere(['gaps', '--profile', 'default'], { PLATFORM_MOCK_PROFILE: 'no-such' });
    expect(stdout).toContain('0 answered by a profile');
  });

  test('a list is separated by spaces', async () => {
    const { stderr } = await runHere(['verify', '--plan'], { PLATFORM_MOCK_ONLY: 'SSO-01 no-such-check' });
    expect(stderr).toContain('no-such-check');
    expect(stderr).not.toContain('SSO-01');
  });

  test('a value that cannot be used: the message names the variable', async () => {
    const { code, stderr } = await runHere(['verify'], { PLATFORM_MOCK_TIMEOUT: 'soon' });
    expect(stderr).toMatch(/^platform-mock: .*'soon' from env 'PLATFORM_MOCK_TIMEOUT' is invalid.*\n$/);
    expect(code).toBe(2);
  });

  test('every option of every command is told with its variable', async () => {
    const { stdout } = await runHere(['--help']);
    const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+)/gm)].map(
      ([, name = '']) => name,
    );
    for (const name of commands.filter((name) => name !== 'help')) {
      const help = (await runHere([name, '--help'])).stdout;
      const options = [...help.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, option = '']) => option);
      const told = help.replaceAll(/\s+/g, '');
      for (const option of options.filter((option) => option !== 'help'))
        expect(told, name).toContain(`env:PLATFORM_MOCK_${option.toUpperCase().replaceAll('-', '_')}`);
    }
  });
});

test('PORT is the port of serve, after PLATFORM_MOCK_PORT', async () => {
  const refused = await runHere(['serve'], { PORT: '99999' });
  expect(refused.stderr).toContain("value '99999' from env 'PORT' is invalid");
  const own = await runHere(['serve'], { PORT: '99999', PLATFORM_MOCK_PORT: '88888' });
  expect(own.stderr).toContain("value '88888' from env 'PLATFORM_MOCK_PORT' is invalid");
});
