import { mayBeRandom } from '../values/secret-looks.ts';
import { credentialIn, type Found, type IsNew, passwordIn, type Range, SLICE } from './found.ts';
import { isSecretNumber, isSecretValue, isWords, nameBelow, named, type SecretName, secretName } from './names.ts';

/** A name, with the white space around it, is not longer. */
const NEAR = 80;
/** Between a member that names another one, and that one. */
const MAX_APART = 1000;
/** What comes before a value: the end of a name, an element, a scheme of Authorization, the head of a PEM file. */
const POINT = /[=:<]|\b(?:bearer|basic|token|apikey)[ \t]|PRIVATE KEY-----/gi;
const CREDENTIAL = /[ \t]{0,8}([\w.~+/-]+=*)/y;
const NUMBER = /-?(\d+)(?:[.eE+-][\d.eE+-]*)?/y;
const ELEMENT = /([A-Za-z_][\w.:-]{0,63})((?:[ \t\r\n][^<>]{0,1000})?)>/y;
const ATTRIBUTE_NAME = /[ \t\r\n](?:name|key|id)=["']([^"']{1,64})["']/i;
const NO_CONTENT = /^(?:input|meta|link|img|label|button|form|select)$/i;
/** Members that name what another one holds: `{"name":"password","value":"…"}`. */
const NAMES_ANOTHER = /^(?:name|key|field|header|id|param|parameter)$/i;
const IS_NAMED = /^(?:value|val|text|content|default|data)$/i;
const GO_SOURCE = /([^\s@"'<>]{1,128})@(?:tcp|unix)?\(/y;
const NAME_SIGN = /[\w$.[\]-]/;

const TOKEN = named('token');
const PASSWORD = named('password');

/** Finds the values of a text that are secret by their names, or by what comes before them. */
export function* namedSecrets(text: string, isNew: IsNew): Generator<Found | undefined> {
  const points = new RegExp(POINT);
  const elements: { tag: string; name: SecretName }[] = [];
  let [paused, covered] = [0, 0];
  let pair: { name: SecretName; to: number } | undefined;
  for (let point = points.exec(text); point; point = points.exec(text)) {
    const at = point.index;
    if (at - paused > SLICE) {
      paused = at;
      yield undefined;
    }
    if (!isNew(Math.max(0, at - NEAR), Math.min(text.length, at + NEAR))) continue;
    const sign = point[0];
    let found: Found | undefined;
    if (sign === '<') found = inElement(text, at, elements);
    else if (sign.length > 1)
      found = sign.endsWith('-') ? inPem(text, points.lastIndex) : ofScheme(text, at, points.lastIndex);
    else if (text[at + 1] === sign)
      points.lastIndex = at + 2; // == and ::
    else if (text.startsWith('://', at)) found = inAuthority(text, at + 3);
    else {
      const label = nameBefore(text, at);
      // A host and its port.
      if (!label || !/[a-z]{2}/i.test(label.text) || (sign === ':' && /[/@]/.test(text[label.from - 1] ?? '')))
        continue;
      const after = at + (/[=>]/.test(text[at + 1] ?? '') ? 2 : 1);
      const given = NAMES_ANOTHER.test(label.text) ? stringAt(text, after) : undefined;
      const other = given && nameIn(text, given);
      const isOfPair = pair && IS_NAMED.test(label.text) && isNear(text, pair.to, label.from);
      const name = isOfPair ? pair?.name : secretName(label.text);
      if (given) pair = other && { name: other, to: given.to };
      if (given && other) found = inPart(text, label.from, given.to, other);
      else if (!name) found = sign === ':' ? inDataSource(text, after) : undefined;
      else if (label.isQuoted && /[[{]/.test(text[blanksAt(text, after)] ?? '')) {
        if (at >= covered) covered = yield* below(text, blanksAt(text, after), name);
      } else found = valueAt(text, label, after, name);
    }
    if (!found) continue;
    yield found;
    points.lastIndex = Math.max(found.to, points.lastIndex);
  }
}

/** A value that may be the name of another one. */
function nameIn(text: string, { from, to }: Range): SecretName | undefined {
  const value = to - from < NEAR ? text.slice(from, to) : '';
  return /^[A-Za-z][A-Za-z _.-]+$/.test(value) ? secretName(value) : undefined;
}

/** Whether two places are in one object, or one element. */
const isNear = (text: string, from: number, to: number): boolean =>
  to - from < MAX_APART && !/[{}<>]/.test(text.slice(from, to));

const isBlank = (sign: string | undefined): boolean => sign === ' ' || sign === '\t' || sign === '\r' || sign === '\n';

/** Where white space ends. */
function blanksAt(text: string, from: number): number {
  let at = from;
  while (at - from < NEAR && isBlank(text[at])) at += 1;
  return at;
}

interface Label {
  text: string;
  from: number;
  isQuoted: boolean;
}

/** The name that ends at a place. */
function nameBefore(text: string, at: number): Label | undefined {
  const first = Math.max(0, at - NEAR);
  let end = at;
  while (end > first && isBlank(text[end - 1])) end -= 1;
  const quote = text[end - 1];
  const isQuoted = quote === '"' || quote === "'";
  let from = isQuoted ? end - 2 : end;
  while (from >= first && (isQuoted ? text[from] !== quote : NAME_SIGN.test(text[from - 1] ?? ''))) from -= 1;
  if (!isQuoted) return from === end ? undefined : { text: text.slice(from, end), from, isQuoted };
  return from < first ? undefined : { text: text.slice(from + 1, end - 1), from, isQuoted };
}

/** The text between quotes, which may begin here; broken text may lack the second one. */
function stringAt(text: string, after: number): Range | undefined {
  let at = blanksAt(text, after);
  if (/[bur]/i.test(text[at] ?? '') && /["']/.test(text[at + 1] ?? '')) at += 1;
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return undefined;
  return { from: at + 1, to: stringEnd(text, at + 1, quote) };
}

function stringEnd(text: string, from: number, quote: string): number {
  let at = from;
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
  return Math.min(at, text.length);
}

/** The value of a name, in quotes or without. */
function valueAt(text: string, label: Label, after: number, name: SecretName): Found | undefined {
  const string = stringAt(text, after);
  if (string) return credentialIn(text, string, name, 'string');
  const from = blanksAt(text, after);
  if (label.isQuoted) {
    NUMBER.lastIndex = from;
    const [number, digits = ''] = NUMBER.exec(text) ?? [];
    if (number !== undefined)
      return isSecretNumber(name, digits) ? { from, to: from + number.length, name, style: 'number' } : undefined;
  }
  const before = text[label.from - 1];
  if (text[after - 1] !== ':') {
    // As forms and URLs begin a field: then quotes and brackets belong to it.
    const isField = before === undefined || /[?&#]/.test(before);
    return text[after] === ' ' && isField
      ? undefined
      : credentialIn(text, { from, to: bareEnd(text, from, isField) }, name, 'form');
  }
  let lineStart = label.from;
  while (label.from - lineStart < NEAR && /[ \t-]/.test(text[lineStart - 1] ?? '')) lineStart -= 1;
  const isLine = lineStart === 0 || text[lineStart - 1] === '\n';
  const lineEnd = isLine ? text.indexOf('\n', from) : -1;
  const to = lineEnd !== -1 ? lineEnd : isLine ? text.length : bareEnd(text, from, false);
  const value = text.slice(from, to).trimEnd();
  return !isLine && isWords(value) ? undefined : credentialIn(text, { from, to: from + value.length }, name, 'string');
}

/** Where a value without quotes ends. */
function bareEnd(text: string, from: number, isField: boolean): number {
  let to = from;
  for (; to < text.length; to += 1) {
    const sign = text[to] as string;
    if (isBlank(sign) || sign === '"' || sign === '<' || sign === '>' || sign === '&') break;
    if (isField ? sign === '#' : sign === "'") break;
    if (sign === '\\' && /[nrtu"'\\/]/.test(text[to + 1] ?? '')) break;
    if (
      (sign === ';' || (sign === ',' && !isField)) &&
      /^[;,](?:$|[ \t]{0,2}(?:$|[\w .-]{1,40}=)|[ \t])/.test(text.slice(to, to + NEAR))
    )
      break;
  }
  if (!isField) while (to > from && /[.,;:!?)\]}]/.test(text[to - 1] as string)) to -= 1;
  return to;
}

/** All values in a list or object that a secret's name has; gives its end. */
function* below(text: string, start: number, above: SecretName): Generator<Found | undefined, number> {
  const names = [''];
  let [at, paused] = [start, start];
  while (at < text.length) {
    const sign = text[at] as string;
    if (at - paused > SLICE) {
      paused = at;
      yield undefined;
    }
    const from = at;
    at += 1;
    if (sign === '[' || sign === '{') names.push(names.at(-1) ?? '');
    else if (sign === ']' || sign === '}') {
      names.pop();
      if (names.length === 1) return at;
    } else if (sign === '"' || sign === "'") {
      const to = stringEnd(text, at, sign);
      const value = text.slice(at, to);
      at = to + 1;
      if (text[blanksAt(text, at)] === ':') names[names.length - 1] = value;
      else {
        const name = nameBelow(above, names.at(-1) ?? '');
        if (name ? isSecretValue(name, value) : mayBeRandom(value))
          yield { from: from + 1, to, name: name ?? above, style: 'string' };
      }
    } else if (/[\d-]/.test(sign)) {
      NUMBER.lastIndex = from;
      const [number = sign, digits = ''] = NUMBER.exec(text) ?? [];
      const name = nameBelow(above, names.at(-1) ?? '');
      at = from + number.length;
      if (digits && name && (name.isOutright || isSecretNumber(name, digits)))
        yield { from, to: at, name, style: 'number' };
    }
  }
  return at;
}

/** The content of an element whose name, or attribute, is that of a secret, or of one in such an element. */
function inElement(text: string, at: number, open: { tag: string; name: SecretName }[]): Found | undefined {
  ELEMENT.lastIndex = at + 1;
  const [all, tag = '', attributes = ''] = ELEMENT.exec(text) ?? [];
  const outer = open.at(-1);
  if (all === undefined) {
    if (outer && text.startsWith(`/${outer.tag}`, at + 1)) open.pop();
    return undefined;
  }
  if (attributes.endsWith('/') || NO_CONTENT.test(tag)) return undefined;
  const local = tag.slice(tag.indexOf(':') + 1);
  const own = secretName(local) ?? secretName(ATTRIBUTE_NAME.exec(attributes)?.[1] ?? '');
  const name = own ?? (outer && nameBelow(outer.name, local));
  if (!name) return undefined;
  let from = at + 1 + all.length;
  const isData = text.startsWith('<![CDATA[', from);
  if (isData) from += '<![CDATA['.length;
  const end = text.indexOf(isData ? ']]>' : '<', from);
  const to = end === -1 ? text.length : end;
  const value = text.slice(from, to);
  if (value.trim() === '' && !isData) {
    if (/[A-Za-z]/.test(text[to + 1] ?? '')) open.push({ tag, name });
    return undefined;
  }
  const isWhole = isData || to === text.length || text.startsWith('</', to);
  const start = from + value.length - value.trimStart().length;
  return isWhole && isSecretValue(name, value.trim())
    ? { from: start, to: start + value.trim().length, name, style: isData ? 'string' : 'markup' }
    : undefined;
}

/** The content of a part of a form that is sent in parts. */
function inPart(text: string, at: number, named: number, name: SecretName): Found | undefined {
  const before = text.slice(Math.max(0, at - MAX_APART), at);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (!line.toLowerCase().startsWith('content-disposition:')) return undefined;
  const head = /\r?\n\r?\n/.exec(text.slice(named, named + MAX_APART));
  if (!head) return undefined;
  const from = named + head.index + head[0].length;
  const end = text.indexOf('\n--', from);
  const value = text.slice(from, end === -1 ? text.length : end).trimEnd();
  return isSecretValue(name, value) ? { from, to: from + value.length, name, style: 'string' } : undefined;
}

/** What a scheme of Authorization is followed by, wherever it stands. */
function ofScheme(text: string, at: number, after: number): Found | undefined {
  CREDENTIAL.lastIndex = after;
  const [all = '', value = ''] = CREDENTIAL.exec(text) ?? [];
  const from = after + all.length - value.length;
  const inside = /^basic/i.test(text.slice(at, at + 5)) ? passwordIn(value) : undefined;
  if (inside === undefined && (isWords(value) || value.length < 6)) return undefined;
  return { from, to: from + value.length, name: TOKEN, style: 'string', ...(inside && { inside }) };
}

function inPem(text: string, from: number): Found {
  const end = text.indexOf('-----END', from);
  return { from, to: end === -1 ? text.length : end, name: TOKEN, style: 'string' };
}

/** The password before the host of a URL, or the only name that is there. */
function inAuthority(text: string, from: number): Found | undefined {
  const word = /^[^\s"<>\\]*/.exec(text.slice(from, from + 1000))?.[0] ?? '';
  const authority = word.split(/[/?#]/, 1)[0] ?? '';
  const colon = authority.indexOf(':');
  // Of a data source, a password may hold the signs that end an authority; a port has digits only.
  const isSource = !/(?:http|ws)s?:\/\/$/i.test(text.slice(Math.max(0, from - 8), from)) && !word.startsWith('[');
  const isCut = isSource && colon !== -1 && !authority.includes('@') && !/^\d*$/.test(authority.slice(colon + 1));
  const at = (isCut ? (word.split('?', 1)[0] ?? '') : authority).lastIndexOf('@');
  if (at <= colon + 1) return undefined;
  const isName = colon === -1 && !mayBeRandom(word.slice(0, at));
  return isName ? undefined : { from: from + colon + 1, to: from + at, name: PASSWORD, style: 'form' };
}

/** `ada:secret@tcp(db:3306)`: the password of a data source that is no URL. */
function inDataSource(text: string, after: number): Found | undefined {
  GO_SOURCE.lastIndex = after;
  const [, password] = GO_SOURCE.exec(text) ?? [];
  return password === undefined
    ? undefined
    : { from: after, to: after + password.length, name: PASSWORD, style: 'form' };
}
