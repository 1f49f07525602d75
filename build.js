// The compiled sources, and everything that tsc does not build: the data of spec/ and fixtures/ as a module, validators compiled
// ahead of time, the profile schema for editors, the bundle and the declarations that ship, and the dashboard. Each is rebuilt only where its inputs
// changed since the last time. `--if-changed` does not even ask tsc where nothing is newer than what is built.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = import.meta.dirname;
const at = (...parts) => join(root, ...parts);
const generated = at('dist/src/core/generated');
/** What is written here for people and editors, next to the sources. */
const written = ['profiles/default.yaml', 'schemas/profile.schema.json', 'schemas/routes.schema.json'].map((name) =>
  at('spec', name),
);
const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = (files) => Math.max(...files.map(modified));
const filesIn = (folder) => readdirSync(at(folder), { recursive: true }).map((name) => at(folder, String(name)));
const seeds = () => filesIn('fixtures').filter((name) => name.endsWith('.yaml'));

/** Writes spec/ and fixtures/ down as a module without files behind it. What reads them is proved by the tests. */
async function buildData() {
  const file = join(generated, 'data.js');
  const inventing = at('dist/src/core/world/invent.js');
  const inputs = [...filesIn('spec'), ...seeds(), at('package.json'), at('build.js'), inventing].filter(
    (name) => !written.includes(name),
  );
  if (newest(inputs) < modified(file)) return false;
  const { parse, stringify } = await import('yaml');
  const read = (...path) => parse(readFileSync(at(...path), 'utf8'));
  const folder = (...path) =>
    Object.fromEntries(
      readdirSync(at(...path))
        .filter((name) => name.endsWith('.yaml') && name !== 'default.yaml')
        .sort()
        .map((name) => [basename(name, '.yaml'), read(...path, name)]),
    );
  const gaps = read('spec', 'gaps.yaml');
  const openapi = read('spec', 'openapi.yaml');
  const requirements = read('spec', 'requirements.yaml');
  const control = completed(read('spec', 'control.yaml'), openapi);
  const data = {
    version: JSON.parse(readFileSync(at('package.json'), 'utf8')).version,
    gaps,
    sections: requirements.sections,
    recordFields: requirements.records,
    openapi,
    faultTerms: faultTermsIn(control),
    profiles: { default: defaultProfile(gaps), ...folder('spec', 'profiles') },
    fixtures: folder('fixtures'),
    invented: await inventedBy(inventing, gaps.gaps, read('fixtures', 'recordings.yaml').fill.recordings),
  };
  writeFileSync(at('spec/profiles/default.yaml'), defaultProfileText(data.profiles.default, stringify));
  // As text: an engine reads JSON faster than the same as an expression.
  const lineOf = ([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});\n`;
  mkdirSync(generated, { recursive: true });
  writeFileSync(join(generated, 'control-data.js'), lineOf(['control', control]));
  writeFileSync(file, Object.entries(data).map(lineOf).join(''));
  // The contract suite shares no module with the mock, and YAML takes it as long as all its checks.
  mkdirSync(at('dist/spec'), { recursive: true });
  for (const [name, value] of Object.entries({
    openapi,
    gaps,
    requirements,
    coverage: read('spec', 'coverage.yaml'),
  }))
    writeFileSync(at('dist/spec', `${name}.json`), JSON.stringify(value));
  return true;
}

/** The control plane's document with what an operation of the API may be called, and that each of its own may be refused. */
function completed(control, { paths }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  control.components.schemas.OperationId.enum = operations.flatMap(({ operationId = [] }) => operationId);
  for (const { responses } of Object.values(control.paths).flatMap((item) => Object.values(item)))
    if (responses) responses['4XX'] = { $ref: '#/components/responses/Refused' };
  return control;
}

/** The schema of fault terms, which the core reads, with those that it refers to. */
function faultTermsIn({ components: { schemas } }) {
  const used = {};
  const add = (name) => {
    if (used[name]) return;
    used[name] = schemas[name];
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) add(other);
  };
  add('FaultTerms');
  return { components: { schemas: used } };
}

/** Recordings of the default seed and vocabularies: a browser needs no faker for them. */
async function inventedBy(module, gaps, count) {
  const { inventRecording } = await import(pathToFileURL(module).href);
  const { faker } = await import('@faker-js/faker/locale/en');
  const wordsOf = (field) => gaps.find(({ id }) => id === `${field}-values`).default;
  const words = { method: wordsOf('method'), quality: wordsOf('quality'), language: wordsOf('language') };
  return { seed: 1, recordings: Array.from({ length: count }, (_, at) => inventRecording(faker, 1, at, words)) };
}

const defaultProfile = ({ gaps }) => ({
  name: 'default',
  description: 'The default answer to every gap.',
  answers: Object.fromEntries(gaps.map(({ id, default: answer }) => [id, answer])),
});

/** For people to copy from; the default answers themselves are in spec/gaps.yaml. */
const defaultProfileText = (profile, stringify) =>
  `# yaml-language-server: $schema=../schemas/profile.schema.json\n# Written by the build from spec/gaps.yaml.\n${stringify(profile)}`;

/** Compiles the validators of the default profile, of the control plane and of answers to gaps (Ajv standalone). */
async function buildValidators() {
  const files = ['validators', 'control-validators', 'file-validators'].map((name) => join(generated, `${name}.js`));
  const sources = ['validation', 'spec', 'profiles'].flatMap((name) => filesIn(`dist/src/core/${name}`));
  const inputs = [
    ...sources,
    at('spec/schemas/fixtures.schema.json'),
    at('dist/src/generate/ahead-of-time.js'),
    join(generated, 'data.js'),
  ];
  if (newest(inputs) < Math.min(...files.map(modified))) return;
  const { aheadOfTime, keyOfDefault } = await import(pathToFileURL(at('dist/src/generate/ahead-of-time.js')).href);
  rmSync(at('.cache/validators'), { recursive: true, force: true });
  const key = `export const key = ${JSON.stringify(keyOfDefault())};`;
  for (const [name, sets] of Object.entries(aheadOfTime()))
    await buildModule(name, sets, name === 'validators' ? [key] : []);
}

/** Writes the validators of some sets of schemas as a module, with further lines. */
async function buildModule(module, sets, lines) {
  const { default: standaloneCode } = await import('ajv/dist/standalone/index.js');
  const { rolldown } = await import('rolldown');
  const work = at('.cache/validators', module);
  mkdirSync(work, { recursive: true });
  const imports = [];
  const members = {};
  for (const [index, { set, ajv, names }] of sets.entries()) {
    const code = standaloneCode.default(ajv, Object.fromEntries([...names.values()].map((name) => [name, name])));
    writeFileSync(join(work, `${index}.cjs`), code);
    imports.push(`import part${index} from './${index}.cjs';`);
    members[set] ??= [];
    for (const [name, first] of names) members[set].push(`'${name}': part${index}['${first}']`);
  }
  const exports = Object.entries(members).map(([set, parts]) => `export const ${set} = { ${parts.join(', ')} };`);
  writeFileSync(join(work, 'entry.js'), [...imports, ...lines, ...exports].join('\n'));
  const bundle = await rolldown({
    input: join(work, 'entry.js'),
    logLevel: 'silent',
    platform: 'neutral',
    resolve: { mainFields: ['main'] },
  });
  await bundle.write({ file: join(generated, `${module}.js`), format: 'esm', minify: true });
  await bundle.close();
}

/** spec/schemas/profile.schema.json and routes.schema.json: editors complete profiles and routes with them. Without blanks: they ship. */
async function buildEditorSchemas() {
  const { profileSchema, routesSchema } = await import(pathToFileURL(at('dist/src/generate/sources.js')).href);
  const { gapLedger } = await import(pathToFileURL(at('dist/src/core/spec/gaps.js')).href);
  const { controlDocument } = await import(pathToFileURL(at('dist/src/control/document.js')).href);
  const schemas = { profile: profileSchema(gapLedger().gaps), routes: routesSchema(controlDocument()) };
  for (const [name, schema] of Object.entries(schemas))
    writeFileSync(at(`spec/schemas/${name}.schema.json`), `${JSON.stringify(schema)}\n`);
}

/** What the suite checks files by: Ajv would take as long for that as a tenth of a run. */
async function buildFileChecks() {
  const { Ajv } = await import('ajv');
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  const { rolldown } = await import('rolldown');
  // The schemas are our own, and tests judge them.
  const options = {
    allErrors: true,
    allowUnionTypes: true,
    validateFormats: false,
    verbose: true,
    code: { source: true },
  };
  for (const name of ['target', 'model', 'profile', 'baseline']) {
    const ajv = new Ajv({ ...options, validateSchema: false, meta: false });
    const validate = ajv.compile(JSON.parse(readFileSync(at(`spec/schemas/${name}.schema.json`), 'utf8')));
    const file = at(`dist/spec/${name}-check.cjs`);
    writeFileSync(file, standalone.default(ajv, validate));
    const bundle = await rolldown({ input: file, platform: 'node' });
    await bundle.write({ file, format: 'cjs', minify: true });
    await bundle.close();
  }
}

/** Loaded seldom, or where somebody has installed them; faker is larger than all the rest together. */
const notBundled =
  /^(node:|@faker-js\/|fast-check$|hpagent$|jiti$|liquidjs$|msw|pino$|prom-client$|proxy-from-env$|redis$|selfsigned$|vite|yauzl$)/;

/** What the package exports, by the names of the files, and what else starts in it: commands, and the threads of `score`. */
const doors = {
  index: 'src/index',
  browser: 'src/doors/browser',
  client: 'src/doors/client',
  fetch: 'src/doors/portable',
  msw: 'src/doors/msw',
  vite: 'src/doors/vite',
  vitest: 'src/doors/vitest',
  jest: 'src/doors/jest',
  contract: 'contract-tests/contract',
};
const entries = {
  ...doors,
  serve: 'src/cli/serve-main',
  verify: 'src/cli/verify-main',
  main: 'src/cli/main',
  worker: 'src/score/worker',
};

/**
 * What ships instead of the compiled sources: few files, since finding, reading and linking a thousand modules took longer than
 * all that they do.
 */
async function buildBundle() {
  const to = at('dist/bundle');
  const inputs = [
    ...['dist/src', 'dist/contract-tests'].flatMap(filesIn).filter((name) => /\.(js|d\.ts)$/.test(name)),
    ...['package-lock.json', 'build.js'].map((name) => at(name)),
  ];
  if (newest(inputs) < Math.min(...Object.keys(entries).map((name) => modified(join(to, `${name}.js`))))) return;
  const { rolldown } = await import('rolldown');
  const packages = new Set();
  let groupOf;
  const graph = {
    name: 'graph',
    buildEnd() {
      groupOf = groupsOf(this);
      for (const id of this.getModuleIds()) packages.add(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? root);
    },
  };
  const code = await rolldown({
    input: compiled(entries, 'js'),
    platform: 'node',
    external: notBundled,
    logLevel: 'silent',
    plugins: [graph, withoutDocumentSchemas, afterwards],
  });
  rmSync(to, { recursive: true, force: true });
  await code.write({
    dir: to,
    minify: { compress: true, codegen: true, mangle: { keepNames: true } },
    codeSplitting: { groups: groups.map((name) => ({ name, test: (id) => groupOf(id) === name })) },
  });
  await code.close();
  writeFileSync(join(to, 'LICENSES.txt'), [...packages].sort().map(licenceOf(new Map())).join('\n'));
  await buildTypes();
}

/**
 * Which modules ship in one file, in order: each takes along what it imports, unless a file before it has that. What `serve` loads
 * at its start is in two, of which a browser loads the first. The others are loaded later, or by other commands.
 */
const groups = [
  'client',
  'portable',
  'early',
  'verify',
  'ajv',
  'faults',
  'routes',
  'control',
  'suite',
  'reports',
  'commands',
];

/** Says for a module in which of the groups it is. Entries, and what imports a package that is not bundled, have files of their own. */
function groupsOf(graph) {
  const reached = (names, lazily = false) => {
    const found = new Set();
    const add = (id) => {
      const known = found.has(id) ? undefined : graph.getModuleInfo(id);
      if (!known) return;
      found.add(id);
      known.importedIds.forEach(add);
      if (lazily) known.dynamicallyImportedIds.forEach(add);
    };
    for (const name of names) add(at('dist', `${name}.js`));
    return found;
  };
  const early = reached(['src/cli/command-line', 'src/cli/serve', 'src/cli/serve-run']);
  const browser = reached([entries.browser, entries.msw], true);
  const client = reached([entries.client]);
  const verify = reached([entries.verify]);
  const suite = reached(['contract-tests/commands/verify', 'src/cli/verify-input']);
  const alone = [...Object.values(entries), 'src/server/metrics', 'src/core/custom-routes/template-engine'];
  const folders = {
    faults: /^src\/core\/faults/,
    routes: /^src\/core\/custom-routes/,
    control: /^src\/(control|core\/publish)\//,
    reports: /^contract-tests/,
    commands: /^src\/cli/,
  };
  return (id) => {
    const name = relative(at('dist'), id);
    if (client.has(id)) return 'client';
    if (browser.has(id) && (early.has(id) || name.startsWith('contract-tests'))) return 'portable';
    if (early.has(id)) return 'early';
    if (alone.includes(name.replace(/\.js$/, ''))) return undefined;
    if (verify.has(id)) return 'verify';
    if (name.includes('node_modules')) return browser.has(id) ? 'ajv' : undefined;
    if (suite.has(id)) return 'suite';
    return Object.keys(folders).find((group) => folders[group].test(name));
  };
}

/** express-openapi-validator compiles the schemas of OpenAPI documents even where it is told not to judge by them. */
const withoutDocumentSchemas = {
  name: 'without document schemas',
  load: (id) =>
    id.endsWith('express-openapi-validator/dist/framework/openapi.schema.validator.js')
      ? 'exports.OpenAPISchemaValidator = class { validate() { return { errors: [] }; } };'
      : undefined,
};

/**
 * Removes files that only hand on what another has: an `import()` of one asks the other. And a browser has no `node:module`,
 * which rolldown imports for packages that call `require`; they run in Node alone. Statements get lines of their own: Node prints the
 * line that threw.
 */
const afterwards = {
  name: 'afterwards',
  async generateBundle(_options, bundle) {
    const { parseSync, Visitor } = await import('rolldown/utils');
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    for (const { fileName, isDynamicEntry, code } of chunks) {
      const [, names, from] = /^export\{([^}]*)\}from"([^"]+)";\s*$/.exec(code) ?? [];
      if (!isDynamicEntry || !names) continue;
      const members = names
        .split(',')
        .map((pair) => pair.split(' as '))
        .map(([theirs, name = theirs]) => `${name}:m.${theirs}`);
      for (const chunk of chunks)
        chunk.code = chunk.code.replaceAll(`import(\`./${fileName}\`)`, `import(\`${from}\`).then(m=>({${members}}))`);
      delete bundle[fileName];
    }
    const runtime = chunks.find(({ name }) => name === 'rolldown-runtime');
    const code = runtime.code.replace(
      /import\{createRequire as (\w+)\}from"node:module";/,
      'const $1=globalThis.process?.getBuiltinModule?.("node:module").createRequire??(()=>undefined);',
    );
    if (code === runtime.code) throw new Error('The runtime of rolldown has changed: a browser could not load it.');
    runtime.code = code;
    for (const chunk of chunks) {
      const starts = [];
      const note = ({ body }) => starts.push(...body.map(({ start }) => start));
      const visitor = new Visitor({ Program: note, BlockStatement: note, ClassBody: note });
      visitor.visit(parseSync(chunk.fileName, chunk.code).program);
      const cuts = [0, ...starts.sort((a, b) => a - b), chunk.code.length];
      chunk.code = cuts.map((from, at) => chunk.code.slice(from, cuts[at + 1])).join('\n');
    }
  },
};

