import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { allRules } from '../contract-tests/rules/rules.ts';
import { checkAnswers } from '../contract-tests/session/gap-answers.ts';
import { loadTargetFile } from '../contract-tests/session/target-file.ts';
import { loadRequirements, packageRoot } from '../contract-tests/spec-data.ts';
import { faultsWithParameters } from './core/faults/environment.ts';
import { faults } from './core/faults/index.ts';
import { connectMock, type Sandbox, startMock } from './index.ts';
import { hasBrowser, startBrowser } from './testing/browser.ts';
import { TestMock } from './testing/client.ts';

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
const scripts = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const blocks = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);

describe('the README says what is so', () => {
  test('what is asked with curl is answered as it says', async () => {
    await using mock = await TestMock.start();
    const token = await mock.token();
    const samples = [...readme.matchAll(/^\$ curl (?:.*\\\n)*.*\n/gm)].map(({ 0: command, index }) => ({
      command,
      printed: readme.slice(index + command.length).split('\n', 1)[0] ?? '',
    }));
    const keys = '/v1/admin/tenants/ten_analytical/api-keys';
    const statuses: number[] = [];
    expect(samples.map(({ command }) => /127\.0\.0\.1:4010([^'?\s]+)/.exec(command)?.[1])).toEqual([
      '/v1/auth/sso',
      keys,
      '/v1/echo/recordings/rec_kickoff',
      '/_mock/state/recordings/rec_kickoff',
      '/_mock/faults/respond',
      keys,
      keys,
      '/_mock/faults/delay',
      '/v1/api-tokens/scopes',
    ]);
    for (const { command, printed } of samples) {
      const [, path = ''] = /127\.0\.0\.1:4010([^'\s]+)/.exec(command) ?? [];
      const [, raw] = / -d '([^']+)'/.exec(command) ?? [];
      const [, method = raw === undefined ? 'GET' : 'POST'] = / -X (\w+)/.exec(command) ?? [];
      const [, fault] = / -H 'X-Mock-Fault: ([^']+)'/.exec(command) ?? [];
      const bearer = command.includes('Authorization: Bearer eyJ…') ? { token } : {};
      const answer = await mock.call(`${method} ${path}`, {
        ...bearer,
        ...(raw && { raw }),
        ...(fault && { headers: { 'X-Mock-Fault': fault } }),
      });
      statuses.push(answer.status);
      // An ellipsis stands for anything, or for nothing.
      const pattern = printed.split(/,?…/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      expect(text).toMatch(new RegExp(`^${pattern.join('.*')}$`));
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 503, 200, 400, 418]);
  });

  test('the measure of the suite', () => {
    const score = JSON.parse(readFileSync(join(packageRoot, 'spec/score.json'), 'utf8')) as Record<string, number>;
    expect(score.faults).toBeGreaterThan(200);
    expect(score).toMatchObject({ killed: score.faults, falseAlarms: 0, metaFaultsConforming: 0 });
  });

  test('the faults: how many, and those with parameters', () => {
    expect(readme).toContain(`lists ${faults.length} ways`);
    for (const { id, parameters } of faultsWithParameters) {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${id}\` |`)) ?? '';
      const [, , told = ''] = row.split('|');
      const named = [...told.matchAll(/`(\w+)`/g)].map(([, name]) => name);
      expect(named, id).toEqual(expect.arrayContaining([...parameters]));
    }
  });

  test('the profiles that ship', () => {
    const shipped = readdirSync(join(packageRoot, 'spec/profiles')).map((name) => name.replace('.yaml', ''));
    for (const name of shipped.filter((name) => name !== 'default')) expect(readme).toContain(`\`${name}\``);
  });

  test('the profile holds allowed answers', () => {
    const profile = parse(blocks.find((block) => block.includes('answers:')) ?? '') as {
      answers: Record<string, unknown>;
    };
    expect(Object.keys(profile.answers).length).toBeGreaterThan(1);
    checkAnswers(profile.answers, () => 'README.md');
  });

  test('the routes answer as it says', async () => {
    const text = blocks.find((block) => block.startsWith('routes:')) ?? '';
    const file = join(mkdtempSync(join(tmpdir(), 'platform-mock-readme-')), 'routes.yaml');
    writeFileSync(file, text);
    await using mock = await TestMock.start({ routes: [file] });
    const token = await mock.token();
    expect((await mock.call('GET /v1/profile', { token })).body).toEqual({ name: 'ada', tenant: 'ten_analytical' });
    const { body } = await mock.call('GET /v1/echo/recordings', { token });
    expect(new Set((body as { user_id: string }[]).map(({ user_id }) => user_id))).toEqual(new Set(['usr_ada']));
    expect(await mock.call('POST /v1/uploads', { json: { name: 'a.mp3' } })).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'a.mp3', city: expect.any(String) },
    });
  });

  test('the target file is one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'platform-mock-readme-'));
    const file = join(folder, 'target.yaml');
    writeFileSync(join(folder, 'ca.pem'), '');
    writeFileSync(file, blocks.find((block) => block.startsWith('baseUrl:')) ?? '');
    const target = loadTargetFile(file, { QA_PASSWORD: 'from the environment' });
    expect(target.actors?.admin?.login?.password).toBe('from the environment');
  });

  test('the requirements and checks that it names exist', () => {
    const ids = new Set([...loadRequirements().map(({ id }) => id), ...allRules.map(({ id }) => id)]);
    for (const [id] of readme.matchAll(/\b(SSO|REC|KEY|SCO|AUT|GEN)-\d\d\b/g)) expect(ids).toContain(id);
  });

  test('the code for a test in Node: each answer has the status that stands behind it', async () => {
    const code = scripts.find((script) => script.includes("from 'platform-mock'")) ?? '';
    const seen: [number, number][] = [];
    const checked = code
      .replaceAll(/^(await .*); \/\/ (\d{3}).*$/gm, 'seen.push([(await $1).response.status, $2]);')
      .replaceAll(/^import (.*) from (.*);$/gm, 'const $1 = await load($2);');
    const AsyncFunction = (async () => {}).constructor as new (
      ...code: string[]
    ) => (...values: unknown[]) => Promise<void>;
    await new AsyncFunction('load', 'seen', checked)((name: string) => import(name), seen);
    expect(seen).toEqual([
      [200, 200],
      [401, 401],
    ]);
  });

  test.each([
    'msw-page/mock.ts',
    'vitest-app/vitest.config.ts',
    'vitest-app/global-setup.ts',
    'vitest-app/rename.spec.ts',
  ])('code is that of the example %s', (name) => {
    const example = readFileSync(join(packageRoot, 'src/examples', name), 'utf8');
    expect(scripts).toContain(example.slice(example.indexOf('import ')));
  });

  test('the command and the file of an app are those of the package', () => {
    const [, line = ''] = /```json\n("scripts".*)\n```/.exec(readme) ?? [];
    const { scripts: app } = JSON.parse(`{${line}}`) as { scripts: { mock: string } };
    const { name, bin } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
    expect(readme).toMatch(new RegExp(`npm i -D git\\+https://\\S+/${name}\\.git`));
    const [command = '', ...args] = app.mock.split(' ');
    expect(bin).toHaveProperty(command);
    expect(args).toEqual(['serve', '--state', expect.any(String)]);
  });

  test('what a call that never came is told as', async () => {
    const told = /```\n(Expected at least 1 of [^`]+)\n```/.exec(readme)?.[1];
    await using mock = await TestMock.start();
    await mock.update({ title: 'Kick off' });
    const expected = { operation: 'updateRecording', body: { title: 'Kick-off' } } as const;
    const error = await mock.mock.calls(expected, { timeout: 0 }).catch((error: Error) => error.message);
    const lines = String(error).replace('received none.', 'received none in 3 s.').replaceAll(/#\d+/g, '#1');
    expect(lines.replace(/Nearest of \d+/, 'Nearest of 1').split('\nReceived:')[0]).toBe(told);
  });

  test.runIf(hasBrowser)('the fixture for Playwright: the page calls a world of its own', async () => {
    const code = scripts.find((script) => script.includes('@playwright/test')) ?? '';
    await using mock = await startMock();
    const { outputText } = ts.transpileModule(code.replace('http://127.0.0.1:4010', mock.baseUrl), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    type Fixture = (from: { page: Page }, use: (world: Sandbox) => Promise<void>) => Promise<void>;
    const exported: { test?: { world: Fixture } } = {};
    const modules = {
      '@playwright/test': { test: { extend: (fixtures: object) => fixtures } },
      'platform-mock': { connectMock },
    };
    new Function('require', 'exports', outputText)((name: keyof typeof modules) => modules[name], exported);
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`${mock.baseUrl}/_mock/info`);
      await exported.test?.world({ page }, async (world) => {
        await page.evaluate((url) => fetch(`${url}/v1/api-tokens/scopes`).then(({ status }) => status), mock.baseUrl);
        expect(await world.calls({ operation: 'listTokenScopes', status: 401 })).toHaveLength(1);
      });
      expect(await mock.calls({ operation: 'listTokenScopes', count: 0 })).toEqual([]);
      const { data } = await mock.control.GET('/sandboxes');
      expect(data?.sandboxes).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('each export is in the table, and exports what is named there', async () => {
    const { exports } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
    const entries = Object.keys(exports).filter((path) => path !== './package.json');
    const rows = [...readme.matchAll(/^\| `(platform-mock[^`]*)` \|[^|]*\| (.*) \|$/gm)];
    expect(rows.map(([, name]) => name).sort()).toEqual(
      entries.map((path) => path.replace('.', 'platform-mock')).sort(),
    );
    for (const [, name = '', text = ''] of rows) {
      const named = [...text.matchAll(/`([a-z]+[A-Z]\w+)`/g)].map(([, one]) => one);
      expect(named.length).toBeGreaterThan(0);
      for (const one of named) expect(await import(name), name).toHaveProperty(one ?? '');
    }
  });
});
