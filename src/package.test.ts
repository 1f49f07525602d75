// What somebody who installs the package gets with it.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { packageFile } from './server/files/package-root.ts';

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
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'LICENSE',
    'NOTICE',
  ])
    expect(existsSync(packageFile('dist', 'dashboard', 'swagger-ui', name)), name).toBe(true);
});

/** The files that `npm pack` takes. */
const packed = (
  JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
      cwd: packageFile(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ files: { path: string }[] }]
)[0].files.map(({ path }) => path);

test('the package has what its entries name, and nothing of the build', () => {
  const { bin, exports } = read('package.json');
  const named = JSON.stringify([bin, exports]).matchAll(/"(?:\.\/)?(dist\/[^"]+)"/g);
  expect(packed).toEqual(expect.arrayContaining([...named].map(([, path]) => path)));
  expect(packed.filter((path) => /buildinfo|\.test\./.test(path))).toEqual([]);
});

describe('no paper says to fetch the bare name, which is in no registry', () => {
  const { name } = read('package.json');
  /** A command of a package manager that would ask a registry for it: not a path, a URL, or what is installed already. */
  const fetching = new RegExp(
    `\\b(?:npm (?:i|install|add|x|exec)|npx|pnpx|bunx|(?:pnpm|yarn|bun) (?:add|dlx|x))(?! --no-install)(?: [^\\s\`'"]+)*? ["']?${name}(?![\\w.-]|/\\w)`,
  );
  /** A version of it in a package.json, and an action of a user who registers a placeholder. */
  const foreign = new RegExp(`"${name}": "[~^\\d*]|uses: [\\w-]*[a-z][\\w-]*/${name}`);

  test.each([
    [`npx ${name} verify`, true],
    [`npx -y ${name}@latest serve`, true],
    [`npm i -D ${name}`, true],
    [`npm i -D msw ${name} vite`, true],
    [`npx --no-install ${name} verify`, false],
    [`npm i -D git+https://git.example.test/qa/${name}.git`, false],
    [`npm install ./${name}-0.1.0.tgz`, false],
  ])('%s: %s', (line, fetches) => {
    expect(fetching.test(line)).toBe(fetches);
  });

  test('in what is published: documents, messages, actions', () => {
    const documents = readdirSync(packageFile('docs'), { recursive: true }).map((file) => join('docs', String(file)));
    const more = [
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'action.yml',
      'compose.yaml',
      'Dockerfile',
      '.ci/packed',
    ];
    const texts = [...packed, ...documents, ...more].filter((file) => !/\.(svg|map)$|swagger-ui|plots\//.test(file));
    const found = texts.flatMap((file) => {
      if (!statSync(packageFile(file)).isFile()) return [];
      const lines = readFileSync(packageFile(file), 'utf8').split('\n');
      return lines.filter((line) => fetching.test(line) || foreign.test(line)).map((line) => `${file}: ${line}`);
    });
    expect(found).toEqual([]);
  });
});

test('an older Node gets one line with the version that is needed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'old-node-'));
  const older = join(folder, 'older.cjs');
  writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.9.0' });");
  const entry = packageFile(read('package.json').bin['platform-mock']);
  const { status, stderr } = spawnSync(process.execPath, ['--require', older, entry, 'serve'], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe('platform-mock: Node 20.19 or newer is needed; this is Node 20.9.0\n');
  expect(status).toBe(2);
  const { stdout } = spawnSync(process.execPath, [entry, '--version'], { encoding: 'utf8' });
  expect(stdout.trim()).toBe(read('package.json').version);
});

describe('the types need nothing but the dependencies', () => {
  /** As pnpm lays it out: the package sees its dependencies next to itself, and the project sees the package alone. */
  function install(): string {
    const folder = mkdtempSync(join(tmpdir(), 'types-'));
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
    import { apiClient, connectMock } from 'platform-mock/client';
    import { createPortableMock } from 'platform-mock/fetch';
    import 'platform-mock/jest';
    export const api = apiClient('http://127.0.0.1:4010');
    export const app: Promise<MockApp> = createMock({ observe: ({ faults }) => faults.length }).then(({ app }) => app);
    export const calls = startMock().then((mock) => mock.calls({ operation: 'login', count: 1 }));
    export const mocks = [connectMock('/'), createPortableMock()];
    // @ts-expect-error there is no such operation
    connectMock('/').calls({ operation: 'logIn' });
  `;

  test('neither @types nor skipLibCheck', () => {
    const folder = install();
    try {
      const file = join(folder, 'project', 'main.ts');
      writeFileSync(file, use);
      const program = ts.createProgram([file], {
        target: ts.ScriptTarget.ES2022,
        lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        // Only those of TypeScript itself.
        skipDefaultLibCheck: true,
        types: [],
      });
      const found = ts.getPreEmitDiagnostics(program).map(({ file: where, messageText }) => {
        const text = ts.flattenDiagnosticMessageText(messageText, '\n');
        return `${where?.fileName.replace(folder, '')}: ${text}`;
      });
      expect(found).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
