import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callerOf } from '../src/testing/client.ts';
import { runProgram } from '../src/testing/program.ts';
import { freePort } from '../src/testing/redis.ts';

export const goalServers = ['platform-mock', 'Prism', 'bare Express', 'bare node:http'] as const;
type ServerName = (typeof goalServers)[number];

/** Method and path, and what is sent as JSON. */
export type BenchRequest = readonly [line: string, json?: object];

const list = 'GET /v1/admin/tenants/ten_analytical/api-keys';
/** Requests for the mock's seed data. */
export const requests = {
  update: ['PATCH /v1/echo/recordings/rec_kickoff', { title: 'Kick-off with the customer, cut' }],
  list: [list],
  filtered: [`${list}?provider=openai&status=active`],
} as const satisfies Record<string, BenchRequest>;
export type OperationName = keyof typeof requests;
export const operationNames = Object.keys(requests) as OperationName[];

export const folder = mkdtempSync(join(tmpdir(), 'platform-mock-bench-'));
const running = new Set<ChildProcess>();
// Neither processes nor files must outlive the benchmark.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

function startProcess(args: readonly string[], env?: NodeJS.ProcessEnv) {
  const program = runProgram(process.execPath, args, env);
  running.add(program.child);
  program.child.once('close', () => running.delete(program.child));
  return program;
}

/** What a process printed that ends by itself. @throws Error if it fails */
async function outputOf({ ended }: ReturnType<typeof startProcess>): Promise<string> {
  const { code, stdout, stderr } = await ended;
  if (code !== 0) throw new Error(`a process of the benchmark ended with ${code}: ${stderr.slice(-2000)}`);
  return stdout;
}

/** Resident memory in MiB and CPU time in seconds of a process. NaN where the system is not Linux, and when it is gone. */
function usageOf({ pid }: ChildProcess) {
  let fields: string[] = [];
  try {
    // After the command, whose name may contain anything.
    fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {}
  // Linux counts pages, and hundredths of a second.
  return { memory: Number(fields[21]) / 256, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}

/** The command that the package in this folder gives to users. */
export function commandIn(folder: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  return join(folder, bin['platform-mock'] ?? '');
}

const ownCommand = commandIn(process.cwd());

/** Starts a command that ends by itself; `command` is another build's. */
export const startCommand = (args: readonly string[], command = ownCommand) => startProcess([command, ...args]);

/** Starts the mock with `serve` and its defaults; `command` is another build's. */
export const startMock = (flags: readonly string[] = [], command = ownCommand): Promise<BenchServer> =>
  start((port) => [command, 'serve', '--quiet', '--port', port, ...flags]);

const [documentFile, bodiesFile] = [join(folder, 'openapi.json'), join(folder, 'bodies.json')];

export async function startServer(name: ServerName): Promise<BenchServer> {
  if (name === 'platform-mock') return startMock();
  // Inputs of the other servers, asked of a mock: the resolved document and the response bodies.
  if (!existsSync(documentFile)) {
    await using mock = await startMock();
    const bodies: Record<string, unknown> = {};
    for (const operation of operationNames) bodies[operation] = (await call(mock.baseUrl, requests[operation])).body;
    writeFileSync(bodiesFile, JSON.stringify(bodies));
    writeFileSync(documentFile, await outputOf(startCommand(['spec', '--format', 'json'])));
  }
  if (name !== 'Prism') return start(() => [new URL('servers.js', import.meta.url).pathname, name, bodiesFile]);
  const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
  // Silent and in one process, for maximum speed.
  const flags = ['--multiprocess', 'false', '--verboseLevel', 'silent', '--host', '127.0.0.1'];
  return start((port) => [prism, 'mock', documentFile, '--port', port, ...flags]);
}

export type BenchServer = Awaited<ReturnType<typeof start>>;

async function start(args: (port: string) => readonly string[]) {
  const port = String(await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const from = performance.now();
  const server = startProcess(args(port), { PORT: port });
  // A response of any status: a refusal takes the whole path too.
  while (!(await callerOf(baseUrl)(list, { token: 'x' }).catch(() => undefined))) {
    if (server.child.exitCode !== null) throw new Error(`the server ended: ${server.output()}`);
    await sleep(10);
  }
  return {
    ...server,
    baseUrl,
    /** Milliseconds from process start to the first response. */
    startedIn: performance.now() - from,
    memory: () => usageOf(server.child).memory,
    [Symbol.asyncDispose]: async (): Promise<void> => void (await server.end('SIGTERM')),
  };
}

/** Starts servers one after the other. */
export async function startAll(starts: readonly (() => Promise<BenchServer>)[]) {
  const servers: BenchServer[] = [];
  const stop = async (): Promise<void> => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  };
  for (const start of starts) servers.push(await start());
  return Object.assign(servers, { [Symbol.asyncDispose]: stop });
}

let signedIn: string | undefined;
/** A token of the seed's administrator: all mocks of this seed take it. */
export async function credentials(): Promise<string> {
  if (signedIn) return signedIn;
  await using mock = await startMock();
  const { body } = await callerOf(mock.baseUrl)('POST /_mock/tokens', { json: { user: 'usr_ada' } });
  signedIn = (body as { token: string }).token;
  return signedIn;
}

/** The answer, and the milliseconds that it took. @throws Error if it is a refusal, which says nothing about the speed */
export async function call(baseUrl: string, [line, json]: BenchRequest) {
  const token = await credentials();
  const from = performance.now();
  const answer = await callerOf(baseUrl)(line, { token, json });
  const milliseconds = performance.now() - from;
  if (answer.status > 299) throw new Error(`${line} at ${baseUrl}: ${answer.status} ${answer.text}`);
  return { ...answer, milliseconds };
}

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

/** `p50`, `p99`: milliseconds. `failures`: requests without a 2xx response. `loadCpu`, `serverCpu`: cores that both processes used. */
export type LoadResult = Readonly<
  Record<'perSecond' | 'p50' | 'p99' | 'failures' | 'requests' | 'loadCpu' | 'serverCpu', number>
>;

export const manyConnections = 16;

/** Generates load from another process. @throws Error if a response is not 2xx: a server that fails fast must not win */
export async function load(
  { baseUrl, child }: BenchServer,
  { operation, prefixes = [''], mayFail, connections = manyConnections, ...order }: LoadOptions,
): Promise<LoadResult> {
  const [line, json]: BenchRequest = requests[operation];
  const body = json === undefined ? '' : JSON.stringify(json);
  const head = `host: ${new URL(baseUrl).host}\r\ncontent-type: application/json\r\nauthorization: Bearer ${await credentials()}`;
  const rest = body === '' ? '\r\n\r\n' : `\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const texts = prefixes.map((prefix) => `${line.replace(' ', ` ${prefix}`)} HTTP/1.1\r\n${head}${rest}`);
  const before = usageOf(child).cpuSeconds;
  const generator = startProcess([new URL('load-process.js', import.meta.url).pathname]);
  generator.child.stdin.end(
    JSON.stringify({ ...order, url: baseUrl, requests: texts, connections } satisfies LoadOrder),
  );
  const { elapsed, ...result } = JSON.parse(await outputOf(generator)) as LoadResult & { elapsed: number };
  if (result.failures > 0 && !mayFail)
    throw new Error(`${line} at ${baseUrl}: ${result.failures} responses were not 2xx`);
  return { ...result, serverCpu: (usageOf(child).cpuSeconds - before) / elapsed };
}
