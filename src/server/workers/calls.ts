import type { Socket } from 'node:net';

/** One end of Node's channel between two processes: a child process, or `process` in it. */
export interface Channel {
  send?(message: unknown, handle?: Socket, options?: undefined, sent?: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
}

/** What one end answers, by name. */
export type Answers = object;

type Asked<Theirs, Name extends keyof Theirs> = Theirs[Name] extends (argument: infer Argument) => infer Answer
  ? { readonly argument: Argument; readonly answer: Awaited<Answer> }
  : never;

type Message =
  | { readonly ask: number; readonly name: string; readonly argument: unknown }
  | { readonly answer: number; readonly value?: unknown; readonly error?: string }
  | { readonly bytes: Uint8Array };

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** Calls between the primary and a worker, in both directions, and connections handed from one to the other. */
export class Calls<Theirs extends Answers> {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  /**
   * @param ours functions of one argument, by the names under which the other end calls them
   * @param onConnection takes a connection, and the bytes that were read of it
   */
  constructor(
    private readonly channel: Channel,
    ours: Answers,
    onConnection?: (socket: Socket, bytes: Uint8Array) => void,
  ) {
    channel.on('message', (sent, handle) => {
      const message = sent as Message;
      if ('ask' in message) void this.reply(ours, message);
      else if ('answer' in message) this.settle(message);
      // The connection may be gone by now.
      else if (handle) onConnection?.(handle as Socket, message.bytes);
    });
  }

  /**
   * Calls a function of the other end.
   * @throws Error that it threw, or that the other end is gone
   */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    argument: Asked<Theirs, Name>['argument'],
  ): Promise<Asked<Theirs, Name>['answer']> {
    this.last += 1;
    const ask = this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(ask, { resolve, reject });
      this.send({ ask, name, argument }, (error) => this.waiting.delete(ask) && reject(error));
    });
  }

  /** Hands a connection to the other end. This process must have stopped reading it. */
  hand(socket: Socket, bytes: Uint8Array): void {
    this.send({ bytes }, () => socket.destroy(), socket);
  }

  /** The other end is gone: nothing will be answered. */
  end(reason: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
  }

  private send(message: Message, failed: (error: Error) => void, socket?: Socket): void {
    this.channel.send?.(message, socket, undefined, (error) => {
      if (error) failed(error);
    });
  }

  private async reply(ours: Answers, { ask, name, argument }: Extract<Message, { ask: number }>): Promise<void> {
    // The other end gives no more answers than these: gone.
    const unheard = (): void => {};
    try {
      const answer = (ours as Readonly<Record<string, (argument: unknown) => unknown>>)[name];
      this.send({ answer: ask, value: await answer?.(argument) }, unheard);
    } catch (error) {
      this.send({ answer: ask, error: error instanceof Error ? error.message : String(error) }, unheard);
    }
  }

  private settle({ answer, value, error }: Extract<Message, { answer: number }>): void {
    const waiting = this.waiting.get(answer);
    this.waiting.delete(answer);
    if (error === undefined) waiting?.resolve(value as never);
    else waiting?.reject(new Error(error));
  }
}
