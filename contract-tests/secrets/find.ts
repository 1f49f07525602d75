/** Finds the values of a text that are secret by their names, in any format that has names, or by their own form. */
import { findKeys, fromBase64url, mayBeRandom } from '../values/secret-looks.ts';
import type { Range } from './known.ts';
import { isSecretNumber, isSecretValue, isWords, nameBelow, named, type SecretName, secretName } from './names.ts';
import { placeIn, reversed, textOf, type View } from './views.ts';

interface Part extends Range {
  name: SecretName;
  /** Whether it is a number in JSON, in whose place only such a one may stand. */
  isNumber?: boolean;
}

export interface Found extends Part {
  value: string;
  /** A password that it holds in base64. */
  inside?: string;
}

const [TOKEN, PASSWORD] = [named('token'), named('password')];

/** What has the form of a credential, wherever it is: the last group is the credential, and ends the match. Linear. */
const FORMS: readonly [name: SecretName, pattern: RegExp, isSecret?: (value: string) => boolean][] = [
  [TOKEN, /\b(?:bearer|basic|token|apikey)[ \t]{1,9}([\w.~+/-]+=*)/gi, (value) => value.length >= 6 && !isWords(value)],
  [TOKEN, /BEGIN [A-Z ]{0,20}PRIVATE KEY-----([^-]+)/g],
  // The password, or the only name, before the host of a URL; other data sources hold the signs that end an authority, too.
  [PASSWORD, /(?:http|ws)s?:\/\/[^\s"<>\\/?#@:]{0,300}:([^\s"<>\\/?#]{1,1000})(?=@)/gi],
  [PASSWORD, /(?<!\b(?:http|ws)s?):\/\/[^\s"<>\\/?#@:]{0,300}:([^\s"<>\\/@]{1,300})(?=@)/gi],
  [PASSWORD, /:\/\/([^\s"<>\\/?#@:]{1,1000})(?=@)/g, mayBeRandom],
  [PASSWORD, /(?<=[\w.-]:)([^\s@:"'<>]{1,160})(?=@(?:tcp|unix)?\()/g],
  [named('JWT'), /(?<![\w-])(?=[\w-]+\.[\w-]*\.)(?:[\w-]*?-)?(eyJ[\w-]+\.[\w-]*\.[\w-]*(?:\.[\w-]+\.[\w-]+)?)/g],
  [
    named('PAT'),
    /(?<![\w-])(?=[\w-]+\.[\w-]{10})(?:[\w-]*-)?([A-Za-z][A-Za-z0-9_]*_[A-Za-z0-9-]{3,}\.[\w-]+)/g,
    (value) => mayBeRandom(value.slice(value.indexOf('.') + 1)),
  ],
];

const SCHEME = /^(?:bearer|basic|token|apikey|digest|negotiate)[ \t]+/i;

/** Finds what a view of a text shows, which may be cut or malformed; a header's name may say that all of it is secret. Linear. */
export function* findIn(view: View, header = ''): Generator<Found> {
  const { text } = view;
  for (const part of partsIn(text, header)) {
    const scheme = SCHEME.exec(text.slice(part.from, part.to))?.[0] ?? '';
    const from = part.from + scheme.length;
    const [written = ''] = text.slice(from, part.to).split('\0', 1);
    const value = view.isGuess ? textOf(written) : written;
    if (value === '' || !(part.isNumber || isSecretValue(part.name, value))) continue;
    const isBasic = /basic[ \t]+$/i.test(text.slice(Math.max(0, from - 9), from));
    const inside = isBasic ? /^[^:]*:(.+)$/s.exec(textOf(fromBase64url(value)))?.[1] : undefined;
    yield { ...part, from: placeIn(view, from), to: placeIn(view, from + written.length), value, inside };
  }
}

function* partsIn(text: string, header: string): Generator<Part> {
  yield* inHeader(text, header);
  yield* labelled(text);
  yield* elements(text);
  for (const [name, pattern, isSecret = () => true] of FORMS)
    for (const { 0: all, 1: value = '', index } of text.matchAll(pattern))
      if (isSecret(value)) yield { from: index + all.length - value.length, to: index + all.length, name };
  for (const [from, to] of findKeys(text)) yield { from, to, name: named('key') };
}

/** Of several cookies that are set, some put all on one line. */
const COOKIE = /(?<=(?:^|[;\n,])([^=;\n,]*)=)(?:[^;\n,]|,(?![ \t]*[\w-]+=))+/g;
const ATTRIBUTE = /^\s*(path|domain|expires|max-age|samesite|priority|version|comment)$/i;

/** All of a header whose name tells of a secret, or the values of cookies. */
function* inHeader(text: string, header: string): Generator<Part> {
  const name = secretName(header);
  if (!name) return;
  const isCookie = /cookie/i.test(header);
  const label = { ...name, name: isCookie ? 'cookie' : `${header} header`, isOutright: true };
  if (!isCookie) yield { from: 0, to: text.length, name: label };
  else
    for (const { 0: value, 1: cookie = '', index } of text.matchAll(COOKIE))
      if (!ATTRIBUTE.test(cookie)) yield { from: index, to: index + value.length, name: label };
}

/** Only a list's sign and white space are before a name in its line. */
const LINE_START = /^[ \t-]*(?:\n|$)/;
const SIGN = /(?:=>|=(?!=)|:(?!:|\/\/))[ \t\r\n]{0,80}/g;
/** A name in quotes or without, in the text before a sign from its end to its start; of a long name its end. */
const LABEL = /^(?:[ \t\r\n]{0,9}["']([^"'\n]{1,64})["']|[ \t]{0,9}([\w.$[\]-]{1,64}))/;

/** A value without quotes, and what may end a sentence behind it. */
const BARE = /(?:[^\s"<>&;,\\\0]+|\\(?![nrtu"'\\/])|[;,](?!$|[ \t]{0,2}(?:$|[\w .-]{1,40}=)|[ \t]))*/y;
const SENTENCE_END = /(?<![.,;:!?)\]}'])[.,;:!?)\]}']+$/;
const NUMBER = /-?\d+(?:[.eE+-][\d.eE+-]*)?/y;
const LINE = /[^\n]*/y;
/** Members that name what another one holds: `{"name":"password","value":"…"}`, or a part of a form that is sent in parts. */
const NAMES_ANOTHER = /^(?:name|key|field|header|id|param|parameter)$/i;
const OTHER = /[^{}<>]{0,1000}?\b(?:value|val|text|content|default|data)["']?[ \t]{0,9}[:=][ \t\r\n]{0,80}/iy;
const PART_OF_FORM = /[^\n]{0,200}\n(?:[^\r\n]{1,200}\r?\n){0,9}\r?\n((?:(?!\r?\n--)[\s\S]){0,8000})/y;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Finds the values that have the name of a secret before them, behind `=` or `:`, in any format. */
function* labelled(text: string): Generator<Part> {
  let covered = 0;
  for (const { 0: sign, index } of text.matchAll(SIGN)) {
    const at = index + sign.length;
    const before = reversed(text.slice(Math.max(0, index - 160), index));
    const [all = '', quoted, bare = quoted] = LABEL.exec(before) ?? [];
    if (bare === undefined || at < covered) continue;
    const label = reversed(bare);
    const [start, isColon] = [index - all.length, sign.startsWith(':')];
    const isHost = isColon && quoted === undefined && /[/@]/.test(text[start - 1] ?? ''); // and a port
    const name = isHost || !/[a-z]{2}/i.test(label) ? undefined : secretName(label);
    const isJson = quoted !== undefined;
    // Where quotes are escaped, another view of the text has the values.
    if (name && isJson && /[[{]/.test(text[at] ?? ''))
      covered = label.endsWith('\\') ? at : yield* below(text, at, name);
    else {
      const own = name && valueAt(text, at, name, isJson, isColon && LINE_START.test(before.slice(all.length)));
      for (const part of NAMES_ANOTHER.test(label) ? [own, ...namedIn(text, at)] : [own])
        if (part) {
          yield part;
          covered = part.to;
        }
    }
  }
}

function namedIn(text: string, at: number): (Part | undefined)[] {
  const given = stringAt(text, at);
  if (!given || given.to - given.from > 64) return [];
  const label = text.slice(given.from, given.to);
  const name = /^[A-Za-z][A-Za-z _.-]+$/.test(label) ? secretName(label) : undefined;
  if (!name) return [];
  const other = matchAt(OTHER, text, given.to) ? valueAt(text, OTHER.lastIndex, name, true, false) : undefined;
  const [, content = ''] = matchAt(PART_OF_FORM, text, given.to) ?? [];
  const to = PART_OF_FORM.lastIndex;
  return [other, content === '' ? undefined : { from: to - content.length, to, name }];
}

/** The text between quotes, which may begin here; broken text may lack the second one. */
function stringAt(text: string, after: number): Range | undefined {
  const from = after + (/[bur]["']/i.test(text.slice(after, after + 2)) ? 2 : 1);
  const quote = text[from - 1];
  if (quote !== '"' && quote !== "'") return undefined;
  let to = from;
  while (to < text.length && text[to] !== quote) to += text[to] === '\\' ? 2 : 1;
  return { from, to: Math.min(to, text.length) };
}

function valueAt(text: string, at: number, name: SecretName, isJson: boolean, isLine: boolean): Part | undefined {
  const string = stringAt(text, at);
  const [number] = (isJson && !string && matchAt(NUMBER, text, at)) || [];
  if (number !== undefined)
    return isSecretNumber(name, number) ? { from: at, to: at + number.length, name, isNumber: true } : undefined;
  const [bare = ''] = matchAt(isLine ? LINE : BARE, text, at) ?? [];
  const value = isLine ? bare.trimEnd() : bare.replace(SENTENCE_END, '');
  const { from, to } = string ?? { from: at, to: at + value.length };
  // Prose, such as `invalid token: expired`.
  if (!string && !isLine && text[at - 1] !== '=' && isWords(value)) return undefined;
  return isSecretValue(name, text.slice(from, to).replace(SCHEME, '')) ? { from, to, name } : undefined;
}

/** All values in a list or object that a secret's name has; gives its end. */
function* below(text: string, start: number, above: SecretName): Generator<Part, number> {
  const names: string[] = [];
  const signs = /[[\]{}"']|-?\d[\d.eE+-]*/g;
  signs.lastIndex = start;
  for (let next = signs.exec(text); next; next = signs.exec(text)) {
    const [sign] = next;
    if (sign === '[' || sign === '{') names.push(names.at(-1) ?? '');
    else if (sign === ']' || sign === '}') {
      names.pop();
      if (names.length === 0) return signs.lastIndex;
    } else {
      const string = stringAt(text, next.index);
      const { from, to } = string ?? { from: next.index, to: signs.lastIndex };
      const value = text.slice(from, to);
      if (string) signs.lastIndex = to + 1;
      if (string && /^["']\s{0,80}:/.test(text.slice(to, to + 82))) names[names.length - 1] = value;
      else {
        const name = nameBelow(above, names.at(-1) ?? '');
        const isSecret = string ? name || mayBeRandom(value) : name?.isOutright || isSecretNumber(name ?? above, value);
        if (isSecret) yield { from, to, name: name ?? above, isNumber: !string };
      }
    }
  }
  return text.length;
}

const ELEMENT =
  /<(?<closing>\/?)(?<tag>[A-Za-z_][\w.:-]{0,63})(?<attributes>(?:[ \t\r\n][^<>]{0,1000})?)>(?:<!\[CDATA\[)?(?<content>[^<]*)(?=(?<end><\/)?)/g;
const NAME_OF_ELEMENT = /[ \t\r\n](?:name|key|id)=["']([^"']{1,64})["']/i;

/** Finds the contents of elements whose name, or attribute, is that of a secret, or of one in such an element. */
function* elements(text: string): Generator<Part> {
  let outer: { tag: string; name: SecretName } | undefined;
  for (const { 0: all, index, groups = {} } of text.matchAll(ELEMENT)) {
    const { closing, tag = '', attributes = '', content = '', end } = groups;
    if (closing && tag === outer?.tag) outer = undefined;
    if (closing || attributes.endsWith('/')) continue;
    const local = tag.slice(tag.indexOf(':') + 1);
    const own = secretName(local) ?? secretName(NAME_OF_ELEMENT.exec(attributes)?.[1] ?? '');
    const name = own ?? (outer && nameBelow(outer.name, local));
    const value = content.trim().replace(/\]\]>$/, '');
    const to = index + all.length;
    const from = to - content.length + content.indexOf(value);
    if (name && value === '') outer ??= { tag, name };
    // Prose names placeholders in that way: `Bearer <token>.`, which may be a string in JSON; an element that is cut off has a value.
    else if (name && (end || (to === text.length && !value.includes('"') && /[\p{L}\p{N}]/u.test(value))))
      yield { from, to: from + value.length, name };
  }
}
