import { asText, memberOf } from '../values/json.ts';

export type Scalar = string | number | boolean;

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

export const isId = (name = ''): boolean =>
  /(^|[_-])u?u?ids?$|[a-z]U?u?Id$/i.test(name) || /^(id|uuid|key)$/i.test(name);

/** What the values of a recording are at the target: by the name of their member, ids by themselves, too. */
export class Mapping {
  readonly #named = new Map<string, Scalar>();
  readonly #alone = new Map<string, Scalar>();

  /** Notes a counterpart. The first one stays: after one wrong answer, wrong ids would count as right ones. */
  bind(name: string, recorded: unknown, actual: unknown): void {
    if (!isScalar(recorded) || !isScalar(actual)) return;
    const key = keyOf(name, recorded);
    if (!this.#named.has(key)) this.#named.set(key, actual);
    const alone = asText(recorded);
    if (isId(name) && alone.length > 1 && !this.#alone.has(alone)) this.#alone.set(alone, actual);
  }

  /** The same of all members that both objects have. */
  bindAll(recorded: object = {}, actual: object = {}): void {
    for (const [name, value] of Object.entries(recorded)) this.bind(name, value, memberOf({ ...actual }, name));
  }

  /** The counterpart of a value; undefined where none is known. */
  of(name: string, recorded: unknown): Scalar | undefined {
    if (!isScalar(recorded)) return undefined;
    return this.#named.get(keyOf(name, recorded)) ?? this.#alone.get(asText(recorded));
  }
}

const keyOf = (name: string, value: Scalar): string => `${name.toLowerCase()} ${JSON.stringify(value)}`;

/** An identifier that nothing has, and that looks like a known one: the same kinds of characters, other ones at its end. */
export function unlike(id: string): string {
  const start = Math.max(0, id.length - 6);
  const turned = id.slice(start).replace(/[0-9a-z]/gi, (sign) => {
    if (/\d/.test(sign)) return String((Number(sign) + 5) % 10);
    const isHex = /^[a-f]$/i.test(sign);
    const code = sign.charCodeAt(0) - (sign >= 'a' ? 97 : 65);
    return String.fromCharCode((sign >= 'a' ? 97 : 65) + (isHex ? (code + 3) % 6 : 6 + ((code - 6 + 10) % 20)));
  });
  return id.slice(0, start) + turned;
}

/** Whether an unknown identifier was made to look like a known one: both are UUIDs or numbers, or begin alike. */
export function looksLike(id: string, known: string): boolean {
  const formOf = (text: string): string => text.replace(/\d/g, '0').replace(/[a-f]/gi, '0');
  const start = /^[a-z]+[_-]/i.exec(known)?.[0];
  return formOf(id) === formOf(known) || (start !== undefined && id.startsWith(start));
}
