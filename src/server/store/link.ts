import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisClientOptions } from 'redis';
import { asText } from '../../../contract-tests/values/json.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import type { Log } from '../../core/world/world.ts';
import { StoreUnavailable } from '../../core/world/world-store.ts';
import type { Address } from './address.ts';
import type { Script } from './scripts.ts';

/** The used part of the package's clients, which differ in how a command is sent. */
interface Client {
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  destroy(): unknown;
  close(): Promise<unknown> | unknown;
  subscribe(channel: string, listener: Listener): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'ready', listener: () => void): unknown;
}

type Listener = (message: string) => void;
type Send = (key: string, words: readonly string[]) => Promise<unknown>;

/** Timeout of a reply, in milliseconds. */
const patience = 1000;
/** A busy machine takes its time to find the master behind a Sentinel. */
const connectPatience = 20_000;
/** A connection without replies is dead, even if its socket is open: a new one may work. */
const pingEvery = 400;
/** Longer than this process may be stopped without losing the replies that wait for it. */
const silence = 3500;

/** A connection to Redis. Commands of one turn go out in one write. Fails at once while disconnected, and reconnects. */
export class RedisLink {
  private why: string | undefined;
  private isClosed = false;
  /** Number of commands without a reply, and since when there was none. */
  private waiting = 0;
  private unheardSince = 0;
  /** Nothing is sent until a reply comes or the connection ends, which it does only while nothing is sent. */
  private isSilent = false;

  private constructor(
    private readonly client: Client,
    private readonly send: Send,
    readonly isCluster: boolean,
  ) {}

  /** @throws ConfigError if Redis or its package is missing */
  static async connect(address: Address, log: Log): Promise<RedisLink> {
    const { client, send } = clientFor(address, await loadPackage());
    const link = new RedisLink(client, send, address.kind === 'cluster');
    let isUp = false;
    const refused = new Promise<never>((_done, reject) => {
      client.on('error', (error) => {
        if (isUp && link.why === undefined) log('error', `the store ${address.shown} is away: ${error.message}`);
        link.why = reasonOf(error);
        // Connecting again would not help.
        if (/^(WRONGPASS|NOAUTH|NOPERM|ERR .*password)/.test(link.why)) reject(error);
      });
    });
    const late = sleep(connectPatience, undefined, { ref: false }).then(() => {
      throw new Error(link.why ?? 'it does not answer');
    });
    try {
      await Promise.race([client.connect(), refused, late]);
      const info = asText(await link.call('', ['INFO']));
      for (const warning of warningsOf(info)) log('error', `the store ${address.shown} ${warning}`);
      const [, version = '0'] = /redis_version:(\d+)/.exec(info) ?? [];
      if (Number(version) > 0 && Number(version) < 6)
        throw new Error(`it is version ${version}, and must be 6 or newer`);
    } catch (error) {
      client.destroy();
      throw new ConfigError([`the store ${address.shown} cannot be used: ${link.why ?? reasonOf(error as Error)}`]);
    }
    isUp = true;
    link.why = undefined;
    client.on('ready', () => {
      if (link.why !== undefined) log('info', `the store ${address.shown} is back`);
      link.why = undefined;
    });
    return link;
  }

  get isReady(): boolean {
    return this.client.isReady && !this.isClosed && !this.isSilent;
  }

  /** Why nothing can be sent; undefined if it can. */
  get problem(): string {
    return `the store is away (${this.why ?? (this.isSilent ? 'it does not answer' : 'not connected')})`;
  }

  /** Runs a script on keys of one slot; throws StoreUnavailable, with `isUncertain` if it may have run. */
  async run(script: Script, keys: readonly string[], words: readonly (string | number)[]): Promise<readonly unknown[]> {
    const rest = [String(keys.length), ...keys, ...words.map(String)];
    const [key = ''] = keys;
    try {
      return (await this.call(key, ['EVALSHA', script.sha, ...rest])) as unknown[];
    } catch (error) {
      if (!/NOSCRIPT/.test((error as Error).message)) throw error;
      return (await this.call(key, ['EVAL', script.text, ...rest])) as unknown[];
    }
  }

