import { readyApi } from './api.ts';
import { candidatesFor } from './custom-routes/find.ts';
import { hasRoutes } from './custom-routes/loaded-routes.ts';
import { isLike } from './faults/matching.ts';
import { didYouMean } from './profiles/did-you-mean.ts';
import { ConfigError } from './spec/config-error.ts';
import type { World } from './world/world.ts';

/** Which requests go to the service behind the mock. */
export interface Split {
  /** Paths (`*` matches anything) that go there although the mock knows them. */
  readonly only?: readonly string[] | undefined;
  /** The operations that the mock answers; everything else goes there. */
  readonly mockOnly?: readonly string[] | undefined;
}

/** The service behind the mock, and which requests it gets: those that the mock does not know, unless a split says more. */
export class UpstreamSplit {
  private split: Split = {};

  /**
   * @param url its base URL
   * @param allowsWrites whether requests that may change something go there if it is on another machine
   * @throws ConfigError as `set`, and for an invalid URL
   */
  constructor(
    readonly url: string,
    readonly allowsWrites: boolean,
    private readonly world: () => World,
    split: Split,
  ) {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw new ConfigError([`--upstream ${url}: expected a URL that starts with http:// or https://`]);
    this.set(split, { only: '--upstream-only ', mockOnly: '--mock-only ' });
  }

  get current(): Split {
    return this.split;
  }

  /** @throws ConfigError for a path without a leading slash, or an unknown operation; nothing changes then */
  set({ only = [], mockOnly }: Split, says = { only: 'only: ', mockOnly: 'mockOnly: ' }): void {
    const relative = only.find((path) => !path.startsWith('/'));
    if (relative !== undefined) throw new ConfigError([`${says.only}${relative}: a path starts with /`]);
    const known = readyApi(this.world().answers)?.plans.map(({ id }) => id as string) ?? [];
    const unknown = mockOnly?.find((id) => !known.includes(id));
    if (unknown !== undefined)
      throw new ConfigError([
        `${says.mockOnly}${unknown}: unknown operation${didYouMean(unknown, known)}; the mock has ${known.join(', ')}`,
      ]);
    this.split = { only, ...(mockOnly && { mockOnly }) };
  }

  /** Whether the service answers. Custom routes belong to the mock, under any conditions. */
  takes(sent: string, path: string): boolean {
    const { only = [], mockOnly } = this.split;
    if (only.some((pattern) => isLike(path, pattern))) return true;
    const world = this.world();
    const method = sent === 'HEAD' ? 'GET' : sent;
    const isOwn = ({ route }: { route: { method: string } }): boolean => route.method === method || sent === 'OPTIONS';
    if (hasRoutes(world) && candidatesFor(world, path).some(isOwn)) return false;
    const found = readyApi(world.answers)?.find(method, path);
    // A preflight is about the request that follows, and the mock decides about pages.
    if (sent === 'OPTIONS' && found !== undefined && mockOnly === undefined) return false;
    const operation = typeof found === 'object' && 'operation' in found ? found.operation.id : undefined;
    return operation === undefined || (mockOnly !== undefined && !mockOnly.includes(operation));
  }
}
