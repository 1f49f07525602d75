import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runProgram } from '../src/testing/program.ts';
import { freePort } from '../src/testing/redis.ts';

export const goalServers = ['platform-mock', 'Prism', 'bare Express', 'bare node:http'] as const;
/** Those with separate packages in bench/peers, in the curves only. */
export const extraServers = ['bare fastify', 'Mockoon'] as const;
export type GoalServer = (typeof goalServers)[number];
export type ServerName = GoalServer | (typeof extraServers)[number];

export const operationNames = ['update', 'list', 'filtered'] as const;
export type OperationName = (typeof operationNames)[number];

export interface BenchRequest {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: string;
}

const list = { method: 'GET', path: '/v1/admin/tenants/ten_analytical/api-keys' } as const;

/** Requests for the mock's seed data. */
export const requests: { readonly [Name in OperationName]: BenchRequest } = {
  update: {
    method: 'PATCH',
    path: '/v1/echo/recordings/rec_kickoff',
    body: JSON.stringify({ title: 'Kick-off with the customer, cut' }),
  },
  list,
  filtered: { ...list, path: `${list.path}?provider=openai&status=active` },
};

type Headers = Readonly<Record<string, string>>;

export const folder = mkdtempSync(join(tmpdir(), 'platform-mock-bench-'));
const running = new Set<ChildProcess>();
// Neither processes nor files must outlive the benchmark.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

export function startProcess(args: readonly string[], env?: NodeJS.ProcessEnv) {
  const program = runProgram(process.execPath, args, env);
  running.add(program.child);
  program.child.once('close', () => running.delete(program.child));
  const stop = async (): Promise<void> => void (await program.end('SIGTERM'));
  return { ...program, [Symbol.asyncDispose]: stop };
}

/** What a process printed that ends by itself. @throws Error if it fails */
export async function outputOf({ ended }: ReturnType<typeof startProcess>): Promise<string> {
  const { code, stdout, stderr } = await ended;
  if (code !== 0) throw new Error(`a process of the benchmark ended with ${code}: ${stderr.slice(-2000)}`);
  return stdout;
}

/** What the system tells of a process, on Linux; an empty text elsewhere, or when it is gone. */
function proc(child: ChildProcess, file: 'status' | 'stat'): string {
  try {
    return readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Resident memory of a process in MiB; NaN where the system does not tell. */
export const memoryOf = (child: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(proc(child, 'status'))?.[1]) / 1024;

/** CPU time in seconds that a process has used so far; NaN where the system does not tell. */
export function cpuSecondsOf(child: ChildProcess): number {
  // After the command, whose name may contain anything; Linux counts in hundredths of a second.
  const fields = proc(child, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The command that the package in this folder gives to users. */
export function commandIn(folder: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  return join(folder, bin['platform-mock'] ?? '');
}

/** This build's, or the one that the environment names. */
const ownCommand = process.env.PLATFORM_MOCK ?? commandIn(process.cwd());

/** Starts a command that ends by itself; `command` is another build's. */
export const startCommand = (args: readonly string[], command = ownCommand) => startProcess([command, ...args]);

/** Starts the mock with `serve` and its defaults; `command` is another build's. */
export const startMock = (flags: readonly string[] = [], command = ownCommand): Promise<BenchServer> =>
  start((port) => [command, 'serve', '--quiet', '--port', port, ...flags]);

export const startOwn = (name: string, ...args: readonly string[]): Promise<BenchServer> =>
  start(() => [new URL('servers.js', import.meta.url).pathname, name, ...args]);

const [documentFile, bodiesFile] = [join(folder, 'openapi.json'), join(folder, 'bodies.json')];

/** Inputs of the other servers, asked of a mock: the resolved document and the response bodies. */
async function prepare(): Promise<void> {
  if (existsSync(documentFile)) return;
  await using mock = await startMock();
  const bodies: Record<string, unknown> = {};
  for (const name of operationNames)
    bodies[name] = await (await send(mock.baseUrl, requests[name], await credentials())).json();
  writeFileSync(bodiesFile, JSON.stringify(bodies));
  writeFileSync(documentFile, await outputOf(startCommand(['spec', '--format', 'json'])));
}

export async function startServer(name: ServerName): Promise<BenchServer> {
  if (name === 'platform-mock') return startMock();
  await prepare();
  if (name !== 'Prism') return startOwn(name, bodiesFile);
  const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
  // Silent and in one process, for maximum speed.
  const flags = ['--multiprocess', 'false', '--verboseLevel', 'silent', '--host', '127.0.0.1'];
  return start((port) => [prism, 'mock', documentFile, '--port', port, ...flags]);
}

/** A package of bench/peers, whose types are not installed here. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export const peer = (id: string): Promise<Record<string, any>> =>
  import(pathToFileURL(createRequire(join(process.cwd(), 'bench/peers/package.json')).resolve(id)).href);

/** Installs the packages of bench/peers where they are missing. @returns whether they are there */
export function installPeers(progress: (text: string) => void): boolean {
  // npm writes it last.
  if (existsSync('bench/peers/node_modules/.package-lock.json')) return true;
  const command = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', 'bench/peers'];
  progress(`npm ${command.join(' ')}`);
  try {
    execFileSync('npm', command, { stdio: 'pipe' });
    return true;
  } catch (error) {
    progress(String(error));
    return false;
  }
}

let signedIn: Headers | undefined;
/** Headers of a JSON request, with credentials of the seed's administrator: all mocks of this seed take them. */
export async function credentials(): Promise<Headers> {
  if (signedIn) return signedIn;
  await using mock = await startMock();
  const headers = { 'content-type': 'application/json' };
  const mint = { method: 'POST', path: '/_mock/tokens', body: '{"user":"usr_ada"}' } as const;
  const { token } = await (await send(mock.baseUrl, mint, headers)).json();
  signedIn = { ...headers, authorization: `Bearer ${token}` };
  return signedIn;
}

export const send = (baseUrl: string, { method, path, body }: BenchRequest, headers: Headers): Promise<Response> =>
  fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body }) });