  /** Sends a command to the node of `key` in a cluster; throws StoreUnavailable. */
  async call(key: string, words: readonly string[]): Promise<unknown> {
    if (this.isClosed || this.isSilent) throw new StoreUnavailable(this.problem);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_done, reject) => {
      const give = (): void => {
        this.isSilent = performance.now() - this.unheardSince > 2 * patience;
        reject(new StoreUnavailable(`the store did not answer within ${patience} ms`, true));
      };
      // If this process was busy for so long, the reply may have arrived unread.
      timer = setTimeout(() => {
        timer = setTimeout(give, 20);
      }, patience);
    });
    try {
      if (this.waiting === 0) this.unheardSince = performance.now();
      this.waiting += 1;
      const sent = this.send(key, words).finally(() => {
        this.waiting -= 1;
        this.unheardSince = performance.now();
        this.isSilent = false;
      });
      return await Promise.race([sent, late]);
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : this.unavailable(error as Error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Hears what is published to a channel while connected, until the returned function is called. */
  listen(channel: string, listener: Listener): () => void {
    this.client.subscribe(channel, listener).catch(() => {});
    return () => void this.client.unsubscribe(channel).catch(() => {});
  }

  /** Closes it after the pending replies. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (!this.client.isReady) this.client.destroy();
    else await Promise.race([this.client.close(), new Promise((done) => setTimeout(done, patience).unref())]);
  }

  private unavailable(error: Error): StoreUnavailable {
    const { name } = error.constructor;
    // Refused or not sent: nothing happened. Other errors occur while waiting for a reply.
    if (/^(SimpleError|BlobError|ErrorReply)$/.test(name))
      return new StoreUnavailable(`the store refuses it (${error.message})`);
    if (/^(ClientOfflineError|ClientClosedError|RootNodesUnavailableError)$/.test(name))
      return new StoreUnavailable(this.problem);
    return new StoreUnavailable(`the connection to the store was lost (${reasonOf(error)})`, true);
  }
}

/** Settings under which Redis loses what it acknowledged. */
function warningsOf(info: string): string[] {
  const [, policy = 'noeviction'] = /maxmemory_policy:([\w-]+)/.exec(info) ?? [];
  return [
    ...(/aof_enabled:0/.test(info)
      ? ['runs with "appendonly no": what it acknowledged is lost when it is killed']
      : []),
    ...(policy === 'noeviction'
      ? []
      : [`runs with a maxmemory-policy of ${policy}: it deletes worlds in use when memory is short; use noeviction`]),
  ];
}

const reasonOf = (error: Error & { readonly code?: string }): string =>
  error.message || error.code || (error instanceof AggregateError ? reasonOf(error.errors[0] as Error) : error.name);

async function loadPackage(): Promise<typeof import('redis')> {
  try {
    return await import('redis');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError([
      'a store needs the package redis, which is not installed with the mock; run:  npm install redis@6',
    ]);
  }
}

/** Backoff with jitter, so that replicas do not reconnect in step. */
const reconnectStrategy = (retries: number): number => Math.min(20 * 2 ** retries, 500) * (0.5 + Math.random());

function clientFor(address: Address, redis: typeof import('redis')): { client: Client; send: Send } {
  const { kind, isTls, username, password, nodes, master, database } = address;
  // Without the package's own time limit, which is longer, and dear.
  const commandOptions = { timeout: undefined };
  const common = { disableOfflineQueue: true, pingInterval: pingEvery, commandOptions, RESP: 3 } as const;
  const socket = { connectTimeout: patience, socketTimeout: silence, reconnectStrategy };
  const login = { ...(username && { username }), ...(password && { password }) };
  const tls = isTls ? { tls: true as const } : {};
  if (kind === 'cluster') {
    const client = redis.createCluster({
      rootNodes: nodes.map((node) => ({ socket: { ...node, ...tls } })),
      defaults: { ...common, ...login, socket: { ...socket, ...tls } } as object,
      RESP: 3,
    });
    return { client, send: (key, words) => client.sendCommand(key, false, [...words]) };
  }
  if (kind === 'sentinel') {
    const client = redis.createSentinel({
      name: master,
      sentinelRootNodes: [...nodes],
      nodeClientOptions: {
        ...common,
        ...login,
        socket: { ...socket, ...tls },
        ...(database && { database }),
      } as object,
      sentinelClientOptions: { socket: { ...socket, ...tls } } as object,
      scanInterval: 1000,
      RESP: 3,
    });
    return { client, send: (_key, words) => client.sendCommand(false, [...words]) };
  }
  const { url } = address;
  const client = redis.createClient({ url, ...common, socket: socket as NonNullable<RedisClientOptions['socket']> });
  return { client, send: (_key, words) => client.sendCommand([...words]) };
}
