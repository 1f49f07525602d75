import type { AddressInfo, Server } from 'node:net';
import type { WorldState } from '../../core/world/state.ts';
import type { Log } from '../../core/world/world.ts';
import { unavailable } from '../listen.ts';
import { credentialsOf, type TlsOptions } from '../tls.ts';
import { ownerOf, ownerOfUrl } from './owner.ts';
import { blindServer, type OnConnection, peekingServer } from './peek.ts';
import type { Place, PrimaryAnswers } from './protocol.ts';
import { socketPaths } from './socket-paths.ts';
import { type Ending, type WorkerCommand, WorkerProcess } from './worker-process.ts';

export interface PrimaryOptions {
  /** Number of workers, at least 2. */
  readonly workers: number;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly tls: TlsOptions | undefined;
  /** Maximum number of sandboxes in all. */
  readonly sandboxLimit: number;
  readonly command: WorkerCommand;
  readonly log: Log;
}

interface Running {
  readonly ended: Promise<number>;
  stop(timeoutMs?: number): void;
  kill(): void;
}

/** How long requests in flight may take when the server ends, where nobody says. */
const drainMs = 2000;

/** A worker that ends sooner after it has taken the place of another one has the same reason to. */
const atOnceMs = 10_000;
/** Exit code of a server that could not go on. */
const failed = 3;

/** The process that owns the port: it starts the workers, hands them connections, and knows which sandboxes there are. */
export class Primary {
  private readonly processes: WorkerProcess[] = [];
  /** The worker of each sandbox, in order of creation. */
  private readonly sandboxes = new Map<string, number>();
  private origin: WorldState | undefined;
  private ending: Promise<number> | undefined;
  private finish: (exitCode: number) => void = () => {};
  private allReady: () => void = () => {};
  private readonly readiness = new Promise<void>((resolve) => {
    this.allReady = resolve;
  });

  private constructor(
    private readonly options: PrimaryOptions,
    private readonly server: Server,
    private readonly credentials: Place['credentials'],
    private readonly sockets: ReturnType<typeof socketPaths>,
  ) {}

