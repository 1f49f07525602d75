// docs/routes.md says what is so: its files load and answer as it says.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { scopeNames } from './core/yours/scope-names.ts';
import { packageFile } from './server/files/package-root.ts';
import { loadProfile } from './server/files/profile-file.ts';
import { loadRoutes } from './server/files/routes-file.ts';
import { TestMock } from './testing/client.ts';

const page = readFileSync(packageFile('docs', 'routes.md'), 'utf8');

/** The block below a comment with its name. */
const block = (name: string): string =>
  new RegExp(`<!-- ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';

// Within this package: the module imports it by its name.
mkdirSync(packageFile('.cache'), { recursive: true });
const folder = mkdtempSync(packageFile('.cache', 'routes-page-'));
afterAll(() => rmSync(folder, { recursive: true }));
const files = ['routes.yaml', 'routes.ts'].map((name) => {
  writeFileSync(join(folder, name), block(name));
  return join(folder, name);
});

describe('docs/routes.md', async () => {
  const mock = await TestMock.start({ routes: files });
  const token = await mock.token();
  afterAll(() => mock[Symbol.asyncDispose]());

  test('data answers as it says', async () => {
    expect((await mock.call('GET /v1/profile')).status).toBe(401);
    expect((await mock.call('GET /v1/profile', { token })).body).toEqual({
      name: 'ada',
      city: expect.stringMatching(/\w/),
      at: expect.stringMatching(/Z$/),
    });
    const completed = (await mock.call('GET /v1/echo/recordings?status=completed')).body as { status: string }[];
    expect(new Set(completed.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect((await mock.call('GET /v1/echo/recordings/rec_kickoff')).body).toMatchObject({ id: 'rec_kickoff' });
    expect((await mock.call('GET /v1/jobs/1')).status).toBe(202);
    expect((await mock.call('GET /v1/jobs/1')).body).toEqual({
      state: 'done',
      folders: [{ id: 'fld_calls', name: 'Calls' }],
    });
    expect((await mock.call('GET /v1/api-tokens/scopes')).status).toBe(503);
    expect((await mock.call('GET /v1/api-tokens/scopes')).status).toBe(401);
  });

  test('a request that nothing takes is told as it says', async () => {
    const json = { filter: { text: 'kick-off' } };
    const found = await mock.call('POST /v1/search', { json, headers: { 'X-Env': 'test' } });
    expect(found.body).toMatchObject({ found: [{ id: 'rec_kickoff' }], text: 'You asked for kick-off.' });
    const { body } = await mock.call('POST /v1/search', { json });
    const { message } = (body as { error: { message: string } }).error;
    expect(page).toContain(message.replace(`${folder}/`, ''));
  });

  test('functions and ad-hoc routes answer as it says', async () => {
    const made = await mock.call('POST /v1/echo/recordings', { token, json: { title: 'New' } });
    expect(made).toMatchObject({ status: 201, basis: 'yours', body: { title: 'New' } });
    expect((await mock.call('GET /v1/uploads')).body).toMatchObject([{ id: (made.body as { id: string }).id }]);
    const [, body = ''] = /body: (\{.*\}) \}\);/.exec(block('ad hoc')) ?? [];
    const rule = JSON.parse(body.replaceAll(/(\w+):/g, '"$1":').replaceAll("'", '"')) as never;
    await mock.mock.control.POST('/routes', { body: rule });
    expect((await mock.call('GET /v1/quota')).body).toEqual({ left: 0 });
    expect((await mock.call('GET /v1/quota')).status).toBe(404);
  });

  test('names what templates see', () => {
    for (const name of scopeNames) expect(page).toContain(`\`${name}\``);
  });

  test('the mistake is told as it says', async () => {
    const file = join(folder, 'mistake.yaml');
    writeFileSync(file, 'routes:\n  - path: /v1/x\n    staus: 200\n');
    const refused = await loadRoutes([file], loadProfile(), () => {}).catch((error: Error) => error);
    expect(page).toContain((refused as Error).message.replace(`${folder}/mistake`, 'routes'));
  });
});
