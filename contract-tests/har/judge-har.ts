import type { CheckResult } from '../model.ts';
import type { Target } from '../session/target-file.ts';
import { Book } from './book.ts';
import type { Judge } from './judge.ts';
import { acceptingJudge } from './judge-accepting.ts';
import { answersJudge } from './judge-answers.ts';
import { identitiesJudge } from './judge-identities.ts';
import { keysJudge } from './judge-keys.ts';
import { recordingsJudge } from './judge-recordings.ts';
import { refusalsJudge } from './judge-refusals.ts';
import { tokensJudge } from './judge-tokens.ts';
import { OperationsIn, type Seen } from './operations-in.ts';
import type { Recorded } from './recorded.ts';
import { TokensSeen } from './tokens-seen.ts';

/** Judged where a recording shows something of it, and else left to the other checks of its requirement. */
const WHERE_SHOWN = ['keys-one-record', 'after-a-pause', 'auth-expired-jwt'];

/** Judges traffic as it comes, from a recording or from a proxy. */
export class TrafficJudge {
  readonly #book = new Book();
  readonly #tokens = new TokensSeen();
  readonly #judges: Judge[];
  readonly operations: OperationsIn;
  /** How many exchanges were of the API. */
  count = 0;

  /**
   * @param scopesPaths where the token scopes may be
   * @param target its base URL, else the API is looked for; and its actors, to know administrators by
   */
  constructor(scopesPaths: readonly string[], { baseUrl, actors = {} }: Partial<Target>) {
    this.operations = new OperationsIn(scopesPaths, baseUrl);
    this.#judges = [
      answersJudge(this.#book),
      acceptingJudge(this.#book),
      recordingsJudge(this.#book),
      keysJudge(this.#book),
      refusalsJudge(this.#book, this.#tokens),
      tokensJudge(this.#book, this.#tokens),
      identitiesJudge(this.#book, this.#tokens, actors),
    ];
  }

  /** Judges one more exchange, and says what it is of the API; undefined where it is elsewhere. */
  see(recorded: Recorded): Seen | undefined {
    const seen = this.operations.find(recorded);
    if (!seen) return undefined;
    this.count += 1;
    for (const judge of this.#judges) judge.see(seen);
    // After it is judged: what it hands out is for the requests that follow.
    this.#tokens.learn(seen);
    return seen;
  }

  /** What the traffic shows of every check that can be judged without sending. Ends it. */
  results(): CheckResult[] {
    for (const judge of this.#judges) judge.end?.();
    const checks = [
      ...this.#judges.flatMap((judge) => judge.checks),
      ...WHERE_SHOWN.filter((id) => this.#book.has(id)),
    ];
    return this.#book.results(new Set(checks));
  }

  /** The violations found since the last call, for whoever prints them as they pass. */
  news(): CheckResult[] {
    return this.#book.news();
  }
}
