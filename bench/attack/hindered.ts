import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP proxy that passes everything on, until it is told to do it badly. Nothing that passes is changed or reordered. */
export class HinderedPath implements AsyncDisposable {
  /** How long each piece is kept, in milliseconds. */
  delayMs = 0;
  /** New connections are dropped. */
  refuses = false;
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

  /** Ends all connections, in the middle of whatever they carry. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Holds everything back for a time: connections stay, and nothing comes. */
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
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      let tail: Promise<unknown> = Promise.resolve();
      from.on('data', (piece: Buffer) => {
        tail = tail.then(() => this.wait()).then(() => to.destroyed || to.write(piece));
      });
      const end = (): void => {
        this.sockets.delete(from);
        to.destroy();
      };
      from.on('error', end).on('close', end);
    }
  }

  private async wait(): Promise<void> {
    if (this.delayMs > 0) await sleep(this.delayMs);
    while (this.held) await this.held;
  }
}
