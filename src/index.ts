import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { createApp } from './server/app.ts';
import { connectMock, type MockConnection } from './doors/connect.ts';
import { answerBrokenHttp } from './server/http/broken-http.ts';
import type { Observer } from './server/http/observe.ts';
import { loadWorlds, reloadWorlds, type WorldsOptions } from './server/load-worlds.ts';
import { didYouMean } from './core/profiles/did-you-mean.ts';
import type { ProfileSource } from './server/files/profile-file.ts';
import { ConfigError } from './core/spec/config-error.ts';
import { StateFile } from './server/state-file.ts';
import type { World } from './core/world/world.ts';
import type { Worlds } from './core/world/worlds.ts';

export { connectMock, type MockConnection, type Sandbox, type SandboxOptions } from './doors/connect.ts';
export type { paths as ControlPaths } from './control/control-types.ts';
export { type ControlClient, ControlRefusal, controlClient } from './doors/control-client.ts';
export type { components, operations, paths } from './core/spec/api-types.ts';
export type { GapAnswers, GapId } from './core/spec/gaps.ts';
export { ConfigError, type ProfileSource, type World, type Worlds };

export interface MockOptions extends WorldsOptions {
  /** Origins whose pages may call the API, beside the local ones. */
  readonly cors?: readonly string[];
  /** Milliseconds that every answer is held back. */
  readonly latencyMs?: number;
  /** Keeps all worlds across restarts. */
  readonly stateFile?: string | undefined;
  /** Needed on the control plane when listening on another host than this machine. */
  readonly controlToken?: string | undefined;
  /** Sees every exchange once it is over. */
  readonly observe?: Observer | undefined;
}

export interface ListenOptions extends MockOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
}

/** The options by name, for callers in JavaScript: the compiler wants each of them here. */
const mockOptions = Object.keys({
  profile: true,
  seed: true,
  recordings: true,
  fixturesDir: true,
  faults: true,
  sandboxLimit: true,
  cors: true,
  latencyMs: true,
  stateFile: true,
  controlToken: true,
  observe: true,
} satisfies Record<keyof MockOptions, true>);
const listenOptions = ['host', 'port', ...mockOptions];

/** A mock that does not listen: mount `app`, or look into `world`. */
export interface Mock {
  readonly app: Express;
  readonly worlds: Worlds;
  /** The main world: what is served without a sandbox's prefix. */
  readonly world: World;
  /**
   * Saves the state, where a file was named.
   * @throws ConfigError when it cannot be saved
   */
  save(): void;
  /**
   * Reads profile and fixtures again; changed records stay changed.
   * @throws ConfigError when they cannot be used: then everything stays as it is
   */
  reload(): Promise<void>;
}

/** A mock that listens. `await using` closes it. */
export interface RunningMock extends Mock, MockConnection, AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Finishes what is in flight, closes and saves. */
  close(): Promise<void>;
}

/**
 * Builds the mock, compiled and warmed.
 * @throws ConfigError when a profile, fixture, fault or state file cannot be used, or an option is not known
 */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  refuseUnknown('createMock', options, mockOptions);
  return buildMock(options);
}

async function buildMock(options: MockOptions): Promise<Mock> {
  const worlds = await loadWorlds(options);
  const state = options.stateFile === undefined ? undefined : await StateFile.attach(options.stateFile, worlds);
  return {
    app: createApp(worlds, options),
    worlds,
    world: worlds.main,
    save: () => state?.save(),
    reload: () => reloadWorlds(worlds, options),
  };
}

/**
 * Builds the mock and listens.
 * @throws ConfigError as createMock, and when the address cannot be had
 */
export async function startMock(options: ListenOptions = {}): Promise<RunningMock> {
  refuseUnknown('startMock', options, listenOptions);
  const { host = '127.0.0.1', port = 0 } = options;
  const mock = await buildMock(options);
  const server = createServer({ keepAliveTimeout: 65_000 }, mock.app);
  server.on('clientError', answerBrokenHttp(mock.world));
  const actualPort = await listen(server, host, port);
  const close = () => {
    mock.worlds.close();
    return closeServer(server).then(mock.save);
  };
  const shownHost = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host;
  return {
    ...mock,
    ...connectMock(`http://${shownHost}:${actualPort}`, options),
    host,
    port: actualPort,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** An option that is misspelt would else be one that is not given. */
function refuseUnknown(call: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new ConfigError([`${call} takes an object of options, not ${JSON.stringify(options)}`]);
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new ConfigError([
    `${call} has no option ${unknown.join(', ')}; it takes ${known.join(', ')}${didYouMean(unknown, known)}`,
  ]);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new ConfigError([unavailable(error, host, port)])));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function unavailable({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  const another = 'choose another with --host: 127.0.0.1 for this machine only, 0.0.0.0 for all that reach it';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host ${host} does not resolve (${code}); ${another}`;
  if (code === 'EADDRNOTAVAIL') return `${host} is no address of this machine (${code}); ${another}`;
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use; choose another with --port`;
  if (code === 'EACCES')
    return `port ${port} on ${host} may not be used without more rights; choose one above 1023 with --port`;
  return `cannot listen on ${host}:${port}: ${message}`;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // Whoever has not finished by then is cut off.
    setTimeout(() => server.closeAllConnections(), 2000).unref();
  });
}
