/**
 * A second, independent implementation of the Platform API: it stands for a real deployment by another vendor.
 * The contract suite must find no violation at any of its styles, and each of its defects.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { scopeOperations } from './access.ts';
import { type DefectId, findDefects } from './defects.ts';
import { answerElsewhere } from './elsewhere.ts';
import { type App, type Call, errorBody, type Operation, Refusal, type Reply, refuse, writeJson } from './http.ts';
import { resourceOperations } from './resources.ts';
import { signInOperations } from './signing-in.ts';
import { createStore } from './store.ts';
import type { Style } from './style.ts';
import { resolveStyle, type StyleName } from './styles.ts';
import { describeTarget, type TargetFile } from './target.ts';
import { Tokens } from './tokens.ts';

export { DEFECTS, type DefectId } from './defects.ts';
export type { Style } from './style.ts';
export { STYLE_NAMES, type StyleName } from './styles.ts';
export type { TargetFile } from './target.ts';

export interface SecondImplementationOptions {
  style?: StyleName | Partial<Style>;
  defects?: DefectId[];
  /** Default: 0, any free port. */
  port?: number;
  /** Instead of the style's own. */
  basePath?: string;
}

export interface SecondImplementation {
  baseUrl: string;
  target: TargetFile;
  /** The answers in force. */
  style: Style;
  /** Lets that many milliseconds pass on the deployment's clock. */
  pass(milliseconds: number): void;
  close(): Promise<void>;
}

interface Route {
  op: OperationId;
  method: string;
  pattern: RegExp;
}

const OPERATIONS = { ...signInOperations, ...scopeOperations, ...resourceOperations } as const;
export type OperationId = keyof typeof OPERATIONS;
const BODY_LIMIT = 1_000_000;

function routes(style: Style): Route[] {
  const patternOf = (path: string): RegExp =>
    new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace('{id}', '([^/]+)')}$`);
  return Object.entries<Operation>(OPERATIONS).map(([op, { method, path }]) => ({
    op: op as OperationId,
    method,
    pattern: patternOf(typeof path === 'string' ? path : path(style)),
  }));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Routes a request to its operation; refuses unknown paths and methods. */
function findCall(app: App, all: readonly Route[], request: IncomingMessage, text: string): Call {
  const { basePath } = app.style;
  const [full = '', query = ''] = (request.url ?? '').split('?', 2);
  if (!full.startsWith(`${basePath}/`)) throw refuse(app, 'unknownPath', 'no such path');
  const path = app.hooks.reduce((one, hooks) => hooks.path?.(one) ?? one, full.slice(basePath.length));
  const matches = all.filter((route) => route.pattern.test(path));
  const route = matches.find((one) => one.method === request.method);
  if (!route && matches.length > 0) {
    const status = app.style.statuses.method;
    const Allow = matches.map((one) => one.method).join(', ');
    throw new Refusal(status, 'no such method', status === 405 ? { Allow } : {});
  }
  if (!route) throw refuse(app, 'unknownPath', 'no such path');
  const param = decode(route.pattern.exec(path)?.[1] ?? '');
  const sought = app.style.shoutsIds ? param.toLowerCase() : param;
  return { app, op: route.op, param: sought, query: new URLSearchParams(query), headers: request.headers, text };
}

/** The answer at an undocumented path; undefined where there is an operation, or nothing at all. */
function elsewhere(app: App, all: readonly Route[], { url = '', method }: IncomingMessage): Reply | undefined {
  const path = url.split('?')[0]?.slice(app.style.basePath.length) ?? '';
  return all.some((route) => route.pattern.test(path)) ? undefined : answerElsewhere(app.style, method, path);
}

function perform(call: Call): Reply {
  const { hooks } = call.app;
  try {
    for (const one of hooks) one.before?.(call);
    return hooks.reduce((reply, one) => one.reply?.(reply, call) ?? reply, OPERATIONS[call.op].run(call));
  } catch (error) {
    if (error instanceof Refusal) for (const one of hooks) one.refused?.(call, error);
    throw error;
  }
}

async function readBody(app: App, request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    // The rest is read and discarded, so that the client receives the refusal.
    if (size <= BODY_LIMIT) chunks.push(chunk as Buffer);
  }
  if (size > BODY_LIMIT) throw refuse(app, 'tooLarge', 'the body is too large');
  return Buffer.concat(chunks).toString('utf8');
}

/** Counts the requests of the current second; refuses those above the style's limit. */
function rateLimiter(limit: number, time: () => number): () => void {
  let [second, count] = [0, 0];
  return () => {
    const now = Math.floor(time() / 1000);
    count = now === second ? count + 1 : 1;
    second = now;
    if (limit > 0 && count > limit) throw new Refusal(429, 'too many requests', { 'Retry-After': '1' });
  };
}

async function send(app: App, response: ServerResponse, reply: Reply, headers: Readonly<Record<string, string>>) {
  const { style } = app;
  const text = reply.raw ?? (reply.body === undefined ? '' : writeJson(reply.body, style));
  const type = reply.contentType ?? style.contentType;
  const date = new Date(app.tokens.now()).toUTCString();
  response.writeHead(reply.status, {
    Date: date,
    ...style.headers,
    ...headers,
    ...(text !== '' && type !== '' && { 'Content-Type': type }),
  });
  if (style.latencyMs > 0) {
    const bytes = Buffer.from(text);
    response.write(bytes.subarray(0, bytes.length / 2));
    await sleep(style.latencyMs / 2);
    response.end(bytes.subarray(bytes.length / 2));
  } else {
    response.end(text);
  }
}

export async function startSecondImplementation(
  options: SecondImplementationOptions = {},
): Promise<SecondImplementation> {
  const resolved = resolveStyle(options.style);
  const style: Style = { ...resolved, basePath: options.basePath ?? resolved.basePath };
  const hooks = findDefects(options.defects ?? []).map((one) => one.hooks);
  let passed = 0;
  const time = (): number => Date.now() + passed;
  const app: App = {
    style,
    store: createStore(style),
    tokens: new Tokens(style, time),
    hooks,
    badTokens: 0,
    patNames: new Set(),
    count: 0,
    listCount: 0,
  };
  const all = routes(style);
  const admit = rateLimiter(style.burst, time);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    app.count += 1;
    try {
      const text = await readBody(app, request);
      admit();
      if (style.latencyMs > 0) await sleep(style.latencyMs / 2);
      for (const [name, value] of Object.entries(style.requiredHeaders)) {
        if (request.headers[name.toLowerCase()] !== value) throw refuse(app, 'malformed', `send the header ${name}`);
      }
      const reply = elsewhere(app, all, request) ?? perform(findCall(app, all, request, text));
      await send(app, response, reply, {});
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, `broken: ${String(error)}`);
      const body = errorBody(refusal, style);
      await send(app, response, { status: refusal.status, body, contentType: style.errorContentType }, refusal.headers);
    }
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}${style.basePath}`;
  return {
    baseUrl,
    target: describeTarget(app, baseUrl),
    style,
    pass: (milliseconds) => {
      passed += milliseconds;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
