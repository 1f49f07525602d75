import { OPERATIONS, type OperationId } from '../api/operations.ts';
import { UsageError } from '../errors.ts';
import type { RecordedRequest } from '../model.ts';
import { trimmedBase, withoutUserInfo } from '../values/url.ts';

/** Maximum number of base URLs to distinguish. */
const MAX_BASES = 20;
const escaped = (path: string): string => path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');

/** Finds the API in a recording: by the base URL that is given, else by the documented paths, below any prefix. */
export class OperationsIn {
  readonly #base: string | undefined;
  readonly #paths: RegExp;
  readonly #operations: { id: OperationId; method: string; path: RegExp }[];
  readonly #bases = new Map<string, number>();

  /** @param scopesPaths where the token scopes may be, whose path the document does not show */
  constructor(scopesPaths: readonly string[], base?: string) {
    this.#base = base === undefined ? undefined : trimmedBase(withoutUserInfo(base));
    const ids = Object.keys(OPERATIONS) as OperationId[];
    const pathsOf = (id: OperationId): readonly string[] => {
      const { path } = OPERATIONS[id];
      return path === undefined ? scopesPaths : [path];
    };
    this.#operations = ids.map((id) => ({
      id,
      method: OPERATIONS[id].method,
      path: new RegExp(`^(${pathsOf(id).map(escaped).join('|')})$`),
    }));
    this.#paths = new RegExp(`^(.*?)(${ids.flatMap(pathsOf).map(escaped).join('|')})$`);
  }

  /** The operation that a request is of, if any, and its path below the base URL; undefined where it goes elsewhere. */
  find({ method, url: text }: RecordedRequest) {
    const url = new URL(text);
    const place = withoutUserInfo(url.origin + url.pathname);
    const base = this.#base ?? this.#baseOf(url);
    if (base === undefined || !place.startsWith(`${base}/`)) return undefined;
    const path = place.slice(base.length);
    const found = this.#operations.find((each) => each.method === method && each.path.test(path));
    if (found || this.#base !== undefined) this.#bases.set(base, (this.#bases.get(base) ?? 0) + 1);
    return { operation: found?.id, path };
  }

  /** The base URL of the API; throws UsageError where there is none, or more than one. */
  base(file: string): string {
    const [first, ...others] = [...this.#bases];
    if (!first)
      throw new UsageError(
        this.#base === undefined
          ? `${file}: no exchange is of the API: none has a documented path, such as ${OPERATIONS.sso.path}.`
          : `${file}: no exchange is below ${this.#base}.`,
      );
    if (others.length === 0) return first[0];
    const all = [first, ...others].map(([base, count]) => `${base} (${count})`).join(', ');
    throw new UsageError(`${file}: the API is at several base URLs: ${all}. Name one with --base-url.`);
  }

  #baseOf(url: URL): string | undefined {
    const before = this.#paths.exec(url.pathname)?.[1];
    if (before !== undefined) {
      const base = url.origin + before;
      if (this.#bases.has(base) || this.#bases.size < MAX_BASES) return base;
    }
    return [...this.#bases.keys()].find((base) => `${url.origin}${url.pathname}`.startsWith(`${base}/`));
  }
}
export type Found = NonNullable<ReturnType<OperationsIn['find']>>;
