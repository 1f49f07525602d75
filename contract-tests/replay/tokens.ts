import { idIn, partsOfPat } from '../api/token-forms.ts';
import { findJwts, findPats, refreshTokenIn } from '../api/tokens-in-answers.ts';
import type { Answer } from '../values/answer.ts';
import { isSuccess, jsonOf } from '../values/answer.ts';
import { asNumber, memberOf, objectOf } from '../values/json.ts';
import { decodeJwt, decodePart } from '../values/jwt.ts';

/** A token that a recorded answer handed out. */
export interface Issued {
  /** The number of the interaction that handed it out. */
  by: number;
  /** Who got it. */
  actor: string | undefined;
  /** Its counterpart; undefined where the target handed out none. */
  actual: string | undefined;
}

/** The tokens of a recording, and those that the target handed out in their place. */
export class Tokens {
  readonly #issued = new Map<string, Issued>();

  get(token: string): Issued | undefined {
    return this.#issued.get(token);
  }

  /** Pairs the tokens of two answers to one request: by what they are for, then in their order. */
  learn(recorded: Answer, actual: Answer | undefined, by: number, actor: string | undefined): void {
    if (!isSuccess(recorded) || recorded.request.method !== 'POST') return;
    const there = actual && isSuccess(actual) ? tokensIn(actual) : [];
    for (const [at, own] of tokensIn(recorded).entries())
      for (const [nth, token] of own.entries())
        if (!this.#issued.has(token)) this.#issued.set(token, { by, actor, actual: there[at]?.[nth] });
  }

  /** The issued token of which another one was made: a JWT with the same claims, or the same signature; a PAT with the same id or secret. */
  originalOf(token: string): string | undefined {
    return [...this.#issued.keys()].find((known) => isMadeOf(token, known));
  }
}

function tokensIn(answer: Answer): string[][] {
  const { access_token: access } = objectOf(jsonOf(answer));
  const refresh = refreshTokenIn(answer);
  const isOther = (token: string): boolean => token !== access && token !== refresh;
  return [
    typeof access === 'string'
      ? [access]
      : findJwts(answer)
          .filter((token) => token !== refresh)
          .slice(0, 1),
    refresh === undefined ? [] : [refresh],
    findPats(answer).filter(isOther),
    findJwts(answer).filter(isOther),
  ];
}

function isMadeOf(token: string, known: string): boolean {
  const [header, claims, signature] = token.split('.');
  const [knownHeader, knownClaims, knownSignature] = known.split('.');
  if (decodeJwt(known))
    return claims !== undefined && (claims === knownClaims || (header === knownHeader && signature === knownSignature));
  const [pat, knownPat] = [partsOfPat(token), partsOfPat(known)];
  if (pat && knownPat) return pat.head === knownPat.head || pat.secret === knownPat.secret;
  return known.length >= 12 && (token.startsWith(known) || known.startsWith(token.slice(0, -1))) && token.length > 8;
}

/** Makes the change that made one token of another of its counterpart: parts are changed, cut, or left out alike. */
export function changedLike(token: string, known: string, counterpart: string): string {
  if (token.startsWith(known)) return counterpart + token.slice(known.length);
  if (known.startsWith(token)) return counterpart.slice(0, token.length - known.length);
  const parts = counterpart.split('.');
  const pat = partsOfPat(counterpart);
  const [own, original] = [token.split('.'), known.split('.')];
  if (pat) {
    const isSecretSame = partsOfPat(token)?.secret === partsOfPat(known)?.secret;
    const [prefix, id] = [pat.head.slice(0, idIn(pat.head)), pat.head.slice(idIn(pat.head))];
    return isSecretSame ? prefix + flipped(id) + pat.secret : pat.head + flipped(pat.secret);
  }
  if (!decodeJwt(counterpart)) return flipped(counterpart);
  const changed = parts.map((part, at) => {
    if (own[at] === original[at]) return part;
    if (own[at] === '' || own[at] === undefined) return '';
    return at === 2 ? flipped(part) : withMembers(part, own[at], original[at] ?? '');
  });
  return changed.slice(0, Math.max(own.length, 2)).join('.');
}

/** A part of a JWT, with the members that were changed in another one; claims that a pseudonym hides are others in any case. */
function withMembers(part: string, changed: string, original: string): string {
  const [now, before] = [objectOf(decodePart(changed)), objectOf(decodePart(original))];
  const others = Object.entries(now).filter(
    ([name, value]) => !['jti', 'kid'].includes(name) && memberOf(before, name) !== value,
  );
  const members = others.length > 0 ? Object.fromEntries(others) : { changed: true };
  return Buffer.from(JSON.stringify({ ...objectOf(decodePart(part)), ...members })).toString('base64url');
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A text with the highest bit of one character changed: the lowest bits of the last one may mean nothing. */
function flipped(text: string): string {
  const at = [...text].findIndex((sign) => BASE64URL.includes(sign) && /[a-z0-9]/i.test(sign));
  const turned = BASE64URL[BASE64URL.indexOf(text[at] ?? 'A') ^ 32] ?? 'A';
  return text.slice(0, at) + turned + text.slice(at + 1);
}

/** Whether a token says itself that it was over at that time, in milliseconds. */
export function isOverAt(token: string, time: number): boolean {
  const { exp } = decodeJwt(token)?.payload ?? {};
  return typeof exp === 'number' && asNumber(exp) * 1000 < time;
}
