/** Replaces a secret. */
export const masked = '[masked]';

/** Headers whose values are secrets, in lower case. */
const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key'];

/** Names of fields and parameters with secret values, case-insensitive, with or without underscores. */
const secretNames =
  /^(access|refresh|id|api)?_?token$|^password$|^passwd$|secret|^key$|^authorization$|^credentials?$/i;

// Texts of the journal come from outside: no pattern below goes back over what it has read, however long it is.

/** Runs of what tokens are written with. */
const runs = /[\w.-]+/g;

/** A member of JSON up to its value, a text. Longer names, and more white space, are nothing that people write. */
const memberStart = /"([\w-]{1,128})"\s{0,32}:\s{0,32}"/g;

/** The rest of a text in JSON, which may be cut. */
const restOfText = /[^"\\]*(?:\\.[^"\\]*)*"?/y;

/** A header's value without secrets; the authentication scheme is kept. */
export function maskedHeader(name: string, value: string): string {
  if (!secretHeaders.includes(name.toLowerCase())) return maskedText(value);
  const [, scheme] = /^([A-Za-z][\w-]*) +\S/.exec(value) ?? [];
  return scheme === undefined ? masked : `${scheme} ${masked}`;
}

/** A text without tokens and without the values of secret JSON members. */
export const maskedText = (text: string): string => withoutTokens(withoutSecretMembers(text));

const withoutTokens = (text: string): string => text.replace(runs, (run) => (run.includes('.') ? maskedRun(run) : run));

/** What looks like a JWT, or like a PAT (part 5), masked wherever it stands between other words. */
function maskedRun(run: string): string {
  const parts = run.split('.');
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const [part = '', next = ''] = parts.slice(at, at + 2);
    const jwt = at + 2 < parts.length && next !== '' ? startOfJwt(part) : -1;
    const pat = next.length >= 16 ? startOfPat(part) : -1;
    const start = jwt === -1 ? pat : jwt;
    kept.push(start === -1 ? part : part.slice(0, start) + masked);
    if (jwt !== -1) at += 2;
    else if (pat !== -1) at += 1;
  }
  return kept.join('.');
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
  return /^[A-Za-z][A-Za-z0-9]*$/.test(part.slice(start, underscore)) ? start : -1;
}

function withoutSecretMembers(text: string): string {
  let kept = '';
  let from = 0;
  memberStart.lastIndex = 0;
  for (let found = memberStart.exec(text); found; found = memberStart.exec(text)) {
    const [start, name = ''] = found;
    if (!secretNames.test(name)) {
      // The quote that ends one text of broken JSON may begin a name.
      memberStart.lastIndex = found.index + name.length + 2;
      continue;
    }
    const value = found.index + start.length;
    restOfText.lastIndex = value;
    restOfText.test(text);
    kept += `${text.slice(from, value)}${masked}"`;
    from = Math.max(restOfText.lastIndex, value);
    memberStart.lastIndex = from;
  }
  return kept + text.slice(from);
}

/** A URL without secrets in its query. */
export function maskedUrl(url: string): string {
  const [path = '', ...query] = url.split('?');
  if (query.length === 0) return maskedText(path);
  const pairs = query
    .join('?')
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=');
      return secretNames.test(decode(name)) ? `${name}=${masked}` : maskedText(pair);
    });
  return `${maskedText(path)}?${pairs.join('&')}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A JSON value without secrets. */
export function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutTokens(value);
  if (Array.isArray(value)) return value.map(maskedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretNames.test(name) && member !== null && typeof member !== 'object' ? masked : maskedValue(member),
    ]),
  );
}
