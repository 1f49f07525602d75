import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Faker } from '@faker-js/faker';
import { asText } from '../contract-tests/values/json.ts';
import type { Passed } from '../contract-tests/wire/passed.ts';
import { apiFor, loadCompiler } from './core/api.ts';
import { LoadedRoutes } from './core/custom-routes/loaded-routes.ts';
import { loadWorlds, reloadWorlds, type WorldInputs } from './core/load-worlds.ts';
import { checkOptions } from './core/options.ts';
import type { ProfileSource } from './core/profiles/load.ts';
import { ConfigError } from './core/spec/config-error.ts';
import { JournalBudget } from './core/world/journal.ts';
import type { Log, World, WorldServices } from './core/world/world.ts';
import type { Worlds } from './core/world/worlds.ts';
import { connectMock } from './doors/connect.ts';
import { fetchDoor, type MockFetch } from './doors/fetch.ts';
import { type PortableMock, withoutPort } from './doors/portable.ts';
import { answer, loadControl } from './mock.ts';
import type { ListenerOptions } from './server/app.ts';
import { answerBrokenHttp, requiringHost } from './server/broken-http.ts';
import { clientBehind } from './server/client-address.ts';
import { checkOrigins } from './server/cors.ts';
import { sendElsewhere } from './server/drain.ts';
import { loadFixtures } from './server/files/fixtures.ts';
import { loadProfile } from './server/files/profile-file.ts';
import { judge, validatorFor } from './server/judge.ts';
import { nodeJwt } from './server/jwt.ts';
import { openPort } from './server/listen.ts';
import { type Listener, listenerFor } from './server/listener.ts';
import {
  type DrainOptions,
  drainOptions,
  type ListenOptions,
  listenOptions,
  type MockOptions,
  mockOptions,
  type Observed,
  type Observer,
  type UpstreamOptions,
} from './server/options.ts';
import { observed, urlOf } from './server/record.ts';
import { StateFile } from './server/state-file.ts';
import { credentialsOf, type TlsOptions } from './server/tls.ts';

export type { RouteCall, RouteDefinition, RouteFunction, RouteModule, RouteWorld } from './core/custom-routes/route.ts';
export { defineRoutes } from './core/custom-routes/route.ts';
export type { GapAnswers, GapId } from './core/spec/gaps.ts';
export * from './doors/client.ts';
export {
  ConfigError,
  type DrainOptions,
  type ListenOptions,
  type Log,
  type MockFetch,
  type MockOptions,
  type Observed,
  type Observer,
  type Passed,
  type ProfileSource,
  type TlsOptions,
  type UpstreamOptions,
  type World,
  type Worlds,
};

/** A handler of requests for anything that takes one: `app.use('/mock', mock.app)`, `supertest(mock.app)`. */
export type MockApp = (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void) => void;

/** Node's IncomingMessage, and below its ServerResponse, by what tells them apart: so these types need no @types/node. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly rawHeaders: readonly string[];
}

export interface NodeResponse {
  statusCode: number;
  readonly headersSent: boolean;
}

/** A mock that does not listen: mount `app`, call `fetch`, or look into `world`. */
export interface Mock extends PortableMock {
  readonly app: MockApp;
  /** Saves the state, where a file was named. @throws ConfigError when it cannot be saved */
  save(): void;
  /** Saves the state, where a file was named, and lets another mock have the file. */
  close(): Promise<void>;
  /** Reads profile, fixtures and routes again; changed records stay. @throws ConfigError when they cannot be used: all stays as it is */
  reload(): Promise<void>;
}

/** A mock that listens. `await using` closes it. */
export interface RunningMock extends Mock, AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Finishes what is in flight, closes and saves. */
  close(options?: DrainOptions): Promise<void>;
}

/** Builds the mock, compiled and warmed. @throws ConfigError when an option is not known, or what it names cannot be used */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  checkOptions('createMock', options, mockOptions);
  return (await buildMock(options)).mock;
}

