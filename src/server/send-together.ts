import type { Log } from '../core/world/world.ts';

interface Waiting {
  readonly work: () => void;
  readonly log: Log;
}

const sends: Waiting[] = [];
const rests: Waiting[] = [];

/**
 * Sends an answer once all requests that came in together were handled, together with their answers. What is sent first
 * wakes whoever waits for it, which costs more than all else that an answer needs; sent between requests, each would.
 * @param rest what nobody waits for: done when all of them are out
 */
export function sendTogether(send: () => void, rest: () => void, log: Log): void {
  rests.push({ work: rest, log });
  // Immediates run when all sockets with something to read were read.
  if (sends.push({ work: send, log }) === 1) setImmediate(finish);
}

function finish(): void {
  // What is added meanwhile waits for the next time.
  for (const { work, log } of [...sends.splice(0), ...rests.splice(0)]) {
    try {
      work();
    } catch (error) {
      // Nobody is above an immediate: it would end the process, and with it all the others' answers.
      log('error', `BUG: an answer could not be sent: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
}
