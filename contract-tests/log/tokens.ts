import { spelledIn } from '../api/lax-forms.ts';
import { partsOfPat } from '../api/token-forms.ts';
import { findJwts, findPats, refreshTokenIn } from '../api/tokens-in-answers.ts';
import { type Answer, isSuccess } from '../values/answer.ts';
import { asText, findStrings } from '../values/json.ts';
import { decodeJwt, isJwt } from '../values/jwt.ts';
import { type Entry, type Issued, isMasked, isMaskIn, jsonIn, type Kind, objectIn } from './entry.ts';

export interface Known {
  who?: string;
  issued?: Issued;
  isRefresh?: true;
  exchanged?: Answer;
}

/** A signature that identifies its JWT, or a secret its PAT: what a tool has put in the place of one is shorter, or a word. */
const SIGNATURE = /^(?=.*\d)(?=.*[A-Za-z])[\w-]{20,}$/;

function isUnsigned(token: string): boolean {
  const alg = decodeJwt(token.endsWith('.') ? `${token}none` : token)?.header.alg;
  return alg !== undefined && (token.endsWith('.') || asText(alg).toLowerCase() === 'none');
}

/** The signature of a JWT, and what is signed; none of other tokens. */
function partsOfJwt(token: string): string[] {
  const { parts: [header, payload, signature] = [] } = decodeJwt(token) ?? {};
  return signature === undefined ? [] : [signature, `${header}.${payload}`];
}

function nameOfKind(token: string, { issued, isRefresh }: Known): string {
  if (isRefresh) return 'refreshToken';
  if (issued?.way === 'pat' || partsOfPat(token)) return 'pat';
  return issued?.way === 'login' ? 'login.accessToken' : 'accessToken';
}

/** Characters in common, at both ends, that show that one token was made of another. */
const ALIKE = 12;

/** Whether a token was made of another one: a JWT with the same claims or the same signature, a PAT that begins or ends like it. */
function isAlike(original: string, token: string): boolean {
  const [, payload, signature] = original.split('.');
  const parts = token.split('.').slice(1);
  if (isJwt(original)) return parts.some((part) => part !== '' && (part === payload || part === signature));
  let start = 0;
  while (start < token.length && token[start] === original[start]) start += 1;
  let end = 0;
  while (end < token.length - start && token.at(-1 - end) === original.at(-1 - end)) end += 1;
  return start + end >= ALIKE;
}

/** The tokens that the target file gives and that answers handed out; says of any token what it is by them. */
export class TokensSeen {
  readonly known = new Map<string, Known>();
  /** Parts of known tokens, by which others are like them: of JWTs, and of PATs the secret and what is before it. */
  readonly #parts = new Map<string, string>();
  readonly #pats: string[] = [];
  #areSignaturesStripped = false;
  /** How a token differs from a good one, in words. */
  readonly #flaws = new Map<string, string>();
  /** Who signs in and is no actor of the target file. */
  readonly #strangers: string[] = [];

  give(token: string, who: string): void {
    this.known.set(token, { who });
    this.#noteParts(token);
  }

  learn(entry: Entry, who: string | undefined): void {
    const { operation, answer, endedAt, hasBody, n } = entry;
    if (!hasBody || !isSuccess(answer) || answer.request.method !== 'POST') return;
    const { access_token: access, expires_in: lifetime } = objectIn(entry);
    const way = operation === 'sso' || operation === 'login' || operation === 'pat' ? operation : 'elsewhere';
    const refresh = refreshTokenIn(answer);
    if (refresh !== undefined && refresh !== access && !isMaskIn(entry, refresh))
      this.known.set(refresh, { ...this.known.get(refresh), ...(who !== undefined && { who }), isRefresh: true });
    const tokens = way === 'sso' ? [access] : way === 'pat' ? findPats(answer) : [...findJwts(answer), access];
    // What a sign-in calls a token may be one, however it looks.
    const named = findStrings(way === 'sso' ? undefined : jsonIn(entry)).slice(0, 20);
    const others = named.filter(({ path, value }) => {
      const name = path.at(-1) ?? '';
      const isNew = value.length >= 8 && !this.known.get(value)?.issued;
      return isNew && /token|jwt|secret|key/i.test(name) && !/refresh/i.test(name);
    });
    const announced = typeof lifetime === 'number' && way !== 'pat' ? lifetime : undefined;
    const issued: Issued = { way, answer, at: endedAt, n, lifetime: announced };
    for (const token of [...tokens, ...others.map(({ value }) => value)]) {
      if (typeof token !== 'string' || token === '' || isMaskIn(entry, token)) continue;
      const known = this.known.get(token);
      if (known?.isRefresh) continue;
      this.known.set(token, { issued, who: known?.who ?? who });
      this.#note(token, issued);
    }
  }

