import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchRequest, type Bodies, type OperationName, requests } from './operations.ts';
import { peerFile } from './peers.ts';
import { freePort, memoryOf, type Running, startProcess } from './processes.ts';

/** Those of the goals. */
export const serverNames = ['platform-mock', 'Prism', 'bare Express', 'bare node:http'] as const;
/** Those with packages of their own (peers.ts), in the curves only. */
export const extraNames = ['bare fastify', 'Mockoon'] as const;
export type GoalServer = (typeof serverNames)[number];
export type ServerName = GoalServer | (typeof extraNames)[number];

/** A listening server. */
export interface BenchServer extends Running {
  readonly baseUrl: string;
  /** Milliseconds from process start to the first response. */
  readonly startedIn: number;
  memory(): number;
}

/** The command that the package in this folder gives to users. */
export function commandIn(folder: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  return join(folder, bin['platform-mock'] ?? '');
}

/** This build's, or the one that the environment names. */
const ownCommand = process.env.PLATFORM_MOCK ?? commandIn(process.cwd());
const own = (name: string) => new URL(`servers/${name}.js`, import.meta.url).pathname;

/** Starts the mock with `serve` and its defaults; `command` is another build's. */
export const startMock = (flags: readonly string[] = [], command = ownCommand): Promise<BenchServer> =>
  start((port) => [command, 'serve', '--quiet', '--port', String(port), ...flags]);

/** Starts a server of bench/servers that takes its port from the environment. */
export const startOwn = (name: string, ...args: readonly string[]): Promise<BenchServer> =>
  start(() => [own(name), ...args]);

/** Starts a command that ends by itself; `command` is another build's. With `mayFail`, any exit code will do. */
export const startCommand = (args: readonly string[], command = ownCommand, mayFail = false) =>
  startProcess([command, ...args], {}, false, mayFail);

/** Runs a command that ends by itself. */
export const runCommand = (...args: readonly string[]) => startCommand(args).ended;

/** Inputs of the other servers: the resolved document and the response bodies. */
export class Peers implements Disposable {
  private constructor(
    private readonly folder: string,
    /** Credentials, which stay valid after a restart with the same seed. */
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** Asks a mock for what the others answer. */
  static async prepare(): Promise<Peers> {
    const mock = await startMock();
    const headers = await signedRequests(mock);
    const answer = async (name: OperationName): Promise<unknown> =>
      (await send(mock.baseUrl, requests[name], headers)).json();
    const bodies: Bodies = {
      update: await answer('update'),
      list: await answer('list'),
      filtered: await answer('filtered'),
    };
    await mock.stop();
    const folder = mkdtempSync(join(tmpdir(), 'platform-mock-bench-'));
    const { output } = await runCommand('spec', '--format', 'json');
    writeFileSync(join(folder, 'openapi.json'), output);
    writeFileSync(join(folder, 'bodies.json'), JSON.stringify(bodies));
    return new Peers(folder, headers);
  }

  start(name: ServerName): Promise<BenchServer> {
    const bodies = join(this.folder, 'bodies.json');
    if (name === 'platform-mock') return startMock();
    if (name === 'bare Express') return startOwn('bare-express', bodies);
    if (name === 'bare node:http') return startOwn('bare-node', bodies);
    if (name === 'bare fastify') return start(() => [peerFile('fastify.js'), bodies]);
    if (name === 'Mockoon') return start(() => [peerFile('mockoon.js'), bodies]);
    const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
    // Silent and in one process, for maximum speed.
    const flags = ['--multiprocess', 'false', '--verboseLevel', 'silent', '--host', '127.0.0.1'];
    return start((port) => [prism, 'mock', join(this.folder, 'openapi.json'), '--port', String(port), ...flags]);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Requests with credentials of the seed's administrator. */
export async function signedRequests({ baseUrl }: BenchServer): Promise<Readonly<Record<string, string>>> {
  const target = (await (await fetch(`${baseUrl}/_mock/target`)).json()) as { actors: { admin: { sso: object } } };
  const grant = await fetch(`${baseUrl}/v1/auth/sso`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(target.actors.admin.sso),
  });
  const { access_token } = (await grant.json()) as { access_token: string };
  return { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
}

/** Sends one request. */
export const send = (
  baseUrl: string,
  { method, path, body }: BenchRequest,
  headers: Readonly<Record<string, string>>,
) => fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body }) });

async function start(args: (port: number) => readonly string[]): Promise<BenchServer> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const from = performance.now();
  const process = startProcess(args(port), { PORT: String(port) });
  const isOver = (): boolean => process.child.exitCode !== null || process.child.signalCode !== null;
  await Promise.race([
    firstAnswer(baseUrl, isOver),
    process.ended.then(() => Promise.reject(new Error('the server ended'))),
  ]);
  const startedIn = performance.now() - from;
  return { ...process, baseUrl, startedIn, memory: () => memoryOf(process.child.pid) };
}

/** Resolves on the first response of any status: a refusal takes the whole path too. */
async function firstAnswer(baseUrl: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      await (await send(baseUrl, requests.list, { authorization: 'Bearer x' })).text();
      return;
    } catch {
      await sleep(10);
    }
  }
}
