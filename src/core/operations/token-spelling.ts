import { plainBase64url } from '../crypto.ts';
import type { GapAnswers } from '../spec/gaps.ts';

/** A token as it was handed out, and in which forms it was sent instead, none where it was sent as it is (gap lax-tokens). */
export interface Spelled {
  readonly token: string;
  readonly forms: GapAnswers['lax-tokens'];
}

/** What the header Authorization has around the token. */
export function formsAround(authorization: string, token: string): Spelled['forms'] {
  const scheme = authorization.startsWith('Bearer') ? [] : (['lower-case-scheme'] as const);
  return authorization.length === 'Bearer '.length + token.length ? scheme : [...scheme, 'more-blanks'];
}

/** What a token may be read as: itself first, then the JWT or PAT that it spells otherwise. Whether that is genuine is another question. */
export function readingsOf(token: string, patPrefix: string): Spelled[] {
  const spelled = [...jwtSpelled(token), ...patSpelled(token, patPrefix)];
  return [{ token, forms: [] }, ...spelled.filter(({ forms }) => forms.length > 0)];
}

function jwtSpelled(token: string): Spelled[] {
  const parts = token.split('.');
  const own = parts.slice(0, 3);
  const bare = own.map((part) => part.replace(/={1,2}$/, ''));
  const plain = bare.map(plainBase64url);
  const forms = [
    ...(bare.join() === own.join() ? [] : (['jwt-with-padding'] as const)),
    ...(plain.join() === bare.join() ? [] : (['jwt-in-other-base64'] as const)),
    ...(parts.length === own.length ? [] : (['jwt-with-a-part-more'] as const)),
  ];
  return own.length === 3 ? [{ token: plain.join('.'), forms }] : [];
}

function patSpelled(token: string, prefix: string): Spelled[] {
  const [, given, id, secret, more] = /^(?:([^.]*)_)?([^._]+)\.([^.]+)(\..*)?$/.exec(token) ?? [];
  const other = given === undefined ? 'pat-without-prefix' : 'pat-with-another-prefix';
  const forms = [
    ...(given === prefix ? [] : ([other] as const)),
    ...(more === undefined ? [] : (['pat-with-a-part-more'] as const)),
  ];
  return id === undefined ? [] : [{ token: `${prefix}_${id}.${secret}`, forms }];
}
