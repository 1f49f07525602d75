import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testFolder } from '../../../contract-tests/testing/folder.ts';
import { TestMock } from '../../testing/client.ts';
import { packageFile } from './package-root.ts';
import { watchInputs } from './watch.ts';

test('what the mock writes next to its routes is no edit, nor is any other file there', async () => {
  const folder = testFolder();
  const at = (name: string): string => join(folder, name);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  writeFileSync(at('routes.yaml'), 'routes: []\n');
  const inputs = { routes: [at('routes.yaml')], state: at('state.json'), record: at('passed.json') };
  onTestFinished(watchInputs({ reload: async () => {} }, inputs, () => {}));
  /** Writes a file, and waits until those who watch the folder know it. */
  const write = async (name: string): Promise<void> => {
    const watcher = watch(folder);
    const seen = new Promise((done) => watcher.on('change', (_event, of) => of === name && done(of)));
    writeFileSync(at(name), 'routes: []\n');
    await seen;
    watcher.close();
    await nextTurn();
  };
  for (const name of ['state.json.lock', 'state.json', 'passed.json', 'package.json', 'app.ts']) await write(name);
  expect(vi.getTimerCount()).toBe(0);
  await write('routes.yaml');
  expect(vi.getTimerCount()).toBe(1);
});

test('what a module of routes imports from its folder is watched, too', async () => {
  const folder = testFolder();
  const module = join(folder, 'routes.ts');
  writeFileSync(module, "import data from './data.json' with { type: 'json' };\nexport default data;\n");
  const reload = vi.fn(async () => {});
  onTestFinished(watchInputs({ reload }, { routes: [module] }, () => {}));
  writeFileSync(join(folder, 'data.json'), '[]');
  await expect.poll(() => reload.mock.calls.length).toBe(1);
});

test('a file behind links is followed, as Kubernetes replaces a ConfigMap, and where it is edited', async () => {
  const folder = testFolder();
  const at = (name: string): string => join(folder, name);
  for (const version of ['..1', '..2']) {
    mkdirSync(at(version));
    writeFileSync(at(`${version}/routes.yaml`), 'routes: []\n');
  }
  symlinkSync('..1', at('..data'));
  symlinkSync('..data/routes.yaml', at('routes.yaml'));
  const reload = vi.fn(async () => {});
  onTestFinished(watchInputs({ reload }, { routes: [at('routes.yaml')] }, () => {}));
  writeFileSync(at('..1/routes.yaml'), 'routes: []\n');
  await expect.poll(() => reload.mock.calls.length).toBe(1);
  symlinkSync('..2', at('..data_tmp'));
  renameSync(at('..data_tmp'), at('..data'));
  await expect.poll(() => reload.mock.calls.length).toBeGreaterThan(1);
});

test('an edit is applied and keeps the state; an invalid one is reported and not applied', async () => {
  const folder = testFolder();
  const fixtures = join(folder, 'fixtures');
  cpSync(packageFile('fixtures'), fixtures, { recursive: true });
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'name: mine\nanswers: { validation-status: 400 }\n');
  await using mock = await TestMock.start({ profile, fixtures });
  const log = vi.fn();
  const logged = () => expect.poll(() => log.mock.lastCall?.[1]);
  onTestFinished(watchInputs(mock.mock, { profile, fixtures }, log));
  await mock.update({ title: 'changed' });
  await mock.call('GET /~box/_mock/info');

  writeFileSync(profile, 'name: mine\nanswers: { validation-status: 422, method-values: [by-phone] }\n');
  await logged().toContain('reloaded');
  expect((await mock.update({ title: 7 })).status).toBe(422);
  expect((await mock.update({})).body).toMatchObject({ title: 'changed', method: 'by-phone' });
  expect((await mock.call('POST /~box/v1/auth/sso', { json: {} })).status).toBe(422);

  writeFileSync(profile, 'name: mine\nanswers: { validation-status: 999 }\n');
  await logged().toMatch(/profile\.yaml:2: 999 is not an answer to validation-status[\s\S]*stay in force/);
  expect((await mock.update({ title: 7 })).status).toBe(422);

  const users = join(fixtures, 'users.yaml');
  const before = readFileSync(users, 'utf8');
  writeFileSync(users, before.replace('username: grace', 'username: [grace'));
  await logged().toMatch(/users\.yaml[\s\S]*stay in force/);

  writeFileSync(profile, 'name: mine\nanswers: { validation-status: 422, method-values: [by-phone] }\n');
  writeFileSync(users, before.replace('username: grace', 'username: admiral'));
  await logged().toContain('reloaded');
  expect(mock.world.store.users.get('usr_grace')?.username).toBe('admiral');
  expect((await mock.update({})).body).toMatchObject({ title: 'changed' });
});
