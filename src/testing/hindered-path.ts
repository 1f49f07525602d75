import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What gets lost: a message before it arrives, or its reply; the connection then ends. Or all replies from then on: it stays open, and silent. */
interface Loss {
  readonly lost: 'request' | 'reply' | 'replies';
  /** Part of the message. */
  readonly of: string;
  /** Runs after the message has arrived and before its sender sees that the connection is gone. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** A TCP proxy that forwards everything until it gets a command to disturb. It never changes or reorders data. */
export class HinderedPath implements AsyncDisposable {
  delayMs = 0;
  /** New connections are dropped. */
  refuses = false;
  readonly losses = { request: 0, reply: 0, replies: 0 };
  private next: Loss | undefined;
  private held: Promise<void> | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async to(port: number): Promise<HinderedPath> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const path = new HinderedPath(server);
    server.on('connection', (client) => {
      if (path.refuses) client.destroy();
      else path.join(client, connect(port, '127.0.0.1'));
    });
    return path;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  lose(loss: Loss): void {
    this.next = loss;
  }

  /** Holds everything back for a time: connections stay open and silent. */
  async hold(milliseconds: number): Promise<void> {
    this.held = sleep(milliseconds);
    await this.held;
    this.held = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close();
    this.cut();
  }

  private join(client: Socket, upstream: Socket): void {
    let losing: Loss | undefined;
    const end = (): void => {
      for (const socket of [client, upstream]) {
        this.sockets.delete(socket);
        socket.destroy();
      }
    };
    const pass = (from: Socket, to: Socket, isLost: (piece: Buffer) => Promise<Loss['lost'] | undefined>): void => {
      this.sockets.add(from);
      let tail: Promise<unknown> = Promise.resolve();
      from.on('data', (piece: Buffer) => {
        const arrivedAt = performance.now();
        tail = tail.then(async () => {
          const left = arrivedAt + this.delayMs - performance.now();
          if (left > 0) await sleep(left);
          while (this.held) await this.held;
          if (to.destroyed) return;
          const lost = await isLost(piece);
          if (lost === undefined) to.write(piece);
          else if (lost !== 'replies') end();
        });
      });
      from.on('error', end).on('close', end);
    };
    pass(client, upstream, async (sent) => {
      if (!this.next || !sent.includes(this.next.of)) return undefined;
      losing = this.next;
      this.next = undefined;
      this.losses[losing.lost] += 1;
      return losing.lost === 'request' ? 'request' : undefined;
    });
    pass(upstream, client, async () => {
      await losing?.meanwhile?.();
      return losing?.lost;
    });
  }
}
