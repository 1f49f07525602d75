import { now } from '../wire/time.ts';
import { PATIENCE_MS, settled } from './patience.ts';

/**
 * Tokens that the target has just handed out: another instance of it may not know one yet, so a refusal of it counts only
 * when it lasts.
 */
export class NewTokens {
  readonly #madeAt = new Map<string, number>();
  /** Whether a new token stayed refused: then the target refuses it for another reason, and waiting for others is in vain. */
  #isInVain = false;
  /** Whether a new token was accepted that had been refused. */
  #isLagging = false;

  /** Notes a token that was handed out now. */
  note(token: string): void {
    if (!this.#madeAt.has(token)) this.#madeAt.set(token, now());
  }

  /** Repeats a refused request while its token is new, and gives the last answer. */
  async askAgain<T>(token: string, first: T, isRefused: (answer: T) => boolean, send: () => Promise<T>): Promise<T> {
    const madeAt = this.#madeAt.get(token);
    const isNew = (): boolean => madeAt !== undefined && now() - madeAt <= PATIENCE_MS;
    if (madeAt === undefined || !isRefused(first) || this.#isInVain || !isNew()) return first;
    const answer = await settled(send, (seen) => !isRefused(seen) || !isNew(), first);
    this.#isLagging ||= !isRefused(answer);
    this.#isInVain = !this.#isLagging;
    return answer;
  }
}
