import { isJwt } from '../wire/jwt.ts';

/**
 * The parts of `<token_prefix>_<tokenId>.<secret>` (part 5), none of them empty. What else a part may contain is not
 * shown, so prefix and secret may hold the separators; undefined when the text has another form.
 */
export function partsOfPat(value: unknown): { head: string; secret: string } | undefined {
  if (typeof value !== 'string' || isJwt(value)) return undefined;
  const match = /^([^\s._]\S*?_[^\s.]+\.)(\S+)$/.exec(value);
  return match ? { head: match[1] ?? '', secret: match[2] ?? '' } : undefined;
}

/** Whether a text has the form of a PAT (part 5). */
export function isPatForm(value: unknown): value is string {
  return partsOfPat(value) !== undefined;
}

/** Tokens of no form that the document knows. */
export const GARBAGE_TOKENS = ['not-a-token', 'bm90LWEtaGVhZGVy.bm90LWEtcGF5bG9hZA.bm90LWEtc2lnbmF0dXJl'] as const;

/** What clients without a token send in its place by mistake; empty is what is left of a missing one. */
export const PLACES_OF_NO_TOKEN = ['null', 'undefined', ''] as const;
