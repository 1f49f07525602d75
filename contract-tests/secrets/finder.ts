import { findKeys, fromBase64url, mayBeRandom } from '../values/secret-looks.ts';
import { credentialIn, type Found, type IsNew, passwordIn, type Range, SLICE } from './found.ts';
import { isNewAround, labelled } from './labels.ts';
import { isSecretValue, isWords, nameBelow, named, type SecretName, secretName } from './names.ts';

/** Of a cookie. */
const ATTRIBUTE = /^(path|domain|expires|max-age|samesite|priority|version|comment)$/i;
const [KEY, JWT, PAT, TOKEN] = [named('key'), named('JWT'), named('PAT'), named('token')];
const PASSWORD = named('password');

/** What has the form of a credential, wherever it is: a pattern, and what a match of it has. */
const FORMS: readonly [pattern: RegExp, read: (match: RegExpExecArray, text: string) => readonly Found[]][] = [
  [/\b(bearer|basic|token|apikey)[ \t]{1,9}([\w.~+/-]+=*)/gi, ofScheme],
  [/PRIVATE KEY-----/g, inPem],
  [/:\/\//g, inAuthority],
  [/@(?:tcp|unix)?\(/g, inDataSource],
  [/[\w.-]{16,}/g, tokensIn],
];

/**
 * Finds the values of a text that are secret by their names, in any format that has names, or by their own form. Nothing
 * need be well-formed, or whole. The work is linear; `undefined` comes now and then, so that the caller can do other things.
 */
export function* findSecrets(text: string, isNew: IsNew = () => true): Generator<Found | undefined> {
  yield* labelled(text, isNew);
  yield* elements(text, isNew);
  for (const [pattern, read] of FORMS) {
    let paused = 0;
    for (const match of text.matchAll(pattern)) {
      if (isNewAround({ from: match.index, to: match.index + match[0].length }, isNew, text)) yield* read(match, text);
      if (match.index - paused > SLICE) {
        paused = match.index;
        yield undefined;
      }
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

const ELEMENT = /<(?:\/([\w.:-]{1,64})|([A-Za-z_][\w.:-]{0,63})((?:[ \t\r\n][^<>]{0,1000})?)>)/g;
const ATTRIBUTE_NAME = /[ \t\r\n](?:name|key|id)=["']([^"']{1,64})["']/i;
const NO_CONTENT = /^(?:input|meta|link|img|label|button|form|select)$/i;

/** Finds the contents of elements whose name, or attribute, is that of a secret, or of one in such an element. */
function* elements(text: string, isNew: IsNew): Generator<Found | undefined> {
  const open: { tag: string; name: SecretName }[] = [];
  for (const { 0: all, 1: closed, 2: tag = '', 3: attributes = '', index } of text.matchAll(ELEMENT)) {
    const outer = open.at(-1);
    if (closed !== undefined && closed === outer?.tag) open.pop();
    if (closed !== undefined || attributes.endsWith('/') || NO_CONTENT.test(tag)) continue;
    const local = tag.slice(tag.indexOf(':') + 1);
    const own = secretName(local) ?? secretName(ATTRIBUTE_NAME.exec(attributes)?.[1] ?? '');
    const name = own ?? (outer && nameBelow(outer.name, local));
    if (!name || !isNewAround({ from: index, to: index + all.length }, isNew, text)) continue;
    let from = index + all.length;
    const isData = text.startsWith('<![CDATA[', from);
    if (isData) from += '<![CDATA['.length;
    const end = text.indexOf(isData ? ']]>' : '<', from);
    const to = end === -1 ? text.length : end;
    const value = text.slice(from, to);
    const start = from + value.length - value.trimStart().length;
    if (value.trim() === '' && !isData && /[A-Za-z]/.test(text[to + 1] ?? '')) open.push({ tag, name });
    // Prose names placeholders in that way, at the end of a text, too: `Bearer <token>.`
    else if (
      (isData || text.startsWith('</', to) || (to === text.length && /[\p{L}\p{N}]/u.test(value))) &&
      isSecretValue(name, value.trim())
    )
      yield { from: start, to: start + value.trim().length, name, style: isData ? 'string' : 'markup' };
  }
}

/** What follows a scheme of Authorization, wherever that is. */
function ofScheme({ 0: all, 1: scheme = '', 2: value = '', index }: RegExpExecArray): Found[] {
  const from = index + all.length - value.length;
  const inside = /^basic$/i.test(scheme) ? passwordIn(value) : undefined;
  if (inside === undefined && (isWords(value) || value.length < 6)) return [];
  return [{ from, to: from + value.length, name: TOKEN, style: 'string', ...(inside && { inside }) }];
}

function inPem({ 0: all, index }: RegExpExecArray, text: string): Found[] {
  const before = text.slice(Math.max(0, index - 40), index);
  if (before.lastIndexOf('END ') > before.lastIndexOf('BEGIN ')) return [];
  const from = index + all.length;
  const end = text.indexOf('-----END', from);
  return [{ from, to: end === -1 ? text.length : end, name: TOKEN, style: 'string' }];
}

/** `ada:secret@tcp(db:3306)`: the password of a data source that is no URL. */
function inDataSource({ index }: RegExpExecArray, text: string): Found[] {
  const before = text.slice(Math.max(0, index - 160), index);
  const source = before.split(/[\s@"'<>]/).at(-1) ?? '';
  const colon = source.indexOf(':');
  if (colon < 1 || colon === source.length - 1) return [];
  return [{ from: index - source.length + colon + 1, to: index, name: PASSWORD, style: 'form' }];
}

/** The password before the host of a URL, or the only name that is there. */
function inAuthority({ index }: RegExpExecArray, text: string): Found[] {
  const from = index + 3;
  const word = /^[^\s"<>\\]*/.exec(text.slice(from, from + 1000))?.[0] ?? '';
  const authority = word.split(/[/?#]/, 1)[0] ?? '';
  const colon = authority.indexOf(':');
  // Of a data source, a password may hold the signs that end an authority; a port has digits only.
  const isSource = !/(?:http|ws)s?:\/\/$/i.test(text.slice(Math.max(0, from - 8), from)) && !word.startsWith('[');
  const isCut = isSource && colon !== -1 && !authority.includes('@') && !/^\d*$/.test(authority.slice(colon + 1));
  const at = (isCut ? (word.split('?', 1)[0] ?? '') : authority).lastIndexOf('@');
  if (at <= colon + 1 || (colon === -1 && !mayBeRandom(word.slice(0, at)))) return [];
  return [{ from: from + colon + 1, to: from + at, name: PASSWORD, style: 'form' }];
}

/** Where a run of letters holds what looks like a JWT, a PAT (part 5), or the key of a well-known provider. */
function tokensIn({ 0: run, index: start }: RegExpExecArray): Found[] {
  const found: Found[] = findKeys(run).map(([from, to]) => ({
    from: start + from,
    to: start + to,
    name: KEY,
    style: 'string',
  }));
  const parts = run.split('.');
  let at = start;
  for (let index = 0; index + 1 < parts.length; index += 1) {
    const [part = '', next = ''] = parts.slice(index, index + 2);
    const jwt = index + 2 < parts.length && next !== '' ? startOfJwt(part) : -1;
    const pat = next.length >= 16 && mayBeRandom(next) ? startOfPat(part) : -1;
    const count = jwt === -1 ? 2 : /"enc"/.test(fromBase64url(part.slice(jwt))) ? 5 : 3;
    if (jwt !== -1 || pat !== -1) {
      const all = parts.slice(index, index + count).join('.');
      const [from, name] = jwt === -1 ? [pat, PAT] : [jwt, JWT];
      found.push({ from: at + from, to: at + all.length, name, style: 'string' });
      index += count - 1;
      at += all.length + 1;
    } else at += part.length + 1;
  }
  return found;
}

/** Where the header of a JWT begins, at the start of a word: `{"` in Base64url, and more of it. */
const startOfJwt = (part: string): number => /(?<=^|-)eyJ(?=.)/.exec(part)?.index ?? -1;

/** Where `<prefix>_<id>` begins, of which the part is made or at whose end it is. */
function startOfPat(part: string): number {
  const underscore = part.lastIndexOf('_');
  if (underscore < 1 || part.length - underscore <= 8) return -1;
  const start = part.lastIndexOf('-', underscore) + 1;
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(part.slice(start, underscore)) ? start : -1;
}
