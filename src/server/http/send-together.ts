import { logError } from '../../log.ts';

const sends: (() => void)[] = [];
const rests: (() => void)[] = [];

/**
 * Sends an answer once all requests that came in together were seen to, together with their answers. What is sent first
 * wakes whoever waits for it, which costs more than all else that an answer needs; sent between requests, each would.
 * @param rest what nobody waits for: done when all of them are out
 */
export function sendTogether(send: () => void, rest: () => void): void {
  rests.push(rest);
  // Immediates run when all sockets with something to read were read.
  if (sends.push(send) === 1) setImmediate(finish);
}

function finish(): void {
  // What is added meanwhile waits for the next time.
  for (const work of [...sends.splice(0), ...rests.splice(0)]) {
    try {
      work();
    } catch (error) {
      // Nobody is above an immediate: it would end the process, and with it all the others' answers.
      logError(`BUG: an answer could not be sent: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
}
