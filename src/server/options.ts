// For users, whose types need none of Node.
import type { Passed } from '../../contract-tests/wire/passed.ts';
import type { RouteValue } from '../control/routes/load.ts';
import { either, kinds, type OptionsOf, oneOf, row, type WorldOptions, worldOptions } from '../core/options.ts';
import type { ProfileSource } from '../core/profiles/load.ts';
import type { Log } from '../core/world/world.ts';
import type { TlsOptions } from './tls.ts';

/** The real service behind the mock, and which requests it gets. */
export const upstreamOptions = {
  /** Base URL; paths are appended. */
  upstream: row<string>({
    kind: kinds.text,
    flag: '--upstream <url>',
    help: 'base URL of the real service: it answers what the mock does not know',
  }),
  /** Paths that go to it anyway; `*` is any part. */
  only: row<readonly string[]>({
    kind: kinds.texts,
    flag: '--upstream-only <path>',
    help: 'path, with * for anything, that goes to the upstream anyway; repeatable',
  }),
  /** The only operations that the mock answers. */
  mockOnly: row<readonly string[]>({
    kind: kinds.texts,
    flag: '--mock-only <operation>',
    help: 'answer this operation only; all else goes to the upstream; repeatable',
  }),
  /** The bearer token for the upstream, instead of the client's. */
  token: row<string>({
    kind: kinds.text,
    flag: '--upstream-token <token>',
    help: "bearer token for the upstream; without it, it gets the client's, and never one of the mock's own",
  }),
  /** Milliseconds without a byte from the upstream. Default 30,000. */
  timeoutMs: row<number>({
    kind: kinds.upstreamTimeout,
    flag: '--upstream-timeout <ms>',
    help: 'how long the upstream may be silent',
    usually: 30_000,
  }),
  /** Whether requests other than GET, HEAD and OPTIONS may go to a host that is not loopback. */
  allowWrites: row<boolean>({
    kind: kinds.switch,
    flag: '--allow-writes',
    help: 'let requests that may change something through to an upstream on another machine',
  }),
  /** Whether answers name the upstream and the credential it got, and links in them lead back here. Default true. */
  marks: row<boolean>({ kind: kinds.switch }),
  tls: row<{ readonly rejectUnauthorized?: boolean; readonly ca?: string }>({ kind: kinds.object }),
};

export type UpstreamOptions = OptionsOf<typeof upstreamOptions> & { readonly upstream: string };

/** How a server ends, in milliseconds. */
export const drainOptions = {
  /** How long it still answers while readiness probes and `Connection: close` send clients elsewhere. Default 0. */
  delayMs: row<number>({
    kind: kinds.drain,
    flag: '--drain-delay <ms>',
    help: 'at SIGTERM: how long to answer while telling load balancers to go elsewhere',
    usually: 0,
  }),
  /** How long requests in flight may then take. Default 2000. */
  timeoutMs: row<number>({
    kind: kinds.drain,
    flag: '--drain-timeout <ms>',
    help: 'at SIGTERM: how long requests may take then',
    usually: 10_000,
  }),
};

export type DrainOptions = OptionsOf<typeof drainOptions>;

