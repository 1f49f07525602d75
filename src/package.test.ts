// What somebody who installs the package gets with it.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../contract-tests/testing/folder.ts';
import { publish } from './core/publish/publish.ts';
import type { ApiDocument } from './core/spec/document.ts';
import { defaultAnswers } from './core/spec/gaps.ts';
import { resolve } from './core/spec/resolve.ts';
import { packageFile } from './server/files/package-root.ts';
import { usesOf } from './testing/every-field.ts';
import { fileWith } from './testing/refused.ts';
import { typeErrors } from './testing/type-errors.ts';

interface Locked {
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(packageFile(name), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
/** The tree that an install of the package brings: dependencies, and theirs. Optional peers come with who names them. */
const production = Object.entries(packages).filter(([name, { dev }]) => name !== '' && dev !== true);

test('no package of the production tree runs a script on install', () => {
  expect(production.length).toBeGreaterThan(Object.keys(read('package.json').dependencies).length);
  expect(production.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual([]);
  expect(production.map(([name]) => name)).not.toContain('node_modules/@scarf/scarf');
});

test('the files of the docs page ship with the package, with their licences', () => {
  const names = 'swagger-ui-bundle.js.gz swagger-ui-bundle.js.LICENSE.txt swagger-ui.css.gz LICENSE NOTICE'.split(' ');
  for (const name of names) expect(existsSync(packageFile('dist', 'dashboard', 'swagger-ui', name)), name).toBe(true);
});

const [tarball] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: packageFile(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [{ files: { path: string }[]; unpackedSize: number }];
const packed = tarball.files.map(({ path }) => path);

test('the package has at most 150 files and 5 MB: what its entries name, and nothing of the build', () => {
  expect(packed.length).toBeLessThanOrEqual(150);
  expect(tarball.unpackedSize).toBeLessThanOrEqual(5_000_000);
  const { bin, exports } = read('package.json');
  const named = JSON.stringify([bin, exports]).matchAll(/"(?:\.\/)?(dist\/[^"]+)"/g);
  expect(packed).toEqual(expect.arrayContaining([...named].map(([, path]) => path)));
  expect(packed.filter((path) => /buildinfo|\.test\./.test(path))).toEqual([]);
});

test('no published text says to fetch the bare name, which is in no registry', () => {
  const { name } = read('package.json');
  /** A command of a package manager that would ask a registry for it: not a path, a URL, or what is installed already. */
  const fetching = new RegExp(
    `\\b(?:npm (?:i|install|add|x|exec)|npx|pnpx|bunx|(?:pnpm|yarn|bun) (?:add|dlx|x))(?! --no-install)(?: [^\\s\`'"]+)*? ["']?${name}(?![\\w.-]|/\\w)`,
  );
  /** A version of it in a package.json, and an action of a user who registers a placeholder. */
  const foreign = new RegExp(`"${name}": "[~^\\d*]|uses: [\\w-]*[a-z][\\w-]*/${name}`);
  const documents = readdirSync(packageFile('docs'), { recursive: true }).map((file) => join('docs', String(file)));
  const more = 'CHANGELOG.md CONTRIBUTING.md SECURITY.md action.yml compose.yaml Dockerfile .ci/packed'.split(' ');
  const texts = [...packed, ...documents, ...more].filter((file) => !/\.(svg|map)$|swagger-ui|plots\//.test(file));
  const found = texts.flatMap((file) => {
    if (!statSync(packageFile(file)).isFile()) return [];
    const lines = readFileSync(packageFile(file), 'utf8').split('\n');
    return lines.filter((line) => fetching.test(line) || foreign.test(line)).map((line) => `${file}: ${line}`);
  });
  expect(found).toEqual([]);
});

test('an older Node gets one line with the version that is needed', () => {
  const older = fileWith("Object.defineProperty(process.versions, 'node', { value: '20.9.0' });", 'older.cjs');
  const entry = packageFile(read('package.json').bin['platform-mock']);
  const { status, stderr } = spawnSync(process.execPath, ['--require', older, entry, 'serve'], { encoding: 'utf8' });
  expect(stderr).toBe('platform-mock: Node 20.19 or newer is needed; this is Node 20.9.0\n');
  expect(status).toBe(2);
  const { stdout } = spawnSync(process.execPath, [entry, '--version'], { encoding: 'utf8' });
  expect(stdout.trim()).toBe(read('package.json').version);
});

describe('the types need nothing but the dependencies', () => {
  /** As pnpm lays it out: the package sees its dependencies next to itself, and the project sees the package alone. */
  function install(): string {
    const folder = testFolder();
    const store = join(folder, 'store', 'node_modules');
    for (const path of packed.filter((path) => /\.d\.[cm]?ts$|package\.json$/.test(path)))
      cpSync(packageFile(path), join(store, 'platform-mock', path));
    const link = (to: string, from: string): void => {
      mkdirSync(dirname(from), { recursive: true });
      symlinkSync(to, from, 'junction');
    };
    for (const name of Object.keys(read('package.json').dependencies))
      link(packageFile('node_modules', name), join(store, name));
    link(join(store, 'platform-mock'), join(folder, 'project', 'node_modules', 'platform-mock'));
    return folder;
  }

  const use = `
    import { createMock, startMock, type MockApp } from 'platform-mock';
    import { apiClient, type components, connectMock, controlClient, type paths } from 'platform-mock/client';
    import { createPortableMock } from 'platform-mock/fetch';
    import 'platform-mock/jest';
    export const app: Promise<MockApp> = createMock({ observe: ({ faults }) => faults.length }).then(({ app }) => app);
    export const calls = startMock().then((mock) => mock.calls({ operation: 'login', count: 1 }));
    export const mocks = [connectMock('/'), createPortableMock()];
    // @ts-expect-error there is no such operation
    connectMock('/').calls({ operation: 'logIn' });
    export const control = controlClient('/');
    // @ts-expect-error there is no such field, and one is missing
    control.POST('/tokens/expire', { body: { tokens: 'x' } });
    // @ts-expect-error the fault is not named
    control.PUT('/faults/{fault}', { body: {} });
    export async function answers() {
      const { data: { token } } = await control.POST('/tokens', { body: { user: 'usr_ada' } });
      const api = apiClient<paths>('/', { token: token as string | undefined, fetch: undefined });
      const grant = { email: 'ada@analytical.example', password: 'ada-password' };
      return {
        ssoLogin: await api.POST('/v1/auth/sso', { body: { oid: 'o', tid: 't', upn: 'u' } }),
        login: await api.POST('/v1/auth/login', { body: grant }),
        refreshAccessToken: await api.POST('/v1/auth/refresh', { body: { refresh_token: 'r' } }),
        createApiToken: await api.POST('/v1/api-tokens', { body: { name: 'n' } }),
        listTokenScopes: await api.GET('/v1/api-tokens/scopes'),
        updateRecording: await api.PATCH('/v1/echo/recordings/{recordingId}', { params: { path: { recordingId: 'rec_kickoff' } }, body: {} }),
        listTenantApiKeys: await api.GET('/v1/admin/tenants/{id}/api-keys', { params: { path: { id: 'i' }, query: { provider: token } } }),
      };
    }
    type Answers = Awaited<ReturnType<typeof answers>>;
    type Schemas = components['schemas'];
    const whole = <T>(value: T): T => value;
    export function wholes({ listTenantApiKeys, updateRecording, listTokenScopes, ssoLogin }: Answers): void {
      if (listTenantApiKeys.data) whole<Schemas['TenantApiKey'][]>(listTenantApiKeys.data);
      if (updateRecording.data) whole<Schemas['Recording']>(updateRecording.data);
      if (listTokenScopes.data) whole<Schemas['TokenScopes']>(listTokenScopes.data);
      if (ssoLogin.data) whole<Schemas['TokenGrant']>(ssoLogin.data);
    }
  `;
  const document = publish(resolve(defaultAnswers())) as unknown as ApiDocument;
  const everyField = usesOf(document, (operation, status) => {
    const body = status.startsWith('2') ? 'data' : 'error';
    return `NonNullable<Answers['${operation}']['${body}']>`;
  });
  const required = `import { apiClient } from 'platform-mock/client';\nexport const api = apiClient('/');\n`;
  const loaded = `export const api = import('platform-mock/client').then(({ apiClient }) => apiClient('/'));\n`;
  const { Node16, NodeNext, Bundler } = ts.ModuleResolutionKind;

  // Under Node 16, a CommonJS module could not require an ES module; TypeScript says so.
  test.each([
    { module: ts.ModuleKind.Node16, moduleResolution: Node16, name: 'node16', commonJs: loaded },
    { module: ts.ModuleKind.NodeNext, moduleResolution: NodeNext, name: 'nodenext', commonJs: required },
    { module: ts.ModuleKind.ESNext, moduleResolution: Bundler, name: 'bundler', commonJs: required },
  ])('neither @types nor skipLibCheck: $name', ({ module, moduleResolution, commonJs }) => {
    const folder = install();
    const project = join(folder, 'project');
    const texts = { 'main.ts': use + everyField, 'main.cts': commonJs, 'package.json': '{ "type": "module" }' };
    for (const [file, text] of Object.entries(texts)) writeFileSync(join(project, file), text);
    const found = typeErrors([join(project, 'main.ts'), join(project, 'main.cts')], {
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      module,
      moduleResolution,
      skipLibCheck: false,
      // Only those of TypeScript itself.
      skipDefaultLibCheck: true,
      types: [],
    });
    expect(found).toEqual([]);
  });
});

test('CommonJS can require the package', () => {
  const doors = Object.keys(read('package.json').exports).filter((door) => !/vitest|contract|json/.test(door));
  const script = doors.map((door) => `require('platform-mock${door.slice(1)}');`).join('');
  expect(execFileSync(process.execPath, ['-e', script], { cwd: packageFile(), encoding: 'utf8' })).toBe('');
});
