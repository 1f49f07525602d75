// The way of a PATCH in docs/ARCHITECTURE.md: the sources are loaded once more, with a call at the start of each function.
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import ts from 'typescript';
import { createServer } from 'vite';
import { table } from '../../contract-tests/report/markdown-text.ts';
import { apiClient } from '../doors/client.ts';
import type { startMock } from '../index.ts';
import { packageFile } from '../server/files/package-root.ts';
import { code, text } from './api-page-text.ts';

interface Called {
  readonly file: string;
  /** The function or the nearest one around it, or its class, that has a docstring. */
  readonly name: string;
  /** First sentence of that docstring. */
  readonly purpose: string;
}

/** What runs for an update of a recording, as Markdown: by file, in order of the first call. */
export async function walkOfUpdate(): Promise<string> {
  const called = await functionsOfUpdate();
  const files = [...new Set(called.map(({ file }) => file))];
  const rows = files.flatMap((file) => {
    const inIt = called.filter((each) => each.file === file);
    const documented = new Map(inIt.filter(({ name }) => name).map(({ name, purpose }) => [name, purpose]));
    const link = `[${code(file.replace('src/', ''))}](../${file}): ${inIt.length}`;
    const [first = ['', ''], ...others] = [...documented].map(([name, purpose]) => [code(name), text(purpose)]);
    return [[link, ...first], ...others.map((cells) => ['', ...cells])];
  });
  const head = `${called.length} functions in ${files.length} files.`;
  return `${head}\n\n${table(['File and functions called', 'Function', 'What it does'], rows)}`;
}

async function functionsOfUpdate(): Promise<Called[]> {
  const functions: Called[] = [];
  const called = new Set<Called>();
  Object.assign(globalThis, { enter: (at: number) => called.add(functions[at] as Called) });
  const isOurs = (path: string): boolean => path.endsWith('.ts') && !path.includes('node_modules');
  const sources = await createServer({
    configFile: packageFile('vitest.config.ts'),
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    plugins: [
      {
        name: 'enter',
        enforce: 'pre',
        transform: (source, path) => (isOurs(path) ? withCalls(path, source, functions) : undefined),
      },
    ],
  });
  const loaded = (await sources.ssrLoadModule('/src/index.ts')) as { startMock: typeof startMock };
  const mock = await loaded.startMock({ port: 0 });
  let token: string | undefined;
  const api = apiClient(mock.baseUrl, { token: () => token });
  const login = { email: 'ada@analytical.example', password: 'ada-password' };
  token = (await api.POST('/v1/auth/login', { body: login })).data?.access_token;
  const update = async (title: string): Promise<Called[]> => {
    called.clear();
    const params = { path: { recordingId: 'rec_kickoff' } };
    const { error } = await api.PATCH('/v1/echo/recordings/{recordingId}', { params, body: { title } });
    if (error) throw new Error(`The update failed: ${JSON.stringify(error)}`);
    // The last callbacks run once the client has its answer.
    await sleep(100);
    return [...called];
  };
  // Until nothing is loaded in the background or done for the first time.
  let found = await update('first');
  for (let before: Called[] = []; !isDeepStrictEqual(found, before); ) {
    before = found;
    found = await update(`after ${found.length}`);
  }
  await mock.close();
  await sources.close();
  return found;
}

/** The source with a call at the start of each function; appends the functions to `functions`. */
function withCalls(path: string, source: string, functions: Called[]): string {
  const file = relative(packageFile(), path);
  const inserted: [at: number, text: string][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const call = `enter(${functions.push({ file, ...documentedAround(node) }) - 1})`;
      if (ts.isBlock(node.body)) inserted.push([node.body.getStart() + 1, `${call};`]);
      else inserted.push([node.body.getStart(), `(${call}, `], [node.body.end, ')']);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  const fromTheEnd = inserted.sort(([one], [other]) => other - one);
  return fromTheEnd.reduce((made, [at, call]) => made.slice(0, at) + call + made.slice(at), source);
}

function documentedAround(node: ts.Node): Pick<Called, 'name' | 'purpose'> {
  if (ts.isSourceFile(node)) return { name: '', purpose: '' };
  const [doc] = ts.isFunctionLike(node) || ts.isClassLike(node) ? ts.getJSDocCommentsAndTags(node) : [];
  const comment = ts.getTextOfJSDocComment(doc?.comment);
  if (!comment) return documentedAround(node.parent);
  const named = ts.isArrowFunction(node) ? node.parent : node;
  const [sentence = ''] = comment.split(/\.(?:\s|$)/);
  return { name: (named as ts.NamedDeclaration).name?.getText() ?? '', purpose: sentence };
}
