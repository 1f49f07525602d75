import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testFolder } from '../../contract-tests/testing/folder.ts';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;

/** Why tests with a Redis cannot run here; CI must have one. */
export const noRedis: string | undefined =
  isInstalled || process.env.CI === 'true' ? undefined : 'redis-server is not installed';

export class RedisServer implements AsyncDisposable {
  private process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly options: readonly string[],
  ) {}

  /** @param options of redis-server, e.g. `--appendonly yes` */
  static async start(...options: readonly string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), testFolder(), options);
    await server.run();
    return server;
  }

  /** A Sentinel that watches a master alone. It fails over on command only: a master on a busy machine may be silent for long. */
  static async sentinel(name: string, port: number): Promise<RedisServer> {
    const folder = testFolder();
    const file = join(folder, 'sentinel.conf');
    const settings = { 'down-after-milliseconds': 600_000, 'failover-timeout': 600_000 };
    const lines = Object.entries(settings).map(([setting, value]) => `sentinel ${setting} ${name} ${value}\n`);
    writeFileSync(file, `sentinel monitor ${name} 127.0.0.1 ${port} 1\n${lines.join('')}`);
    const server = new RedisServer(await freePort(), folder, []);
    await server.run([file, '--sentinel']);
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it with what it has kept. */
  async run(first: readonly string[] = ['--save', '']): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder];
    this.process = spawn('redis-server', [...first, ...options, ...this.options], { stdio: 'ignore' });
    for (let tries = 0; !(await this.isUp()); tries += 1) {
      if (tries === 500 || this.process.exitCode !== null) throw new Error('redis-server did not start');
      await sleep(20);
    }
  }

  private isUp(): Promise<boolean> {
    const pong = this.command('PING').then(
      (reply) => reply.startsWith('+PONG'),
      () => false,
    );
    // Another program that took the port meanwhile may never answer.
    return Promise.race([pong, sleep(5000, false)]);
  }

  async kill(): Promise<void> {
    const { process } = this;
    this.process = undefined;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    process.kill('SIGKILL');
    await once(process, 'exit');
  }

  /** Halts it, like a machine that swaps, or continues it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.process?.kill(signal);
  }

  async command(...words: readonly string[]): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    const text = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('');
    socket.write(`*${words.length}\r\n${text}`);
    // A Sentinel closes the connections of a replica that becomes the master.
    const closed = once(socket, 'close').then(() => Promise.reject(new Error('closed without an answer')));
    const [reply] = (await Promise.race([once(socket, 'data'), closed])) as [Buffer];
    socket.destroy();
    return reply.toString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