const compiled = (files, ending) =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [name, at('dist', `${file}.${ending}`)]));

/** The declarations of what the package exports. */
async function buildTypes() {
  const { rolldown } = await import('rolldown');
  const { dts } = await import('rolldown-plugin-dts');
  const types = await rolldown({
    input: compiled(doors, 'd.ts'),
    external: /^[^./]/,
    plugins: dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }),
  });
  rmSync(at('dist/types'), { recursive: true, force: true });
  // The plugin drops references of the sources.
  await types.write({ dir: at('dist/types'), banner: '/// <reference lib="esnext.disposable" />' });
  await types.close();
}

/** What a package asks to go along with its code. */
const licenceOf = (before) => (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(join(folder, file), 'utf8') : '';
  // After the copyright notices, most say the same.
  const whole = text.replace(
    /^(Permission is hereby granted|Permission to use|Redistribution and use|\s*Apache License)[\s\S]*/m,
    (terms) => {
      const key = terms.replace(/\s+/g, ' ').trim();
      const first = before.get(key);
      before.set(key, first ?? name);
      return first === undefined ? terms : `Its terms are word by word those of ${first} above.\n`;
    },
  );
  return `=== ${name} ${version} (${license})\n${whole}`;
};

/** The dashboard's pages (dashboard.config.ts). Starting vite costs a second. */
async function buildDashboard() {
  const shared = ['control/fault-presets.ts', 'doors/control-client.ts', 'doors/calls/events.ts'];
  const inputs = ['dashboard.config.ts', 'package-lock.json', ...shared.map((name) => `src/${name}`)]
    .map((name) => at(name))
    .concat(filesIn('src/dashboard/page'));
  const built = Math.min(...['index.html', 'docs.html'].map((name) => modified(at('dist/dashboard', name))));
  if (newest(inputs) < built) return;
  const { build } = await import('vite');
  await build({ configFile: at('dashboard.config.ts'), logLevel: 'warn' });
}