async function buildMock(options: MockOptions) {
  refuseUnusableToken(options.controlToken);
  checkOrigins(options.cors);
  const services: WorldServices = {
    jwt: nodeJwt,
    log: options.log ?? logToStderr,
    judge,
    journalBudget: new JournalBudget(),
    routes: new LoadedRoutes(),
  };
  const worlds = await loadWorlds(await inputsOf(options), options, services, loadFaker);
  // Loaded only where there is one, and before the state's file is taken: its options may be refused.
  const upstream =
    options.upstream && (await import('./server/upstream.ts')).upstreamOf(worlds, options.upstream, options);
  const served = await servingOf(options, worlds);
  const store = await storeFor(options, worlds);
  const state = options.state === undefined ? undefined : await StateFile.attach(options.state, worlds);
  // Last: a mock that does not start must not empty a recording.
  const recorder = await recorderOf(options, worlds).catch(async (error: unknown) => {
    state?.close();
    await store?.close();
    throw error;
  });
  const stopExpiring = expiryOf(options, worlds);
  const listener = recorded(listenerFor(worlds, served, upstream), options, recorder.record, services.log);
  const fetch = fetchDoor(worlds, options);
  const mock: Mock = {
    app: listener as unknown as MockApp,
    fetch,
    worlds,
    world: worlds.main,
    save: () => state?.save(),
    close: async () => {
      stopExpiring();
      worlds.close();
      services.routes.set.close();
      state?.close();
      await store?.close();
      await recorder.close();
    },
    reload: async () => {
      if (store)
        throw new ConfigError(['a mock with a store reads its inputs at the start only: start all replicas again']);
      const inputs = await inputsOf(options);
      await reloadWorlds(worlds, inputs).catch((error: unknown) => {
        inputs.routes?.close();
        throw error;
      });
    },
    ...connectMock(withoutPort, { fetch }),
  };
  return { mock, listener, upstream };
}

/** @throws ConfigError when it cannot be used, or not together with another option */
async function storeFor({ store, state, upstream, sandboxTtl = 24 * 3600, latency = 0 }: MockOptions, worlds: Worlds) {
  if (store === undefined) return undefined;
  if (state !== undefined) throw new ConfigError(['a store keeps all worlds: leave out the state file']);
  if (upstream) throw new ConfigError(['a mock with a store cannot have an upstream: leave out one of them']);
  const { RedisStore } = await import('./server/store/redis-store.ts');
  return RedisStore.attach(store, worlds, { idleMs: sandboxTtl * 1000, latency });
}

/** @throws ConfigError if its file cannot be written, or is that of the state or of another server */
async function recorderOf({ record, state }: MockOptions, { main, services: { log } }: Worlds) {
  if (typeof record !== 'string') return { record, close: async () => {} };
  if (state !== undefined && resolve(record) === resolve(state))
    throw new ConfigError([`the recording and the state need a file each; both are ${record}`]);
  const { recordTo } = await import('./server/record-file.ts');
  const { sourceOfWorld } = await import('./control/target.ts');
  const onEnd = (message: string): void => log('error', `${message}. The mock goes on.`);
  const har = recordTo(record, onEnd, () => sourceOfWorld(main));
  return { record: har.add, close: har.close };
}

/** The listener; every exchange that passes it is recorded, where that was asked for. */
function recorded(
  listener: Listener,
  { tls }: ListenOptions,
  record: ((passed: Passed) => unknown) | undefined,
  log: Log,
): Listener {
  if (!record) return listener;
  const scheme = tls ? 'https' : 'http';
  const onError = (error: unknown): void => log('error', `recording failed: ${asText(error)}`);
  const serve = observed(listener, (request) => urlOf(request, scheme), record, onError);
  return Object.assign(serve, { warm: listener.warm });
}

/** How requests are served. Metrics are loaded only if they are used. */
async function servingOf(options: MockOptions, worlds: Worlds): Promise<ListenerOptions> {
  const { metrics, observe, trustProxy } = options;
  const served = { ...options, client: await clientBehind(trustProxy) };
  if (metrics === undefined) return served;
  const { processMetrics } = await import('./server/metrics.ts');
  const collected = processMetrics(worlds);
  worlds.services.metrics = collected;
  const both: Observer = (observed) => {
    collected.observe(observed);
    observe?.(observed);
  };
  return { ...served, observe: both };
}

