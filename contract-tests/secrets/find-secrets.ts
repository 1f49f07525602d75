import { findKeys, fromBase64url, mayBeRandom } from '../values/secret-looks.ts';
import { credentialIn, type Found, type IsNew, type Range, SLICE } from './found.ts';
import { namedSecrets } from './named-values.ts';
import { named, secretName } from './names.ts';

/** Whether a letter is one of those that tokens are written with; how many make one. */
const isOfRun = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w.-]/.test(String.fromCharCode(code))));
const MIN_RUN = 16;
/** Of a cookie. */
const ATTRIBUTE = /^(path|domain|expires|max-age|samesite|priority|version|comment)$/i;
const [KEY, JWT, PAT] = [named('key'), named('JWT'), named('PAT')];

/**
 * Finds the values of a text that are secret by their names, in whatever format it has names, or by their own form. Nothing
 * need be well-formed, or whole. The work is linear; `undefined` comes now and then, for whoever has other things to do.
 * @param isNew whether a part has not been looked through before: what names a secret in it may be new
 */
export function* findSecrets(text: string, isNew: IsNew = () => true): Generator<Found | undefined> {
  yield* namedSecrets(text, isNew);
  for (let at = 0, paused = 0; at < text.length; at += 1) {
    const start = at;
    while (isOfRun[text.charCodeAt(at)] === 1) at += 1;
    if (at - start < MIN_RUN || !isNew(start, at)) continue;
    for (const found of tokensIn(text.slice(start, at)))
      yield { ...found, from: start + found.from, to: start + found.to };
    if (at - paused > SLICE) {
      paused = at;
      yield undefined;
    }
  }
}

/** Finds the secrets that a header's name tells of: a credential behind its scheme, or the values of cookies. */
export function findInHeader(header: string, text: string): Found[] {
  const name = secretName(header);
  if (!name) return [];
  const isCookie = /cookie/i.test(header);
  const label = { ...name, name: isCookie ? 'cookie' : `${header} header`, isOutright: true };
  const ranges = isCookie ? cookieValues(text) : [{ from: 0, to: text.length }];
  return ranges.flatMap((range) => credentialIn(text, range, label, 'string') ?? []);
}

/** Where the values of cookies are; the attributes of one that is set are no secrets. */
function cookieValues(text: string): Range[] {
  let at = 0;
  // Of several that are set, some put all on one line.
  return text.split(/[;\n]|,(?=[ \t]*[\w-]+=)/).flatMap((pair) => {
    const [name = '', to] = [pair.split('=', 1)[0], at + pair.length];
    at = to + 1;
    return ATTRIBUTE.test(name.trim()) || name === pair ? [] : [{ from: at - pair.length + name.length, to }];
  });
}

/** Where a run of letters holds what looks like a JWT, a PAT (part 5), or the key of a well-known provider. */
function tokensIn(run: string): Found[] {
  const found: Found[] = findKeys(run).map(([from, to]) => ({ from, to, name: KEY, style: 'string' }));
  const parts = run.split('.');
  let at = 0;
  for (let index = 0; index + 1 < parts.length; index += 1) {
    const [part = '', next = ''] = parts.slice(index, index + 2);
    const jwt = index + 2 < parts.length && next !== '' ? startOfJwt(part) : -1;
    const pat = next.length >= 16 && mayBeRandom(next) ? startOfPat(part) : -1;
    const count = jwt === -1 ? 2 : /"enc"/.test(fromBase64url(part.slice(jwt))) ? 5 : 3;
    if (jwt !== -1 || pat !== -1) {
      const all = parts.slice(index, index + count).join('.');
      const [start, name] = jwt === -1 ? [pat, PAT] : [jwt, JWT];
      found.push({ from: at + start, to: at + all.length, name, style: 'string' });
      index += count - 1;
      at += all.length + 1;
    } else at += part.length + 1;
  }
  return found;
}

/** Where the header of a JWT begins, at the start of a word: `{"` in Base64url, and more of it. */
function startOfJwt(part: string): number {
  for (let at = part.indexOf('eyJ'); at !== -1; at = part.indexOf('eyJ', at + 1))
    if ((at === 0 || part[at - 1] === '-') && part.length > at + 3) return at;
  return -1;
}

/** Where `<prefix>_<id>` begins, of which the part is made or at whose end it stands. */
function startOfPat(part: string): number {
  const underscore = part.lastIndexOf('_');
  if (underscore < 1 || part.length - underscore <= 8) return -1;
  const start = part.lastIndexOf('-', underscore) + 1;
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(part.slice(start, underscore)) ? start : -1;
}
