import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What gets lost of a message: itself, before it arrives, or the reply to it. */
interface Loss {
  readonly lost: 'request' | 'reply';
  /** Part of the message. */
  readonly of: string;
  /** Runs after the message has arrived, before the client learns that its connection is gone. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** A TCP proxy that passes everything on, but drops the connection once where it is told to. */
export class LossyProxy implements AsyncDisposable {
  /** How often something was lost. */
  losses = 0;
  private next: Loss | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async to(port: number): Promise<LossyProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new LossyProxy(server);
    server.on('connection', (client) => proxy.join(client, connect(port, '127.0.0.1')));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Drops the connection at the next message like that. */
  lose(loss: Loss): void {
    this.next = loss;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private join(client: Socket, upstream: Socket): void {
    let losing: Loss | undefined;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (sent: Buffer) => {
      if (!losing && this.next && sent.includes(this.next.of)) {
        losing = this.next;
        this.next = undefined;
        this.losses += 1;
        if (losing.lost === 'request') return end();
      }
      upstream.write(sent);
    });
    upstream.on('data', (reply: Buffer) => {
      if (!losing) return client.write(reply);
      const { meanwhile } = losing;
      upstream.pause();
      return meanwhile ? void meanwhile().finally(end) : end();
    });
  }
}