/** Deletes unused sandboxes, until the returned function is called. */
function expiryOf({ sandboxTtl, store }: MockOptions, worlds: Worlds): () => void {
  // A store lets its worlds expire itself.
  if (sandboxTtl === undefined || store !== undefined) return () => {};
  const everySeconds = Math.max(1, Math.min(60, sandboxTtl / 4));
  const timer = setInterval(() => worlds.deleteUnusedFor(sandboxTtl * 1000), everySeconds * 1000).unref();
  return () => clearInterval(timer);
}

/** @throws ConfigError when the profile, the fixtures or the routes cannot be used */
async function inputsOf({ profile, fixtures: folder, routes = [] }: MockOptions): Promise<WorldInputs> {
  const fixtures = loadFixtures(folder);
  const answers = loadProfile(profile);
  if (routes.length === 0) return { fixtures, answers };
  const { loadRoutes } = await import('./server/files/routes-file.ts');
  return { fixtures, answers, routes: await loadRoutes(routes, answers) };
}

const logToStderr: Log = (_level, message) => void process.stderr.write(`${message}\n`);

const require = createRequire(import.meta.url);

const loadFaker = (): Faker =>
  (require('@faker-js/faker/locale/en') as typeof import('@faker-js/faker/locale/en')).faker;

/** Builds the mock and listens. @throws ConfigError as createMock, and when the address or a certificate cannot be used */
export async function startMock(options: ListenOptions = {}): Promise<RunningMock> {
  checkOptions('startMock', options, listenOptions);
  const { host = '127.0.0.1', port = 0, tls } = options;
  const credentials = tls && (await credentialsOf(tls, host));
  const { mock, listener, upstream } = await buildMock(options);
  const opened = await openPort(requiringHost(mock.world, listener), { host, port, credentials }).catch(
    async (error: unknown) => {
      await mock.close();
      throw error;
    },
  );
  upstream?.attach(opened.server);
  answerBrokenHttp(opened.server, mock.world);
  const stopPreparing = prepareInIdleTime(listener, mock.world);
  const close = async (options: DrainOptions = {}) => {
    checkOptions('close', options, drainOptions);
    await sendElsewhere(opened.server, mock.worlds.services, options.delayMs);
    mock.worlds.close();
    upstream?.close();
    const cut = await opened.close(options);
    if (cut > 0) mock.worlds.services.log('info', `connections cut off, since their requests took too long: ${cut}`);
    await stopPreparing();
    await mock.close();
  };
  const shownHost = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host;
  return {
    ...mock,
    ...connectMock(`http${tls ? 's' : ''}://${shownHost}:${opened.port}`, { controlToken: options.controlToken }),
    host,
    port: opened.port,
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

/** Loads what first calls would wait for. The returned function stops that and waits: a test may load no modules after its end. */
function prepareInIdleTime(listener: Listener, world: World): () => Promise<void> {
  let loading: Promise<unknown> | undefined;
  const soon = setImmediate(() => {
    loading = loadControl().then(loadCompiler);
  });
  // It keeps the process busy for a while, and who has just started a mock calls it next.
  const later = setTimeout(() => {
    loading = listener
      .warm()
      .then(() => apiFor(world.answers))
      .then(({ document }) => validatorFor(document))
      .then(switchGaps);
  }, idleAfter).unref();
  return async () => {
    clearImmediate(soon);
    clearTimeout(later);
    await loading;
  };
}

/** Switches gaps of a mock that is thrown away: then the first switch that somebody waits for is no slower than others. */
async function switchGaps(): Promise<void> {
  const { worlds } = await createMock();
  const request = { method: 'PUT', url: '/_mock/profile', rawHeaders: [], origin: '', client: '' };
  const headers = { 'content-type': 'application/json' };
  for (const shape of ['problem', 'detail']) {
    const body = Buffer.from(JSON.stringify({ profile: { answers: { 'error-body': shape } } }));
    await answer(worlds, { ...request, headers, body });
  }
}

/** Milliseconds. */
const idleAfter = 1000;

/** A token that no header can carry would lock everybody out. */
function refuseUnusableToken(token: string | undefined): void {
  if (token === undefined || (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token))) return;
  const found = token === '' ? 'empty' : 'not of that kind';
  throw new ConfigError([`the control token must be printable ASCII without spaces; it is ${found}`]);
}
