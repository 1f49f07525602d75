// Packs the package and uses it from fresh apps, with the lowest and the newest versions of what it is used with (versions.json), or with
// `--newest` those that the registry has now. Each app is type-checked and tested; then parts of the package are broken, which must
// make each of them fail.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'versions-'));
const table = JSON.parse(readFileSync(join(import.meta.dirname, 'versions.json'), 'utf8'));
const newest = (cell) =>
  Object.fromEntries(Object.entries(cell).map(([name, of]) => [name, name === 'module' ? of : 'latest']));
const cells = process.argv.includes('--newest') ? table.slice(-2).map(newest) : table;
const run = promisify(execFile);

/** Breaks in the installed package, each in what one of the tests is about: file, text, what replaces it. */
const breaks = [
  ['bundle/vitest.js', /\w+\.extend\(\w+\)/, 'void 0'],
  ['bundle/msw.js', /\.all\(/, '.head('],
  ['bundle/vite.js', /closeBundle/, 'closedBundle'],
  [
    /^bundle\/client-/,
    /\{setTimeout:(\w+),clearTimeout:(\w+)\}=globalThis/,
    ' $1=(...a)=>setTimeout(...a),$2=(...a)=>clearTimeout(...a)',
  ],
];
const typeBreaks = [['types/vitest.d.ts', /namespace Chai/, 'namespace None']];

/** An app of its own in which everything is installed. */
async function install({ module, ...packages }, at) {
  const folder = join(work, String(at));
  mkdirSync(folder);
  const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content));
  write('package.json', { private: true, type: 'module', devDependencies: packages });
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: module === 'bundler' ? 'ESNext' : module,
    moduleResolution: module,
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
  };
  write('tsconfig.json', { compilerOptions, exclude: ['page'] });
  cpSync(join(repository, 'src/examples/versions'), folder, { recursive: true });
  cpSync(join(repository, 'src/examples/msw-page'), join(folder, 'page'), { recursive: true });
  const forPage = { customConditions: ['browser'], types: [] };
  write('page/tsconfig.json', { extends: '../tsconfig.json', compilerOptions: forPage, include: ['.'], exclude: [] });
  const archive = readdirSync(work).find((name) => name.endsWith('.tgz'));
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', join(work, archive)], { cwd: folder });
  return folder;
}

function breakPackage(folder, rows) {
  const dist = join(folder, 'node_modules/platform-mock/dist');
  const files = readdirSync(dist, { recursive: true });
  for (const [file, text, replacement] of rows) {
    const name = files.find((one) => (file instanceof RegExp ? file.test(one) : one === file));
    const before = readFileSync(join(dist, name), 'utf8');
    const after = before.replace(text, replacement);
    if (after === before) throw new Error(`${name} has no ${text}: the break needs another text`);
    writeFileSync(join(dist, name), after);
  }
}

async function tryCell(cell, installing) {
  const folder = await installing;
  const env = {
    ...process.env,
    PATH: `${join(folder, 'node_modules/node/bin')}:${process.env.PATH}`,
    NODE_OPTIONS: '',
    NO_COLOR: '1',
  };
  const here = (name, ...args) => run(join(folder, 'node_modules/.bin', name), args, { cwd: folder, env });
  const dom = cell.jsdom ? 'jsdom' : 'happy-dom';
  const test = (timeout) =>
    here('vitest', 'run', '--environment', dom, '--testTimeout', timeout, '--reporter=json', '--outputFile=tests.json');
  await here('tsc');
  await here('tsc', '-p', 'page');
  await test('60000');
  breakPackage(folder, [...breaks, ...typeBreaks]);
  if (
    await here('tsc').then(
      () => true,
      () => false,
    )
  )
    throw new Error('types are broken, and tsc accepts them');
  await test('5000').catch(() => {});
  const { numFailedTests, numTotalTests } = JSON.parse(readFileSync(join(folder, 'tests.json'), 'utf8'));
  if (numFailedTests !== numTotalTests || numTotalTests !== breaks.length)
    throw new Error(`of ${numTotalTests} tests of broken parts ${numFailedTests} fail, of ${breaks.length}`);
}

try {
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', work], { cwd: repository });
  const installs = cells.map(install);
  for (const installing of installs) installing.catch(() => {});
  for (const [at, cell] of cells.entries()) {
    const from = performance.now();
    const problem = await tryCell(cell, installs[at]).then(
      () => undefined,
      (error) => error,
    );
    const seconds = Math.round((performance.now() - from) / 1000);
    const names = Object.entries(cell)
      .map(([name, of]) => `${name} ${of}`)
      .join(', ');
    process.stdout.write(`${problem ? 'FAILED' : 'ok'} (${seconds} s): ${names}\n`);
    if (!problem) continue;
    process.exitCode = 1;
    process.stdout.write(`${[problem.message, problem.stdout, problem.stderr].join('\n')}\n`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