const ofMock = {
  /** A shipped profile's name, a profile file, or answers to gaps. */
  profile: row<ProfileSource>({ kind: kinds.any, flag: '--profile <file|name>', help: 'answers to gaps' }),
  /** Folder of fixture files in place of the shipped ones. */
  fixtures: row<string>({
    kind: kinds.text,
    flag: '--fixtures <folder>',
    help: 'fixture files to use instead of the shipped ones',
  }),
  /** Custom routes: files (YAML, JSON, OpenAPI, TypeScript, JavaScript), or what such a module exports. */
  routes: row<readonly (string | RouteValue)[]>({
    kind: kinds.list,
    flag: '--routes <file>',
    help: 'custom routes: YAML, JSON, OpenAPI, TypeScript, JavaScript; repeatable',
  }),
  /** Keeps all worlds across restarts. */
  state: row<string>({
    kind: kinds.text,
    flag: '--state <file>',
    help: 'state file: loaded at start, written with every change',
  }),
  /** Keeps all worlds in a Redis that mocks with the same options share: `redis://host:6379?prefix=name:`. Needs the package redis. */
  store: row<string>({
    kind: kinds.text,
    flag: '--store <url>',
    help: 'keep all worlds in a Redis that any number of servers share: redis://, rediss://, redis+sentinel://host,host/master, redis+cluster://host,host',
    conflicts: ['state', 'watch', 'upstream'],
  }),
  /** Origins whose pages may call the API, in addition to the local ones. */
  cors: row<readonly string[]>({
    kind: kinds.texts,
    flag: '--cors <origin>',
    help: 'allow pages of that origin, in addition to local ones; repeatable',
  }),
  /** Needed on the control plane when listening on another host than this machine. */
  controlToken: row<string>({
    kind: kinds.any,
    flag: '--control-token <token>',
    help: 'require this token for /_mock instead of a local client',
  }),
  /** Seconds without a request after which a sandbox is deleted. Default: never; with a store: a day. */
  sandboxTtl: row<number>({
    kind: kinds.sandboxTtl,
    flag: '--sandbox-ttl <seconds>',
    help: 'delete sandboxes unused for so long',
  }),
  /** Believe X-Forwarded-For and -Proto of so many proxies, or of those addresses: `1`, `loopback, 10.0.0.0/8`. */
  trustProxy: row<string>({
    kind: kinds.text,
    flag: '--trust-proxy <proxies>',
    help: 'believe X-Forwarded-For and -Proto of so many proxies, or of these: 1, or loopback,10.0.0.0/8',
  }),
  /** The real service behind the mock: it answers what the mock does not know; not requests of `mock.fetch`. */
  upstream: row<UpstreamOptions>({ kind: kinds.object }),
  /** Records all traffic but that of `mock.fetch`: in a HAR file without secrets, or by a function that takes every exchange, and for whose promise requests wait. */
  record: row<string | ((passed: Passed) => unknown)>({
    kind: either(kinds.text, kinds.function),
    flag: '--record <file>',
    help: 'record all traffic as HAR 1.2, secrets replaced by pseudonyms',
  }),
  /** Serves metrics at /_mock/metrics, to clients that may call the control plane (`control`) or to everybody (`open`). */
  metrics: row<'control' | 'open'>({
    kind: oneOf('control', 'open'),
    flag: '--metrics [access]',
    help: 'collect metrics and serve them to Prometheus at /_mock/metrics, as the control plane or open to everybody',
    choices: ['control', 'open'],
  }),
  /** Sees every exchange once it is over, but for those of `mock.fetch`. */
  observe: row<Observer>({ kind: kinds.function }),
  /** Told what somebody who runs the mock should know. Default: lines on stderr. */
  log: row<Log>({ kind: kinds.function }),
};

export const mockOptions = { ...worldOptions, ...ofMock };

export type MockOptions = WorldOptions & OptionsOf<typeof ofMock>;

const ofListener = {
  /** Default 0: any free port. */
  port: row<number>({
    kind: kinds.port,
    flag: '--port <number>',
    help: 'port to listen on; 0 for any free port (also env: PORT)',
    usually: 4010,
  }),
  /** Default 127.0.0.1. */
  host: row<string>({ kind: kinds.text, flag: '--host <address>', help: 'address to listen on', usually: '127.0.0.1' }),
  /** Serves HTTPS. Default: HTTP. */
  tls: row<TlsOptions>({
    kind: either(oneOf('self-signed'), kinds.object),
    flag: '--tls <kind>',
    help: 'serve HTTPS with a certificate generated at startup',
    choices: ['self-signed'],
    conflicts: ['tlsCert', 'tlsKey'],
  }),
};

export const listenOptions = { ...ofListener, ...mockOptions };

export type ListenOptions = MockOptions & OptionsOf<typeof ofListener>;

export interface Observed {
  readonly method: string;
  /** As sent, with sandbox prefix and query. */
  readonly url: string;
  /** Undefined if the connection was closed before the whole response was sent. */
  readonly status: number | undefined;
  /** Value of the header X-Mock-Basis. */
  readonly basis: string;
  readonly milliseconds: number;
  /** Milliseconds of armed delays in these. */
  readonly delayMs: number;
  /** Id of the API's operation; undefined for other requests. */
  readonly operation: string | undefined;
  /** Ids of the faults that affected it. */
  readonly faults: readonly string[];
  readonly isPreflight: boolean;
  /** The origin of the page that sent it, if that is neither local nor allowed by `cors`. */
  readonly refusedOrigin: string | undefined;
}

export type Observer = (observed: Observed) => void;
