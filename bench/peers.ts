import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/testing/redis.ts';
import { memoryOf, type Running, type StartOptions, startProcess, temporaryFolder } from './processes.ts';

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

export type BenchServer = Awaited<ReturnType<typeof start>>;

/** The command that the package in this folder gives to users. */
export function commandIn(folder: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  return join(folder, bin['platform-mock'] ?? '');
}

/** This build's, or the one that the environment names. */
const ownCommand = process.env.PLATFORM_MOCK ?? commandIn(process.cwd());

/** Starts the mock with `serve` and its defaults; `command` is another build's. */
export const startMock = (flags: readonly string[] = [], command = ownCommand): Promise<BenchServer> =>
  start((port) => [command, 'serve', '--quiet', '--port', port, ...flags]);

/** Starts a server of bench/servers.ts. */
export const startOwn = (name: string, ...args: readonly string[]): Promise<BenchServer> =>
  start(() => [new URL('servers.js', import.meta.url).pathname, name, ...args]);

/** Starts a command that ends by itself; `command` is another build's. */
export const startCommand = (args: readonly string[], options?: StartOptions, command = ownCommand): Running =>
  startProcess([command, ...args], options);

/** Inputs of the other servers, asked of a mock: the resolved document and the response bodies. */
export class Peers implements Disposable {
  private readonly folder = temporaryFolder();
  private readonly document = join(this.folder.path, 'openapi.json');
  private readonly bodies = join(this.folder.path, 'bodies.json');

  static async prepare(): Promise<Peers> {
    const peers = new Peers();
    await using mock = await startMock();
    const bodies: Record<string, unknown> = {};
    for (const name of operationNames)
      bodies[name] = await (await send(mock.baseUrl, requests[name], await credentials())).json();
    writeFileSync(peers.bodies, JSON.stringify(bodies));
    writeFileSync(peers.document, await startCommand(['spec', '--format', 'json']).ended);
    return peers;
  }

  start(name: ServerName): Promise<BenchServer> {
    if (name === 'platform-mock') return startMock();
    if (name !== 'Prism') return startOwn(name, this.bodies);
    const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
    // Silent and in one process, for maximum speed.
    const flags = ['--multiprocess', 'false', '--verboseLevel', 'silent', '--host', '127.0.0.1'];
    return start((port) => [prism, 'mock', this.document, '--port', port, ...flags]);
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }
}

/**
 * Installs the packages of bench/peers where they are missing.
 * @returns whether they are there
 */
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

let signedIn: Promise<Headers> | undefined;
/** Headers of a JSON request, with credentials of the seed's administrator: all mocks of this seed take them. */
export function credentials(): Promise<Headers> {
  signedIn ??= signIn();
  return signedIn;
}

async function signIn(): Promise<Headers> {
  await using mock = await startMock();
  const headers = { 'content-type': 'application/json' };
  const { actors } = await (await send(mock.baseUrl, { method: 'GET', path: '/_mock/target' }, headers)).json();
  const grant = { method: 'POST', path: '/v1/auth/sso', body: JSON.stringify(actors.admin.sso) } as const;
  const { access_token } = await (await send(mock.baseUrl, grant, headers)).json();
  return { ...headers, authorization: `Bearer ${access_token}` };
}

export const send = (baseUrl: string, { method, path, body }: BenchRequest, headers: Headers): Promise<Response> =>
  fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body }) });

async function start(args: (port: string) => readonly string[]) {
  const port = String(await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const from = performance.now();
  const running = startProcess(args(port), { env: { PORT: port } });
  const { child, ended } = running;
  let isOver = false;
  await Promise.race([
    firstAnswer(baseUrl, () => isOver),
    ended.then(() => Promise.reject(new Error('the server ended'))),
  ]).finally(() => {
    isOver = true;
  });
  return {
    ...running,
    baseUrl,
    /** Milliseconds from process start to the first response. */
    startedIn: performance.now() - from,
    /** In MiB. */
    memory: () => memoryOf(child),
  };
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
