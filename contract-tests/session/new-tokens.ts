import type { Answer } from '../values/answer.ts';
import { now, sleep } from '../wire/time.ts';

/** How long a deployment may need until all its instances show a write, and know a new token. */
const PATIENCE_MS = 3_000;
/** Waits between two looks, in milliseconds: together that long. */
export const WAITS = [100, 200, 400, 800, 1_500];

/** Tokens handed out just now: another instance may not know one yet, so a refusal counts only when it lasts. */
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
  async askAgain(token: string, first: Answer, send: () => Promise<Answer>): Promise<Answer> {
    const madeAt = this.#madeAt.get(token);
    const isNew = (): boolean => madeAt !== undefined && now() - madeAt <= PATIENCE_MS;
    const isRefused = ({ response }: Answer): boolean => response.status === 401;
    if (!isRefused(first) || this.#isInVain || !isNew()) return first;
    let answer = first;
    for (const wait of WAITS) {
      if (!isRefused(answer) || !isNew()) break;
      await sleep(wait);
      answer = await send();
    }
    this.#isLagging ||= !isRefused(answer);
    this.#isInVain = !this.#isLagging;
    return answer;
  }
}