  /**
   * Listens and starts the workers.
   * @returns the exit code, once all has ended, and what ends it: after what is in flight, or at once
   * @throws ConfigError if the address or the certificate cannot be used
   */
  static async start(options: PrimaryOptions): Promise<Running> {
    const { host, port, tls } = options;
    const credentials = tls && (await credentialsOf(tls, host));
    let primary: Primary | undefined;
    const onConnection: OnConnection = (socket, bytes, target) => primary?.hand(socket, bytes, target);
    // What is encrypted cannot be read here, and on Windows no process can take over a connection that another one has read.
    const isBlind = credentials !== undefined || process.platform === 'win32';
    const server = isBlind ? blindServer(onConnection) : peekingServer(onConnection);
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(unavailable(error, host, port)));
      server.listen(port, host, resolve);
    });
    primary = new Primary(options, server, credentials, socketPaths(options.workers));
    const running = primary;
    const ended = new Promise<number>((resolve) => {
      running.finish = resolve;
    });
    for (let index = 0; index < options.workers; index += 1) running.launch(index, false);
    return {
      ended: ended.finally(running.sockets.remove),
      stop: (timeoutMs) => void running.stop(0, timeoutMs),
      kill: () => running.kill(),
    };
  }

  private next = 0;

  private readonly hand: OnConnection = (socket, bytes, target) => {
    const { workers } = this.options;
    const index = bytes.length === 0 ? this.next++ % workers : ownerOfUrl(target, workers);
    if (this.ending || !this.processes[index]) socket.destroy();
    else this.processes[index].hand(socket, bytes);
  };

  private launch(index: number, isReplacement: boolean): void {
    const worker = new WorkerProcess(this.options.command, this.answersFor(index, isReplacement));
    this.processes[index] = worker;
    // The others would say the same of options and files that cannot be used.
    if (index === 0 || isReplacement) worker.show();
    void worker.ended.then((ending) => this.onEnd(index, worker, ending, isReplacement));
  }

  private async onEnd(index: number, worker: WorkerProcess, ending: Ending, isReplacement: boolean): Promise<void> {
    worker.calls.end('the worker has ended');
    if (this.ending) return;
    const { log } = this.options;
    const lost = this.sandboxesOf(index);
    for (const name of lost) this.sandboxes.delete(name);
    if (!worker.isReady && !isReplacement) {
      // Of what is wrong for all the first one tells.
      const [first = worker] = this.processes;
      await Promise.race([first.ended, first.readiness]);
      if (first.isReady || first === worker) worker.show();
      return void this.stop(typeof ending === 'number' && ending !== 0 ? ending : failed);
    }
    const worlds = [...(index === 0 ? ['the main world'] : []), ...lost.map((name) => `/~${name}`)].join(', ');
    const what = `worker ${index} of ${this.options.workers} ended unexpectedly (${typeof ending === 'number' ? `exit code ${ending}` : ending})`;
    const loss = worlds === '' ? 'it held no world' : `lost with all that was in them: ${worlds}`;
    if (isReplacement && Date.now() - (worker.readyAt ?? Date.now()) < atOnceMs) {
      log('error', `ERROR: ${what}, again, soon after it was started anew; ${loss}; stopping`);
      return void this.stop(failed);
    }
    log('error', `ERROR: ${what}; ${loss}; starting it anew`);
    if (index === 0) this.origin = undefined;
    this.launch(index, true);
  }

  private sandboxesOf(index: number): string[] {
    return [...this.sandboxes].flatMap(([name, worker]) => (worker === index ? [name] : []));
  }

  /** Ends all, once: what is in flight first, then the workers. */
  private stop(exitCode: number, timeoutMs = drainMs): Promise<number> {
    this.ending ??= this.end(exitCode, timeoutMs);
    return this.ending;
  }

  private async end(exitCode: number, timeoutMs: number): Promise<number> {
    this.server.close();
    const started = this.processes.filter(({ isReady }) => isReady);
    for (const worker of this.processes) if (!worker.isReady) worker.kill();
    // First all of them: one that had ended could not answer what another one passes on.
    await Promise.allSettled(started.map(({ calls }) => calls.ask('drain', timeoutMs)));
    await Promise.allSettled(started.map(({ calls }) => calls.ask('stop', undefined)));
    await Promise.all(this.processes.map(({ ended }) => ended));
    this.finish(exitCode);
    return exitCode;
  }

  private kill(): void {
    for (const worker of this.processes) worker.kill();
    this.sockets.remove();
  }

  private answersFor(index: number, isReplacement: boolean): PrimaryAnswers {
    const all = () => this.processes.filter(({ isReady }) => isReady);
    const others = () => all().filter((worker) => worker !== this.processes[index]);
    return {
      place: () => {
        const { port } = this.server.address() as AddressInfo;
        return {
          index,
          port,
          credentials: this.credentials,
          paths: this.sockets.paths,
          origin: this.origin,
          isReplacement,
        };
      },
      ready: async () => {
        this.processes[index]?.markReady();
        if (this.processes[0]?.isReady) for (const worker of this.processes) worker.show();
        if (all().length === this.options.workers) this.allReady();
        await this.readiness;
      },
      reserve: (name) => this.reserve(index, name),
      release: (name) => {
        if (this.sandboxes.get(name) === index) this.sandboxes.delete(name);
      },
      image: async (source) => {
        const owner = this.processes[ownerOf(source.world, this.options.workers)];
        return owner?.calls.ask('image', source) ?? { missing: 'The process of that world has ended.' };
      },
      count: () => this.sandboxes.size,
      sandboxes: async () => {
        const found = (await Promise.all(all().map(({ calls }) => calls.ask('sandboxes', undefined)))).flat();
        const places = new Map([...this.sandboxes.keys()].map((name, place) => [name, place]));
        return found.sort((a, b) => (places.get(a.name) ?? 0) - (places.get(b.name) ?? 0));
      },
      deleteSandboxes: async () => {
        await Promise.all(all().map(({ calls }) => calls.ask('deleteSandboxes', undefined)));
      },
      origin: async (state) => {
        this.origin = state;
        await Promise.all(others().map(({ calls }) => calls.ask('origin', state)));
      },
      reload: async () => {
        await Promise.all(others().map(({ calls }) => calls.ask('reload', undefined)));
      },
    };
  }

  private async reserve(index: number, name: string): Promise<boolean> {
    const { sandboxLimit } = this.options;
    if (this.sandboxes.size >= sandboxLimit && !this.sandboxes.has(name))
      await Promise.allSettled(this.processes.map(({ calls }) => calls.ask('makeRoom', undefined)));
    if (this.sandboxes.size >= sandboxLimit && !this.sandboxes.has(name)) return false;
    this.sandboxes.set(name, index);
    return true;
  }
}
