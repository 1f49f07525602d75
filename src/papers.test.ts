// README.md and the guides are run: their files are written, their commands executed, and their outputs compared.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { scopeNames } from './core/custom-routes/template-engine.ts';
import { startMock } from './index.ts';
import { packageFile } from './server/files/package-root.ts';
import { hasBrowser } from './testing/browser.ts';
import { blocksOf, Paper } from './testing/paper.ts';
import { typeErrors } from './testing/type-errors.ts';

const read = (name: string): string => readFileSync(packageFile(name), 'utf8');
const filesIn = (folder: string): string[] =>
  readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
const pages = [...readdirSync(packageFile()), ...filesIn('docs')].filter((name) => name.endsWith('.md'));
/** README and guides: the pages that address users, but for those that are generated. */
const papers = pages.filter(
  (name) => /^(README|docs\/[a-z-]+)\.md$/.test(name) && !/api|performance|scaling/.test(name),
);
const blocks = papers.flatMap((paper) => blocksOf(read(paper)).map((block) => ({ paper, ...block })));

/** An ellipsis is any text, or none; alone on a line, any lines. */
function patternOf(shown: string): RegExp {
  const parts = shown
    .trim()
    .replaceAll(/(^|\n) *…(\n|$)/g, '…')
    .split('…');
  const literals = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^\\s*${literals.join('[\\s\\S]*?')}\\s*$`);
}

test.concurrent.for(papers)('%s: each command prints what it shows', async (name, { expect }) => {
  const routes = [packageFile('src', 'examples', 'whole-app', 'routes.yaml')];
  await using staging = await startMock({ port: 0, faults: ['sso-token-type-capital'], routes });
  await using paper = await Paper.open(name, staging.baseUrl);
  for await (const { command, shown, printed } of paper.run())
    expect.soft(printed, `$ ${command}`).toMatch(patternOf(shown));
});

test('every file is used, and every other block is part of a file that is run', () => {
  // Those that tools find, and those with separate tests below.
  const found = /^package\.json$|\.config\.ts$|\.(spec|test)\.ts$|^world\.ts$|\.yml$/;
  const unused = blocks.filter(({ paper, file }) => {
    const others = blocks.filter((other) => other.paper === paper && other.file !== file);
    return file !== '' && !found.test(file) && !others.some(({ text }) => text.includes(file));
  });
  const examples = ['src/doors', 'src/examples']
    .flatMap(filesIn)
    .filter((name) => /^(?!.*(examples\/clients|node_modules)).*\.ts$/.test(name));
  const run = [...examples.map(read), ...blocks.flatMap(({ file, text }) => (file === '' ? [] : [text]))].map(lines);
  const parts = blocks.filter(({ file, language }) => file === '' && language !== 'console');
  expect(unused).toEqual([]);
  expect(parts.filter(({ text }) => !run.some((each) => each.includes(lines(text))))).toEqual([]);
});

/** Without indentation, and without the quotes of an array of lines. */
const lines = (text: string): string => text.replaceAll(/^[\s']*|',?$/gm, '');

/** What a page's fixtures use of Playwright. */
const playwright = packageFile('src', 'testing', 'playwright-test.ts');

test('TypeScript compiles, in strict mode', async () => {
  await using paper = await Paper.open('README.md', '');
  const sources = blocks.filter(({ file }) => file.endsWith('.ts'));
  const files = sources.map(({ paper: name, file, text }) => paper.write(join(name, file), text));
  const found = typeErrors(files, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    paths: { '@playwright/test': [playwright] },
  });
  expect(files.length).toBeGreaterThan(8);
  expect(found).toEqual([]);
});

test.runIf(hasBrowser)('the fixture for Playwright: the page calls an isolated world', async () => {
  await using paper = await Paper.open('docs/testing.md', '');
  paper.write('world.ts', paper.blocks.find(({ file }) => file === 'world.ts')?.text ?? '');
  paper.write('vitest.config.ts', `export default { test: { alias: { '@playwright/test': '${playwright}' } } };`);
  const spec = `
    import { expect } from 'vitest';
    import config from './playwright.config.ts';
    import { test } from './world.ts';

    test('a page', async ({ page, world }) => {
      await page.goto(config.webServer.url);
      await page.evaluate(() => fetch('/v1/api-tokens/scopes').then(({ status }) => status));
      expect(await world.calls({ operation: 'listTokenScopes', status: 401 })).toHaveLength(1);
    });`;
  paper.write('page.spec.ts', spec);
  await paper.execute(/command: '(.*?)'/.exec(read('README.md'))?.[1] ?? '');
  expect(await paper.execute('npx vitest run page.spec.ts')).toMatch(/Tests +1 passed/);
});

test('the steps of CI: the job ends as the report says, and the action has these inputs', async () => {
  await using staging = await startMock({ port: 0 });
  await using paper = await Paper.open('docs/ci.md', staging.baseUrl);
  const [[step], { contract }] = paper.blocks.map(({ text }) => parse(text));
  expect(Object.keys(parse(read('action.yml')).inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
  const printed = await paper.execute([...contract.script, `ls ${contract.artifacts.paths}`].join('\n'));
  expect(printed).toMatch(/\(exit 4\)[\s\S]*junit\.xml/);
});

test('the exports and the names of templates are all there, and exist', async () => {
  const { exports } = JSON.parse(read('package.json'));
  const entries = Object.keys(exports).filter((path) => path !== './package.json');
  const rows = [...read('docs/testing.md').matchAll(/^\| `(platform-mock[^`]*)` \|[^|]*\| (.*) \|$/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual(entries.map((path) => path.replace('.', 'platform-mock')).sort());
  for (const [, name = '', text = ''] of rows)
    for (const [, one = ''] of text.matchAll(/`([a-z]+[A-Z]\w+)`/g))
      expect(await import(name), name).toHaveProperty(one);
  for (const name of scopeNames) expect(read('docs/routes.md')).toContain(`\`${name}\``);
});

test('docs/ARCHITECTURE.md says what each dependency is for', () => {
  const { dependencies, peerDependencies } = JSON.parse(read('package.json'));
  const peers = Object.keys(peerDependencies).map((name) => `\`${name}\` (peer)`);
  const all = [...Object.keys(dependencies).map((name) => `\`${name}\``), ...peers];
  const [, section = ''] = read('docs/ARCHITECTURE.md').split('## Dependencies\n');
  const listed = [...section.matchAll(/^\| (`[^`]+`(?: \(peer\))?) \| [^|]+ \| [^|]+ \|$/gm)].map(([, name]) => name);
  expect(listed).toEqual(all);
});

test.each(pages)('%s: its links lead somewhere', (name) => {
  const anchorOf = (title: string): string =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  const broken = [...read(name).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)].filter(([, path, anchor]) => {
    const file = path ? join(dirname(name), path) : name;
    if (!existsSync(packageFile(file)) || anchor === undefined || !file.endsWith('.md'))
      return !existsSync(packageFile(file));
    const anchors = [...read(file).matchAll(/^#+ (.*)$|<a id="([^"]+)">/gm)].map(
      ([, title, id]) => id ?? anchorOf(title ?? ''),
    );
    return !anchors.includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