/**
 * Ships the files of the docs page, compressed: as a dependency, swagger-ui-dist would bring a package with an install script.
 * Licences are copied.
 */
function copySwaggerUi() {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const to = at('dist/dashboard/swagger-ui');
  mkdirSync(to, { recursive: true });
  const copied = ['swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'];
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', ...copied]) {
    const [source, target] = [join(from, name), join(to, copied.includes(name) ? name : `${name}.gz`)];
    if (modified(target) >= modified(source)) continue;
    const content = readFileSync(source);
    writeFileSync(target, target.endsWith('.gz') ? gzipSync(content, { level: 9 }) : content);
  }
}

/** What is generated from spec/ and fixtures/; the compiled sources have to be there. */
export async function buildGenerated() {
  // tsc does not emit declarations that are written by hand.
  cpSync(at('src/core/generated'), generated, { recursive: true });
  if (await buildData()) {
    await buildEditorSchemas();
    await buildFileChecks();
  }
  await buildValidators();
}

/** Whether no input is newer than what is built last. */
function isBuilt() {
  const folders = ['src', 'contract-tests', 'spec'].flatMap(filesIn);
  // Examples are built by their own tools, into folders of their own.
  const inputs = [...folders, ...seeds()].filter((name) => !written.includes(name) && !name.includes('/src/examples/'));
  const files = ['build.js', 'dashboard.config.ts', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  return newest([...inputs, ...files.map((name) => at(name))]) < modified(stamp);
}

/** Written when all is built. */
const stamp = at('dist/.built');

if (process.argv[1] === import.meta.filename && !(process.argv.includes('--if-changed') && isBuilt())) {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', at('tsconfig.build.json')], { stdio: 'inherit' });
  } catch {
    // It has told what is wrong.
    process.exit(1);
  }
  await buildGenerated();
  await buildBundle();
  await buildDashboard();
  copySwaggerUi();
  writeFileSync(stamp, '');
}
