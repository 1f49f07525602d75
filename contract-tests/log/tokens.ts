import { partsOfPat } from '../api/token-forms.ts';
import { findJwts, findPats } from '../api/tokens-in-answers.ts';
import { isSuccess } from '../values/answer.ts';
import { findStrings, isObject, parseJson } from '../values/json.ts';
import { decodeJwt, isJwt } from '../values/jwt.ts';
import { isMasked } from '../values/masks.ts';
import { type Entry, type Issued, isMaskIn, jsonIn, type Kind, type Way } from './entry.ts';

export interface HandedOut {
  token: string;
  isRefresh: boolean;
}

/** A signature that identifies its JWT: what a tool has put in the place of one is shorter, or a word. */
const SIGNATURE = /^(?=.*\d)(?=.*[A-Za-z])[\w-]{20,}$/;
const EMPTY = /^(null|undefined)$/;
const MAX_TOKENS_IN_ANSWER = 20;
/** A JWT whose header says that it has no signature, or that has none. */
function isUnsigned(token: string): boolean {
  const [header = '', , signature, ...more] = token.split('.');
  const json = parseJson(Buffer.from(header, 'base64url').toString('utf8'));
  if (signature === undefined || more.length > 0 || !isObject(json)) return false;
  return signature === '' || String(json.alg).toLowerCase() === 'none';
}

/** The tokens that answers handed out; says of any token what it is by them. */
export class TokensSeen {
  readonly issued = new Map<string, Issued>();
  readonly refresh = new Set<string>();
  /** The JWTs by signature, and the PATs by what is before the secret. */
  readonly #bySignature = new Map<string, string>();
  readonly #byHead = new Map<string, string>();
  /** What of a JWT is before its signature. */
  readonly #signed = new Set<string>();
  #areSignaturesStripped = false;
  readonly #given = new Set<string>();

  /** Notes a token that the target file gives. */
  give(token: string): void {
    this.#given.add(token);
    const pat = partsOfPat(token);
    if (pat) this.#byHead.set(pat.head, token);
  }

  /** Notes the tokens that an answer hands out. */
  learn(entry: Entry): HandedOut[] {
    const { operation, answer, endedAt, hasBody, n } = entry;
    if (!hasBody || !isSuccess(answer) || answer.request.method !== 'POST') return [];
    const json = jsonIn(entry);
    const way: Way = operation === 'sso' || operation === 'login' || operation === 'pat' ? operation : 'elsewhere';
    const grant = isObject(json) ? json : {};
    const handedOut: HandedOut[] = [];
    const refresh = findStrings(json).find(({ path }) => path.some((name) => /refresh/i.test(name)))?.value;
    if (refresh !== undefined && refresh !== grant.access_token && !isMaskIn(entry, refresh)) {
      this.refresh.add(refresh);
      handedOut.push({ token: refresh, isRefresh: true });
    }
    const { access_token: access, expires_in: lifetime } = grant;
    const tokens = way === 'sso' ? [access] : way === 'pat' ? findPats(answer) : [...findJwts(answer), access];
    const announced = typeof lifetime === 'number' && way !== 'pat' ? lifetime : undefined;
    const issued: Issued = { way, answer, at: endedAt, n, lifetime: announced };
    const add = (token: string): void => {
      if (this.refresh.has(token) || isMaskIn(entry, token)) return;
      this.#add(token, issued);
      handedOut.push({ token, isRefresh: false });
    };
    for (const token of tokens) if (typeof token === 'string' && token !== '') add(token);
    // What a sign-in calls a token may be one, however it looks.
    if (way !== 'sso')
      for (const { path, value } of findStrings(json).slice(0, MAX_TOKENS_IN_ANSWER))
        if (/token|jwt|secret|key/i.test(path.at(-1) ?? '') && !/refresh/i.test(path.at(-1) ?? '') && value.length >= 8)
          if (!this.issued.has(value)) add(value);
    return handedOut;
  }

  /** What a bearer token is; undefined means no Authorization header. */
  kindOf(token: string | undefined): Kind {
    if (token === undefined) return 'none';
    if (this.issued.has(token) || this.#given.has(token))
      return isJwt(token) ? 'jwt' : partsOfPat(token) ? 'pat' : 'opaque';
    if (this.refresh.has(token)) return 'refresh-token';
    if (EMPTY.test(token)) return 'garbage';
    if (isMasked(token)) return 'masked';
    if (isUnsigned(token)) return this.#areSignaturesStripped ? 'masked' : 'unsigned-jwt';
    if (isJwt(token)) return this.#isTampered(token) ? 'tampered-jwt' : 'jwt';
    const pat = partsOfPat(token);
    if (!pat) return 'garbage';
    const known = this.#byHead.get(pat.head);
    return known !== undefined && known !== token ? 'pat-wrong-secret' : 'pat';
  }

  #add(token: string, issued: Issued): void {
    this.issued.set(token, issued);
    if (isUnsigned(token)) this.#areSignaturesStripped = true;
    const signature = decodeJwt(token)?.parts[2];
    if (signature !== undefined && SIGNATURE.test(signature)) {
      const other = this.#bySignature.get(signature);
      // One signature for several tokens is what a tool has put there.
      if (other !== undefined && other !== token) this.#areSignaturesStripped = true;
      this.#bySignature.set(signature, token);
      this.#signed.add(token.slice(0, -signature.length));
    }
    const pat = issued.way === 'pat' ? partsOfPat(token) : undefined;
    if (pat) this.#byHead.set(pat.head, token);
  }

  /** Whether it differs from a JWT that was handed out in its claims, or in nothing but its signature. */
  #isTampered(token: string): boolean {
    const signature = decodeJwt(token)?.parts[2];
    if (signature === undefined || this.#areSignaturesStripped) return false;
    return this.#bySignature.has(signature) || this.#signed.has(token.slice(0, -signature.length));
  }
}