  /** What a bearer token is; undefined means no Authorization header. */
  kindOf(token: string | undefined): Kind {
    if (token === undefined) return 'none';
    const known = this.known.get(token);
    if (known?.isRefresh) return 'refresh-token';
    if (known) return isJwt(token) ? 'jwt' : partsOfPat(token) ? 'pat' : 'opaque';
    if (['null', 'undefined'].includes(token)) return 'garbage';
    if (isMasked(token)) return 'masked';
    if (isUnsigned(token)) return this.#areSignaturesStripped ? 'masked' : 'unsigned-jwt';
    const isPart = (part: string): boolean => this.#parts.has(part);
    // It differs from a JWT that was handed out in its claims, or in nothing but its signature.
    if (isJwt(token)) return !this.#areSignaturesStripped && partsOfJwt(token).some(isPart) ? 'tampered-jwt' : 'jwt';
    const pat = partsOfPat(token);
    return pat ? (isPart(pat.head) || isPart(pat.secret) ? 'pat-wrong-secret' : 'pat') : 'garbage';
  }

  /** The known token that a header has in another form than as it is (gap lax-tokens). */
  spelledIn(header: string) {
    const spelled = spelledIn(header, (token) => this.known.has(token), this.#pats);
    return spelled?.forms.length ? spelled : undefined;
  }

  /** Remembers how a token differs from a good one; `what` is such as `a PAT with a wrong secret`. */
  noteFlaw(token: string, what: string): void {
    this.#flaws.set(token, what);
  }

  /** What a token is, and whose, as reports name it: `member.pat`, or `member.pat, a wrong secret`; undefined for an unknown one. */
  nameOf(token: string): string | undefined {
    const known = this.known.get(token);
    if (known)
      return `${known.who === undefined ? '' : `${this.#nameOfCaller(known.who)}.`}${nameOfKind(token, known)}`;
    const what = this.#flaws.get(token);
    const original = [...this.known.keys()].findLast((each) => isAlike(each, token));
    const difference = what?.replace(/^an? (?:JWT|PAT|access token)(?: with)? /, '');
    return original === undefined || !difference ? what : `${this.nameOf(original)}, ${difference}`;
  }

  #nameOfCaller(who: string): string {
    if (/^(admin|member|others\.\d+)$/.test(who)) return who;
    if (!this.#strangers.includes(who)) this.#strangers.push(who);
    return `user ${this.#strangers.indexOf(who) + 1}`;
  }

  #note(token: string, { way }: Issued): void {
    const [signature = '', signed = ''] = partsOfJwt(token);
    // One signature for several tokens is what a tool has put there.
    if (isUnsigned(token) || (this.#parts.get(signature) ?? token) !== token) this.#areSignaturesStripped = true;
    if (SIGNATURE.test(signature)) this.#parts.set(signature, token).set(signed, token);
    if (way === 'pat') this.#noteParts(token);
  }

  #noteParts(token: string): void {
    const { head, secret = '' } = partsOfPat(token) ?? {};
    if (head !== undefined) {
      this.#parts.set(head, token);
      this.#pats.push(token);
    }
    if (SIGNATURE.test(secret)) this.#parts.set(secret, token);
  }
}
