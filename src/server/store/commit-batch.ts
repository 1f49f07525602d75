import { setImmediate } from 'node:timers';
import { asText } from '../../../contract-tests/values/json.ts';
import type { WorldServices } from '../../core/world/world.ts';
import { StoreUnavailable } from '../../core/world/world-store.ts';
import type { RedisLink } from './link.ts';
import { commitScript } from './scripts.ts';

/** Maximum number of worlds in one script: others wait for it. */
const most = 64;

export type Reply = readonly unknown[];

interface Waiting {
  readonly keys: readonly string[];
  readonly call: string;
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

/** Sends the commits of all worlds of one turn of the event loop in one script. In a cluster, a script has keys of one slot only. */
export class CommitBatch {
  private waiting: Waiting[] = [];

  constructor(
    private readonly link: RedisLink,
    private readonly services: WorldServices,
  ) {}

  /** @throws StoreUnavailable, with `isUncertain` if it may have run */
  run(keys: readonly string[], call: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.flush());
      this.waiting.push({ keys, call, resolve, reject });
    });
  }

  private flush(): void {
    const { waiting } = this;
    this.waiting = [];
    const atOnce = this.link.isCluster ? 1 : most;
    for (let at = 0; at < waiting.length; at += atOnce) void this.send(waiting.slice(at, at + atOnce));
  }

  private async send(commits: readonly Waiting[]): Promise<void> {
    const from = performance.now();
    let outcome: 'ok' | 'failed' = 'failed';
    try {
      const keys = commits.flatMap((commit) => commit.keys);
      const calls = commits.map(({ call }) => call);
      const replies = (await this.link.run(commitScript, keys, calls)) as Reply[];
      outcome = 'ok';
      commits.forEach(({ resolve, reject }, at) => {
        const reply = replies[at] ?? [];
        if (reply[0] === 'refused') reject(new StoreUnavailable(`the store refuses it (${asText(reply[2])})`));
        else resolve(reply);
      });
    } catch (error) {
      for (const { reject } of commits) reject(error);
    } finally {
      this.services.metrics?.storeRoundTrip((performance.now() - from) / 1000, outcome);
    }
  }
}
