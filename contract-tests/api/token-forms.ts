import { isJwt } from '../values/jwt.ts';

/** An underscore that a dot follows has no id after it: it belongs to the prefix. */
const PAT = /^(?![._])((?:[^_\s]|_(?=\.))*_[^.\s]+\.)(\S+)$/;

/** The parts of `<token_prefix>_<tokenId>.<secret>` (part 5), none empty; prefix and secret may hold the separators. */
export function partsOfPat(value: unknown): { head: string; secret: string } | undefined {
  const [, head, secret] = (typeof value === 'string' && !isJwt(value) && PAT.exec(value)) || [];
  return head && secret ? { head, secret } : undefined;
}

/** Where the tokenId starts in `<token_prefix>_<tokenId>.`; it may end with the sign that separates it. */
export const idIn = (head: string): number => head.lastIndexOf('_', head.length - 3) + 1;

export const isPatForm = (value: unknown): value is string => partsOfPat(value) !== undefined;

/** Tokens of no form that the document knows, a word and what looks like a JWT, in the characters of a header's token: no gateway has a reason to answer itself. */
export const GARBAGE_TOKENS = ['garbage', 'bm90LWEtaGVhZGVy.bm90LWEtcGF5bG9hZA.bm90LWEtc2lnbmF0dXJl'] as const;

/** What clients without a token send in its place by mistake; empty is what is left of a missing one. */
export const PLACES_OF_NO_TOKEN = ['null', ''] as const;

/** Credentials of another scheme than Bearer, of a user that does not exist. */
export const BASIC_CREDENTIALS = `Basic ${btoa('contract-suite:nobody-has-this-password')}`;
