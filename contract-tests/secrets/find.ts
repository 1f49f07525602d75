/** Finds the values of a text that are secret by their names, in any format that has names, or by their own form. */
import { findKeys, fromBase64url, mayBeRandom } from '../values/secret-looks.ts';
import type { Range } from './known.ts';
import { isSecretNumber, isSecretValue, isWords, nameBelow, named, type SecretName, secretName } from './names.ts';
import { placeIn, textOf, type View } from './views.ts';

interface Part extends Range {
  name: SecretName;
  /** Whether it is a number in JSON, in whose place only such a one may stand. */
  isNumber?: boolean;
}

export interface Found extends Part {
  /** As it is written. */
  value: string;
  /** A password that it holds in base64. */
  inside?: string;
}

const [TOKEN, PASSWORD] = [named('token'), named('password')];

/** What has the form of a credential, wherever it is: the last group is the credential, and ends the match. Linear. */
const FORMS: readonly [name: SecretName, pattern: RegExp, isSecret?: (value: string) => boolean][] = [
  [TOKEN, /\b(?:bearer|basic|token|apikey)[ \t]{1,9}([\w.~+/-]+=*)/gi, (value) => value.length >= 6 && !isWords(value)],
  [TOKEN, /(?<!END [A-Z ]{0,20})PRIVATE KEY-----([^-]+)/g],
  // The password, or the only name, before the host of a URL; other data sources hold the signs that end an authority, too.
  [PASSWORD, /(?:http|ws)s?:\/\/[^\s"<>\\/?#@:]{0,300}:([^\s"<>\\/?#]{1,1000})(?=@)/gi],
  [PASSWORD, /(?<!\b(?:http|ws)s?):\/\/[^\s"<>\\/?#@:]{0,300}:([^\s"<>\\]{1,1000})(?=@)/gi],
  [PASSWORD, /:\/\/([^\s"<>\\/?#@:]{1,1000})(?=@)/g, mayBeRandom],
  [PASSWORD, /(?<=[\w.-]:)([^\s@:"'<>]{1,160})(?=@(?:tcp|unix)?\()/g],
  [named('JWT'), /(?<![\w-])(?=[\w-]+\.[\w-]*\.)(?:[\w-]*?-)?(eyJ[\w-]+\.[\w-]*\.[\w-]*(?:\.[\w-]+\.[\w-]+)?)/g],
  [
    named('PAT'),
    /(?<![\w-])(?=[\w-]+\.[\w-]{10})(?:[\w-]*-)?([A-Za-z][A-Za-z0-9_]*_[A-Za-z0-9-]{3,}\.[\w-]+)/g,
    (value) => mayBeRandom(value.slice(value.indexOf('.') + 1)),
  ],
];

/** Finds what a view of a text shows, in the places of the text. Nothing need be well-formed, or whole; the work is linear. */
export function* findIn(view: View): Generator<Found> {
  const { text } = view;
  for (const part of partsIn(text)) {
    const scheme = SCHEME.exec(text.slice(part.from, part.to))?.[0] ?? '';
    const [end = ''] = text.slice(part.from + scheme.length, part.to).split('\0', 1);
    const [from, value] = [part.from + scheme.length, view.isGuess ? textOf(end) : end];
    if (value === '') continue;
    const isBasic = /basic[ \t]+$/i.test(text.slice(Math.max(0, from - 9), from));
    yield {
      ...part,
      from: placeIn(view, from),
      to: placeIn(view, from + end.length),
      value,
      ...(isBasic && { inside: passwordIn(value) }),
    };
  }
}

const SCHEME = /^(?:bearer|basic|token|apikey|digest|negotiate)[ \t]+/i;

/** The password in Basic credentials. */
const passwordIn = (credentials: string): string | undefined =>
  /^[^:]*:(.+)$/s.exec(textOf(fromBase64url(credentials)))?.[1];

function* partsIn(text: string): Generator<Part> {
  yield* labelled(text);
  yield* elements(text);
  for (const [name, pattern, isSecret = () => true] of FORMS)
    for (const { 0: all, 1: value = '', index } of text.matchAll(pattern))
      if (isSecret(value)) yield { from: index + all.length - value.length, to: index + all.length, name };
  for (const [from, to] of findKeys(text)) yield { from, to, name: named('key') };
}

/** Of a cookie. */
const ATTRIBUTE = /^\s*(path|domain|expires|max-age|samesite|priority|version|comment)$/i;

/** Finds the secrets that a header's name tells of: a credential behind its scheme, or the values of cookies. */
export function findInHeader(header: string, text: string): Found[] {
  const name = secretName(header);
  if (!name) return [];
  const isCookie = /cookie/i.test(header);
  // Of several that are set, some put all on one line.
  const values = isCookie ? /(?<=(?:^|[;\n,])([^=;\n,]*)=)(?:[^;\n,]|,(?![ \t]*[\w-]+=))+/g : /^.+$/gs;
  return [...text.matchAll(values)].flatMap(({ 0: value, 1: cookie = '', index }) => {
    const scheme = SCHEME.exec(value)?.[0] ?? '';
    const [from, to] = [index + scheme.length, index + value.length];
    const label = { name: isCookie ? 'cookie' : `${header} header`, isPassword: name.isPassword, isOutright: true };
    if (ATTRIBUTE.test(cookie) || !isSecretValue(label, text.slice(from, to))) return [];
    const written = text.slice(from, to);
    return [
      { from, to, name: label, value: written, inside: /^basic/i.test(scheme) ? passwordIn(written) : undefined },
    ];
  });
}

/** A name in quotes or without, and the sign that its value follows. */
const LABEL =
  /(?<=["'](?<quoted>[^"'\n]{1,64})["'][ \t\r\n]{0,9}|(?<bare>[\w.$[\]-]{1,64})[ \t]{0,9})(?:=>|=(?!=)|:(?!:|\/\/))[ \t\r\n]{0,80}/g;
/** A value without quotes, and what may end a sentence behind it. */
const BARE = /(?:[^\s"<>&;,\\\0]+|\\(?![nrtu"'\\/])|[;,](?!$|[ \t]{0,2}(?:$|[\w .-]{1,40}=)|[ \t]))*/y;
const SENTENCE_END = /[.,;:!?)\]}']+$/;
const NUMBER = /-?(\d+)(?:[.eE+-][\d.eE+-]*)?/y;
const LINE = /[^\n]*/y;
/** Members that name what another one holds: `{"name":"password","value":"…"}`, or a part of a form that is sent in parts. */
const NAMES_ANOTHER = /^(?:name|key|field|header|id|param|parameter)$/i;
const OTHER = /[^{}<>]{0,1000}?\b(?:value|val|text|content|default|data)["']?[ \t]{0,9}[:=][ \t\r\n]{0,80}/iy;
const PART_OF_FORM = /[^\n]{0,200}\n(?:[^\r\n]{1,200}\r?\n){0,9}\r?\n((?:(?!\r?\n--)[\s\S])*)/y;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Finds the values that have the name of a secret before them, behind `=` or `:`, in any format. */
function* labelled(text: string): Generator<Part> {
  LABEL.lastIndex = 0;
  for (const { 0: sign, index, groups = {} } of text.matchAll(LABEL)) {
    const { quoted, bare = '' } = groups;
    const label = quoted ?? bare;
    const at = index + sign.length;
    if (NAMES_ANOTHER.test(label)) yield* namedIn(text, at);
    // A host and its port are no label.
    const start = index - label.length;
    const name =
      /[a-z]{2}/i.test(label) && !(quoted === undefined && sign.startsWith(':') && /[/@]/.test(text[start - 1] ?? ''))
        ? secretName(label)
        : undefined;
    if (name && quoted !== undefined && /[[{]/.test(text[at] ?? '')) yield* below(text, at, name);
    else if (name)
      yield* valueAt(text, at, name, quoted !== undefined, sign.startsWith(':') && isLineStart(text, start));
  }
}

/** The value of a member that another one names. */
function* namedIn(text: string, at: number): Generator<Part> {
  const given = stringAt(text, at);
  if (!given || given.to - given.from > 64) return;
  const label = text.slice(given.from, given.to);
  const name = /^[A-Za-z][A-Za-z _.-]+$/.test(label) ? secretName(label) : undefined;
  if (!name) return;
  const other = matchAt(OTHER, text, given.to);
  if (other) yield* valueAt(text, OTHER.lastIndex, name, true, false);
  const part = matchAt(PART_OF_FORM, text, given.to);
  if (part && isSecretValue(name, part[1] ?? ''))
    yield { from: PART_OF_FORM.lastIndex - (part[1] ?? '').length, to: PART_OF_FORM.lastIndex, name };
}

/** Whether only a list's sign and white space are before a name in its line. */
function isLineStart(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 80), at);
  return /(?:^|\n)[ \t-]*$/.test(before);
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

/** The value of a name, in quotes or without. */
function* valueAt(text: string, at: number, name: SecretName, isJson: boolean, isLine: boolean): Generator<Part> {
  const string = stringAt(text, at);
  const [number, digits = ''] = (isJson && !string && matchAt(NUMBER, text, at)) || [];
  if (number !== undefined) {
    if (isSecretNumber(name, digits)) yield { from: at, to: at + number.length, name, isNumber: true };
    return;
  }
  const [bare = ''] = matchAt(isLine ? LINE : BARE, text, at) ?? [];
  const value = isLine ? bare.trimEnd() : bare.replace(SENTENCE_END, '');
  const { from, to } = string ?? { from: at, to: at + value.length };
  // Prose, such as `invalid token: expired`.
  if (!string && !isLine && text[at - 1] !== '=' && isWords(value)) return;
  if (isSecretValue(name, text.slice(from, to).replace(SCHEME, ''))) yield { from, to, name };
}

/** All values in a list or object that a secret's name has. */
function* below(text: string, start: number, above: SecretName): Generator<Part> {
  const names: string[] = [];
  const signs = /[[\]{}"']|-?\d[\d.eE+-]*/g;
  signs.lastIndex = start;
  for (let next = signs.exec(text); next; next = signs.exec(text)) {
    const [sign] = next;
    if (sign === '[' || sign === '{') names.push(names.at(-1) ?? '');
    else if (sign === ']' || sign === '}') {
      names.pop();
      if (names.length === 0) return;
    } else {
      const string = stringAt(text, next.index);
      const { from, to } = string ?? { from: next.index, to: signs.lastIndex };
      const value = text.slice(from, to);
      if (string) signs.lastIndex = to + 1;
      if (string && /^["']\s{0,80}:/.test(text.slice(to, to + 82))) names[names.length - 1] = value;
      else {
        const name = nameBelow(above, names.at(-1) ?? '');
        const isSecret = name
          ? string
            ? isSecretValue(name, value)
            : name.isOutright || isSecretNumber(name, /\d+/.exec(value)?.[0] ?? '')
          : string && mayBeRandom(value);
        if (isSecret) yield { from, to, name: name ?? above, isNumber: !string };
      }
    }
  }
}
const ELEMENT =
  /<(\/?)([A-Za-z_][\w.:-]{0,63})((?:[ \t\r\n][^<>]{0,1000})?)>(?:<!\[CDATA\[([\s\S]{0,10000}?)\]\]>|([^<]*))(?=(<\/)?)/g;
const NAME_OF_ELEMENT = /[ \t\r\n](?:name|key|id)=["']([^"']{1,64})["']/i;

/** Finds the contents of elements whose name, or attribute, is that of a secret, or of one in such an element. */
function* elements(text: string): Generator<Part> {
  let outer: { tag: string; name: SecretName } | undefined;
  for (const {
    0: all,
    1: closing,
    2: tag = '',
    3: attributes = '',
    4: data,
    5: content = '',
    6: end,
    index,
  } of text.matchAll(ELEMENT)) {
    if (closing && tag === outer?.tag) outer = undefined;
    if (closing || attributes.endsWith('/')) continue;
    const local = tag.slice(tag.indexOf(':') + 1);
    const own = secretName(local) ?? secretName(NAME_OF_ELEMENT.exec(attributes)?.[1] ?? '');
    const name = own ?? (outer && nameBelow(outer.name, local));
    const value = data ?? content.trim();
    const to = index + all.length - (data === undefined ? content.length - content.trimEnd().length : ']]>'.length);
    if (!name) continue;
    if (value === '') outer ??= { tag, name };
    // Prose names placeholders in that way, at the end of a text, too: `Bearer <token>.`
    else if (
      (data !== undefined || end || (to === text.length && /[\p{L}\p{N}]/u.test(value))) &&
      isSecretValue(name, value)
    )
      yield { from: to - value.length, to, name };
  }
}
