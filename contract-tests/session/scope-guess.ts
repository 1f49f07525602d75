import { adminClaim } from '../api/admin-claim.ts';
import { namesScopes } from '../api/scope-listing.ts';
import { isObject } from '../values/json.ts';

const lastSegment = (path: string): string => path.split('/').at(-1) ?? '';

/** Whether an answer is the record of that id, as `GET /v1/api-tokens/{id}` may give it. */
const isRecordOf = (id: string, json: unknown): boolean =>
  isObject(json) && Object.entries(json).some(([name, value]) => /^id$|(_i|I)d$/.test(name) && value === id);

/** Whether the path speaks of tokens and of scopes, as what belongs to the API tokens group (4.4) would. */
const speaksOfTokenScopes = (path: string): boolean => /token/i.test(path) && /scope/i.test(path);

/**
 * Whether what a guessed path answered shows by itself that it lists the token scopes: it names scopes, and says whether
 * the caller is an administrator. One of the two is enough where the path speaks of token scopes, too, so that what lacks
 * the other is still judged. Something else may answer there: scopes of another kind, or the token of which that is the id.
 */
export function showsTokenScopes(json: unknown, path: string): boolean {
  if (isRecordOf(lastSegment(path), json)) return false;
  const says = [namesScopes(json), adminClaim(json) !== undefined];
  return speaksOfTokenScopes(path) ? says.includes(true) : !says.includes(false);
}

/** Whether two answers have the same shape: lists both, or objects with the same members. */
export function isAlike(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b);
  if (!isObject(a) || !isObject(b)) return a === b;
  return Object.keys(a).toSorted().join() === Object.keys(b).toSorted().join();
}

/** A page is no answer that shows anything; only a path that can mean nothing else is judged by it. */
export const mayAnswerPage = speaksOfTokenScopes;