export type BenchServer = Awaited<ReturnType<typeof start>>;

async function start(args: (port: string) => readonly string[]) {
  const port = String(await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const from = performance.now();
  const server = startProcess(args(port), { PORT: port });
  const { child } = server;
  while (!(await isAnswering(baseUrl))) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${server.output()}`);
    await sleep(10);
  }
  return {
    ...server,
    baseUrl,
    /** Milliseconds from process start to the first response. */
    startedIn: performance.now() - from,
    memory: () => memoryOf(child),
  };
}

/** A response of any status: a refusal takes the whole path too. */
const isAnswering = (baseUrl: string): Promise<boolean> =>
  send(baseUrl, requests.list, { authorization: 'Bearer x' }).then(
    (response) => response.text().then(() => true),
    () => false,
  );

export interface LoadOptions {
  readonly operation: OperationName;
  /** Duration in seconds, or … */
  readonly seconds: number;
  /** … number of requests. */
  readonly amount?: number;
  /** Concurrent connections, each with one request at a time. */
  readonly connections?: number;
  /** Requests a second, whether or not those before are answered; waiting for a connection counts. Else as many as are answered. */
  readonly rate?: number | undefined;
  /** Prefixes of the path: the connections share these out and send to theirs in turn. */
  readonly prefixes?: readonly string[];
  /** Characters of a summary that an update sends as well. */
  readonly summary?: number;
  /** Whether responses may be other than 2xx: replicas that meet in one world refuse some. */
  readonly mayFail?: boolean;
}

/** What the load generator (load-process.ts) reads, as JSON. */
export interface LoadOrder extends Pick<LoadOptions, 'seconds' | 'amount' | 'rate'> {
  readonly url: string;
  /** Bytes of the requests, by prefix. */
  readonly requests: readonly string[];
  readonly connections: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Requests without a 2xx response: they invalidate the other figures. */
  readonly failures: number;
  readonly requests: number;
  /** Share of one core that the load generator and the server used: 1 is all of it. */
  readonly loadCpu: number;
  readonly serverCpu: number;
}

export const manyConnections = 16;

/** Generates load from another process. @throws Error if a response is not 2xx: a server that fails fast must not win */
export async function load(
  { baseUrl, child }: BenchServer,
  options: LoadOptions,
  onProgress: (requests: number) => void = () => {},
): Promise<LoadResult> {
  const {
    operation,
    seconds,
    amount,
    rate,
    connections = manyConnections,
    prefixes = [''],
    summary,
    mayFail,
  } = options;
  const { method, path, ...sent } = requests[operation];
  const body = summary === undefined ? (sent.body ?? '') : JSON.stringify({ summary: 'x'.repeat(summary) });
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const headers = Object.entries({ host: new URL(baseUrl).host, ...(await credentials()), ...length });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const texts = prefixes.map((prefix) => `${method} ${prefix}${path} HTTP/1.1\r\n${lines}\r\n${body}`);
  const order: LoadOrder = { url: baseUrl, requests: texts, connections, seconds, amount, rate };
  const before = cpuSecondsOf(child);
  const generator = startProcess([new URL('load-process.js', import.meta.url).pathname]);
  generator.child.stderr.on('data', (count: string) => onProgress(Number(count)));
  generator.child.stdin.end(JSON.stringify(order));
  const { elapsed, ...result } = JSON.parse(await outputOf(generator)) as LoadResult & { elapsed: number };
  if (result.failures > 0 && !mayFail)
    throw new Error(`${method} ${baseUrl}${path}: ${result.failures} responses were not 2xx`);
  return { ...result, serverCpu: (cpuSecondsOf(child) - before) / elapsed };
}

/** Milliseconds of one request. @throws Error if it is refused: a refusal says nothing about its speed */
export async function timeOf(baseUrl: string, request: BenchRequest): Promise<number> {
  const headers = await credentials();
  const from = performance.now();
  const answer = await send(baseUrl, request, headers);
  const text = await answer.text();
  const took = performance.now() - from;
  if (!answer.ok) throw new Error(`${request.method} ${baseUrl}${request.path}: ${answer.status} ${text}`);
  return took;
}

/** Creates sandboxes, each by its first request, an update. Returns the milliseconds of each. */
export async function createSandboxes({ baseUrl }: BenchServer, names: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const name of names) times.push(await timeOf(`${baseUrl}/~${name}`, requests.update));
  return times;
}
