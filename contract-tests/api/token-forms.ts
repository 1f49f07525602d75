import { isJwt } from '../values/jwt.ts';

/**
 * The parts of `<token_prefix>_<tokenId>.<secret>` (part 5), none of them empty. What else a part may contain is not
 * shown, so prefix and secret may hold the separators; undefined when the text has another form.
 */
export function partsOfPat(value: unknown): { head: string; secret: string } | undefined {
  if (typeof value !== 'string' || isJwt(value)) return undefined;
  if (/^[._]|\s/.test(value)) return undefined;
  for (let at = value.indexOf('_'); at !== -1; at = value.indexOf('_', at + 1)) {
    const dot = value.indexOf('.', at);
    if (dot === at + 1) continue; // no id after this underscore
    const isWhole = dot !== -1 && dot < value.length - 1;
    return isWhole ? { head: value.slice(0, dot + 1), secret: value.slice(dot + 1) } : undefined;
  }
  return undefined;
}

/** Whether a text has the form of a PAT (part 5). */
export function isPatForm(value: unknown): value is string {
  return partsOfPat(value) !== undefined;
}

/** Tokens of no form that the document knows, in the characters of a header's token: no gateway has a reason to answer itself. */
export const GARBAGE_TOKENS = ['not-a-token', 'bm90LWEtaGVhZGVy.bm90LWEtcGF5bG9hZA.bm90LWEtc2lnbmF0dXJl'] as const;

/** What clients without a token send in its place by mistake; empty is what is left of a missing one. */
export const PLACES_OF_NO_TOKEN = ['null', ''] as const;
/** The same, for lists with a filter. */
export const PLACE_OF_NO_FILTERING_TOKEN = 'undefined';
