import { mayBeRandom } from '../values/secret-looks.ts';
import { credentialIn, type Found, type IsNew, type Range, SLICE } from './found.ts';
import { isSecretNumber, isSecretValue, isWords, nameBelow, type SecretName, secretName } from './names.ts';

/** A name, with the white space around it, is not longer. */
const NEAR = 80;
/** Between a member that names another one, and that one. */
const MAX_APART = 1000;
const NUMBER = /-?(\d+)(?:[.eE+-][\d.eE+-]*)?/y;
/** Members that name what another one holds: `{"name":"password","value":"…"}`. */
const NAMES_ANOTHER = /^(?:name|key|field|header|id|param|parameter)$/i;
const IS_NAMED = /^(?:value|val|text|content|default|data)$/i;
const NAME_SIGN = /[\w$.[\]-]/;
/** A value without quotes: of a field in a form or a URL, to which quotes and brackets belong, and in any other text. */
const FIELD = /(?:[^\s"<>&#;\\]+|\\(?![nrtu"'\\/])|;(?!$|[ \t]{0,2}(?:$|[\w .-]{1,40}=)|[ \t]))*/y;
const BARE = /(?:[^\s"<>&';,\\]+|\\(?![nrtu"'\\/])|[;,](?!$|[ \t]{0,2}(?:$|[\w .-]{1,40}=)|[ \t]))*/y;

/** Finds the values that have the name of a secret before them, behind `=` or `:`, in any format. */
export function* labelled(text: string, isNew: IsNew): Generator<Found | undefined> {
  const signs = /[=:]/g;
  let [paused, covered] = [0, 0];
  let pair: { name: SecretName; to: number } | undefined;
  for (let point = signs.exec(text); point; point = signs.exec(text)) {
    const [sign] = point;
    const at = point.index;
    if (at - paused > SLICE) {
      paused = at;
      yield undefined;
    }
    const isDouble = text[at + 1] === sign; // == and ::
    if (isDouble) signs.lastIndex = at + 2;
    if (isDouble || text.startsWith('://', at) || !isNewAround({ from: at, to: at }, isNew, text)) continue;
    const label = nameBefore(text, at);
    // A host and its port are no label.
    if (!label || !/[a-z]{2}/i.test(label.text) || (sign === ':' && /[/@]/.test(text[label.from - 1] ?? ''))) continue;
    const after = at + (/[=>]/.test(text[at + 1] ?? '') ? 2 : 1);
    const given = NAMES_ANOTHER.test(label.text) ? stringAt(text, after) : undefined;
    const other = given && nameIn(text, given);
    const isOfPair = pair && IS_NAMED.test(label.text) && isNear(text, pair.to, label.from);
    const name = isOfPair ? pair?.name : secretName(label.text);
    if (given) pair = other && { name: other, to: given.to };
    let found: Found | undefined;
    if (given && other) found = inPart(text, label.from, given.to, other);
    else if (name && label.isQuoted && /[[{]/.test(text[blanksAt(text, after)] ?? '')) {
      if (at >= covered) covered = yield* below(text, blanksAt(text, after), name);
    } else if (name) found = valueAt(text, label, after, name);
    if (!found) continue;
    yield found;
    signs.lastIndex = Math.max(found.to, signs.lastIndex);
  }
}

/** Whether a part of a text, or what is near it, has not been looked through before. */
export const isNewAround = ({ from, to }: Range, isNew: IsNew, { length }: string): boolean =>
  isNew(Math.max(0, from - NEAR), Math.min(length, to + NEAR));

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

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The value of a name, in quotes or without. */
function valueAt(text: string, label: Label, after: number, name: SecretName): Found | undefined {
  const string = stringAt(text, after);
  if (string) return credentialIn(text, string, name, 'string');
  const from = blanksAt(text, after);
  const [number, digits = ''] = (label.isQuoted && matchAt(NUMBER, text, from)) || [];
  if (number !== undefined)
    return isSecretNumber(name, digits) ? { from, to: from + number.length, name, style: 'number' } : undefined;
  if (text[after - 1] !== ':') {
    const isField = label.from === 0 || /[?&#]/.test(text[label.from - 1] ?? '');
    if (text[after] === ' ' && isField) return undefined;
    const to = isField ? from + (matchAt(FIELD, text, from)?.[0].length ?? 0) : bareEnd(text, from);
    return credentialIn(text, { from, to }, name, 'form');
  }
  let lineStart = label.from;
  while (label.from - lineStart < NEAR && /[ \t-]/.test(text[lineStart - 1] ?? '')) lineStart -= 1;
  const isLine = lineStart === 0 || text[lineStart - 1] === '\n';
  const lineEnd = isLine ? text.indexOf('\n', from) : -1;
  const to = lineEnd !== -1 ? lineEnd : isLine ? text.length : bareEnd(text, from);
  const value = text.slice(from, to).trimEnd();
  return !isLine && isWords(value) ? undefined : credentialIn(text, { from, to: from + value.length }, name, 'string');
}

/** Where a value without quotes ends, in a text: what may end a sentence does not belong to it. */
function bareEnd(text: string, from: number): number {
  let to = from + (matchAt(BARE, text, from)?.[0].length ?? 0);
  while (to > from && /[.,;:!?)\]}]/.test(text[to - 1] as string)) to -= 1;
  return to;
}

/** All values in a list or object that a secret's name has; gives its end. */
function* below(text: string, start: number, above: SecretName): Generator<Found | undefined, number> {
  const names = [''];
  const signs = /[[\]{}"']|-?\d[\d.eE+-]*/g;
  signs.lastIndex = start;
  let paused = start;
  for (let next = signs.exec(text); next; next = signs.exec(text)) {
    const [sign] = next;
    if (next.index - paused > SLICE) {
      paused = next.index;
      yield undefined;
    }
    if (sign === '[' || sign === '{') names.push(names.at(-1) ?? '');
    else if (sign === ']' || sign === '}') {
      names.pop();
      if (names.length === 1) return signs.lastIndex;
    } else {
      const isText = sign === '"' || sign === "'";
      const from = next.index + Number(isText);
      const to = isText ? stringEnd(text, from, sign) : signs.lastIndex;
      const value = text.slice(from, to);
      if (isText) signs.lastIndex = to + 1;
      if (isText && text[blanksAt(text, to + 1)] === ':') names[names.length - 1] = value;
      else {
        const name = nameBelow(above, names.at(-1) ?? '');
        const isSecret = isText
          ? name
            ? isSecretValue(name, value)
            : mayBeRandom(value)
          : name && (name.isOutright || isSecretNumber(name, /\d+/.exec(value)?.[0] ?? ''));
        if (isSecret) yield { from, to, name: name ?? above, style: isText ? 'string' : 'number' };
      }
    }
  }
  return text.length;
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
