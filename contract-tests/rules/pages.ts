import type { Entry } from '../log/entry.ts';
import type { JsonObject } from '../values/json.ts';

const PAGE_HEADER = /^x-(total(-count|-pages)?|next-page|page|per-page)$|pagination|has-more|continuation|cursor/;

/** Whether the list says itself that it is one page of more. */
export function isPaged({ answer: { response } }: Entry, keys: JsonObject[]): boolean {
  const { link, ...headers } = response.headers;
  const totals = [headers['x-total'], headers['x-total-count'], headers['content-range']?.split('/')[1]];
  if (totals.some((total) => total !== undefined && total.trim() === String(keys.length))) return false;
  if (response.status === 206 || headers['content-range'] !== undefined || /rel="?next/i.test(link ?? '')) return true;
  return Object.entries(headers).some(
    ([name, value]) => PAGE_HEADER.test(name) && !/^(false|no|0)?$/i.test(value.trim()),
  );
}

/** Usual page sizes where pages are not requested; a list that ends below ten has lost the others. */
const PAGE_SIZES = new Set([10, 15, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1000]);

/** Whether the unfiltered list may be a silent page: of a usual size, which no filtered list exceeds, and without `more`. */
export function mayBePage(keys: JsonObject[], more: unknown[], filteredLists: JsonObject[][]): boolean {
  if (more.length === 0 || !PAGE_SIZES.has(keys.length)) return false;
  return filteredLists.every((list) => list.length <= keys.length) && !keys.some(({ id }) => more.includes(id));
}
