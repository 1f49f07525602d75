import { OPERATIONS, type OperationId } from '../api/operations.ts';
import { UsageError } from '../errors.ts';
import type { RecordedRequest } from '../model.ts';
import { baseUrlProblem, decoded, trimmedBase } from '../values/url.ts';

const escaped = (path: string) => path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/, '(?<resource>[^/]+)');

/** A base URL as those of requests are compared with it: `HTTP://Host:80/` is `http://host`. Throws UsageError. */
function placeOf(base: string): string {
  const problem = baseUrlProblem(base);
  if (problem !== undefined) throw new UsageError(problem);
  const { origin, pathname } = new URL(base);
  return trimmedBase(origin + pathname);
}

/** Finds the API in a recording: by the base URL that is given, else by the documented paths, below any prefix. */
export class OperationsIn {
  readonly #base: string | undefined;
  readonly #operations: { id: OperationId; method: string; place: RegExp }[];
  readonly #bases = new Map<string, number>();

  /** @param scopesPaths where the token scopes may be, whose path the document does not show */
  constructor(scopesPaths: readonly string[], base?: string) {
    this.#base = base === undefined ? undefined : placeOf(base);
    this.#operations = Object.entries(OPERATIONS).map(([id, { method, path }]) => {
      const paths = path === undefined ? scopesPaths : [path];
      return { id: id as OperationId, method, place: new RegExp(`^(.*?)(${paths.map(escaped).join('|')})$`) };
    });
  }

  /** The operation of a request, its path below the base URL, and the decoded id in it; undefined where it goes elsewhere. */
  find({ method, url }: Pick<RecordedRequest, 'method' | 'url'>) {
    const { origin, pathname } = new URL(url);
    const place = origin + pathname;
    const prefixes = this.#operations.flatMap((each) => each.place.exec(place)?.[1] ?? []);
    const base = this.#base ?? prefixes[0] ?? [...this.#bases.keys()].find((known) => place.startsWith(`${known}/`));
    if (base === undefined || !place.startsWith(`${base}/`)) return undefined;
    const path = place.slice(base.length);
    const found = this.#operations.find((each) => each.method === method && each.place.exec(path)?.[1] === '');
    if (found || this.#base !== undefined) this.#bases.set(base, (this.#bases.get(base) ?? 0) + 1);
    const { resource } = found?.place.exec(path)?.groups ?? {};
    return { operation: found?.id, path, resource: resource === undefined ? undefined : decoded(resource) };
  }

  /** Whether any request went to the API. */
  get isFound(): boolean {
    return this.#bases.size > 0;
  }

  /** The base URL of the API; throws UsageError where there is none, or more than one. */
  base(file: string): string {
    const [first, ...others] = [...this.#bases];
    const documented = `of the API: none has a documented path, such as ${OPERATIONS.sso.path}`;
    if (!first) throw new UsageError(`${file}: no exchange is ${this.#base ? `below ${this.#base}` : documented}.`);
    if (others.length === 0) return first[0];
    const all = [first, ...others].map(([base, count]) => `${base} (${count})`).join(', ');
    throw new UsageError(`${file}: the API is at several base URLs: ${all}. Name one with --base-url.`);
  }
}
export type Found = NonNullable<ReturnType<OperationsIn['find']>>;
