import { rmSync } from 'node:fs';
import { Agent, createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { Socket } from 'node:net';
import { ConfigError } from '../../core/spec/config-error.ts';
import type { ForkSource, OtherWorlds } from '../../core/world/other-worlds.ts';
import { imageOf, stateOf, type WorldState } from '../../core/world/state.ts';
import { sandboxName, type Worlds } from '../../core/world/worlds.ts';
import { keepAliveTimeout, type Open } from '../listen.ts';
import { Calls, type Channel } from './calls.ts';
import { ownerOf, ownerOfUrl, sandboxesIn } from './owner.ts';
import { passOn, restoreClient } from './pass-on.ts';
import type { ImageAnswer, Place, PrimaryAnswers, WorkerAnswers } from './protocol.ts';
import { Reservations } from './reservations.ts';

/** What a worker does beside answering requests. */
interface Duties {
  /** Reads profile, fixtures and routes again. */
  reload(): Promise<void>;
  /** Closes the mock. */
  close(): Promise<void>;
}

const loadSandboxes = () => import('../../control/handlers/sandboxes.ts');

/** This process as one of the workers of a server: it answers for its worlds, and passes on what is for those of others. */
export class Worker implements OtherWorlds {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly connections = new Set<Socket>();
  private readonly reservations: Reservations;
  private duties: Duties | undefined;

  private constructor(
    private readonly calls: Calls<PrimaryAnswers>,
    readonly place: Place,
    private readonly worlds: Worlds,
    private readonly server: Server,
    private readonly listener: RequestListener,
  ) {
    this.reservations = new Reservations(calls, worlds);
  }

  /** How a mock in this process gets its requests: the primary hands over connections, and the other workers pass on requests. */
  static async open(channel: Channel): Promise<{ place: Place; open: Open; opened: () => Worker }> {
    let worker: Worker | undefined;
    const opened = (): Worker => {
      if (!worker) throw new Error('the worker takes no requests yet');
      return worker;
    };
    const answers: WorkerAnswers = {
      image: (source) => opened().imageHere(source),
      sandboxes: async () => (await loadSandboxes()).summaries(opened().worlds),
      deleteSandboxes: async () => (await loadSandboxes()).deleteAll(opened().worlds),
      origin: (state) => opened().setOrigin(state),
      reload: async () => opened().duties?.reload(),
      makeRoom: () => opened().worlds.deleteIdle(),
      drain: (timeoutMs) => opened().drain(timeoutMs),
      stop: () => void opened().stop(),
    };
    const calls = new Calls<PrimaryAnswers>(channel, answers, (socket, bytes) => opened().take(socket, bytes));
    const place = await calls.ask('place', undefined);
    const open: Open = async (listener, { credentials }, worlds) => {
      const options = { keepAliveTimeout };
      const routed: RequestListener = (request, response) => worker?.route(request, response);
      const server = credentials ? createHttps({ ...options, ...credentials }, routed) : createHttp(options, routed);
      // It never listens, and so would not look after connections whose requests do not come.
      server.emit('listening');
      worker = new Worker(calls, place, worlds, server, listener);
      const peers = await worker.start();
      const close = (): Promise<number> =>
        new Promise((done) => {
          peers.close(() => done(0));
          peers.closeAllConnections();
        });
      return { server, port: place.port, close };
    };
    return { place, open, opened };
  }

  /** Says that it takes requests; resolves once all workers do. */
  async ready(duties: Duties): Promise<void> {
    this.duties = duties;
    if (this.place.isReplacement && this.place.index === 0) await this.originChanged();
    await this.calls.ask('ready', undefined);
  }

  /** Has the other workers read profile, fixtures and routes again. */
  async reloadOthers(): Promise<void> {
    await this.calls.ask('reload', undefined);
    await this.originChanged();
  }

  holds(name: string): boolean {
    return ownerOf(name, this.place.paths.length) !== this.place.index;
  }

  imageOf(source: ForkSource): Promise<ImageAnswer> {
    return this.calls.ask('image', source);
  }

  count(): Promise<number> {
    return this.calls.ask('count', undefined);
  }

  sandboxes() {
    return this.calls.ask('sandboxes', undefined);
  }

  deleteSandboxes(): Promise<void> {
    return this.calls.ask('deleteSandboxes', undefined);
  }

  originChanged(): Promise<void> {
    return this.calls.ask('origin', stateOf(this.worlds.main.origin));
  }

  private async start(): Promise<Server> {
    const { worlds, place } = this;
    worlds.services.others = this;
    if (place.origin && place.index > 0) await this.setOrigin(place.origin);
    const path = place.paths[place.index] ?? '';
    // Of the one before it, which had no time to remove it.
    rmSync(path, { force: true });
    // As long as it takes: the worker that passes a request on watches over its client.
    const unlimited = { requestTimeout: 0, headersTimeout: 0, maxHeaderSize: 65_536, requireHostHeader: false };
    const peers = createHttp({ ...unlimited, keepAliveTimeout }, (request, response) => {
      restoreClient(request);
      this.answer(request, response);
    });
    return new Promise((resolve, reject) => {
      peers.once('error', (error) => reject(new ConfigError([`cannot listen on ${path}: ${error.message}`])));
      peers.listen(path, () => resolve(peers));
    });
  }

  private take(socket: Socket, bytes: Uint8Array): void {
    this.connections.add(socket);
    socket.once('close', () => this.connections.delete(socket));
    socket.allowHalfOpen = true;
    // Given back: the server reads the request from its first byte.
    if (bytes.length > 0) socket.unshift(bytes);
    this.server.emit('connection', socket);
  }

  private readonly route: RequestListener = (request, response) => {
    const owner = ownerOfUrl(request.url ?? '/', this.place.paths.length);
    if (owner === this.place.index) this.answer(request, response);
    else passOn(request, response, { socketPath: this.place.paths[owner] ?? '', agent: this.agent });
  };

  /** Answers a request for a world of this process. One that may make a sandbox asks first whether the limit has room. */
  private readonly answer: RequestListener = (request, response) => {
    const names = sandboxesIn(request.url ?? '/').filter((name) => this.isNewHere(name));
    if (names.length === 0) return void this.listener(request, response);
    const reserved = Promise.all(names.map((name) => this.reservations.reserve(name)));
    response.once('close', async () => {
      for (const release of await reserved) release();
    });
    void reserved.then(() => this.listener(request, response));
  };

  /** Whether a sandbox belongs here and does not exist. */
  private isNewHere(name: string): boolean {
    return sandboxName.test(name) && !this.worlds.find(name) && !this.holds(name);
  }

  private async imageHere(source: ForkSource): Promise<ImageAnswer> {
    const { world: name } = source;
    const { imageHere } = await loadSandboxes();
    const release = source.isAddressed && this.isNewHere(name) ? await this.reservations.reserve(name) : undefined;
    try {
      return { state: stateOf(imageHere(this.worlds, source)) };
    } catch (error) {
      return { missing: error instanceof Error ? error.message : String(error) };
    } finally {
      release?.();
    }
  }

  /** New sandboxes start from that. */
  private async setOrigin(state: WorldState): Promise<void> {
    const { main, seeds } = this.worlds;
    if (this.place.index === 0 || JSON.stringify(stateOf(main.origin)) === JSON.stringify(state)) return;
    await seeds.prepare(state.recordings);
    main.restart(imageOf(state, seeds));
  }

  private async drain(timeoutMs: number): Promise<void> {
    const { server, connections, worlds } = this;
    worlds.close();
    // Those that are idle now, and those that are when their answer has gone.
    server.keepAliveTimeout = 1;
    server.closeIdleConnections();
    const late = setTimeout(() => {
      for (const socket of connections) socket.destroy();
    }, timeoutMs);
    await Promise.all([...connections].map((socket) => new Promise<void>((done) => socket.once('close', done))));
    clearTimeout(late);
  }

  private async stop(): Promise<void> {
    this.agent.destroy();
    await this.duties?.close();
    process.exit(0);
  }
}
