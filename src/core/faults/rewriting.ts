import { fromBase64url, toBase64url, utf8, utf8Text } from '../crypto.ts';
import { presenting, receiving } from './change.ts';
import type { Hooks } from './fault.ts';

/** Maps every value in a JSON value, innermost first; `name` is the member that holds it. */
export const mapJson = (value: unknown, change: (value: unknown, name: string) => unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value), (name, each) => change(each, name));

/** Hooks that map the JSON of every response. */
export const mappingJson = (change: (value: unknown, name: string) => unknown): Hooks =>
  presenting(({ body }) => ({ body: mapJson(body, change) }));

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value));

/** Hooks that write every date-time in another form of ISO 8601. */
export const timesAs = (form: (time: number) => string): Hooks =>
  mappingJson((value, name) => (name.endsWith('_at') && isTime(value) ? form(Date.parse(value)) : value));

/** A time in ISO 8601, so many minutes from UTC, without offset and fraction of a second. */
export const localTime = (time: number, minutes: number): string =>
  new Date(time + minutes * 60_000).toISOString().slice(0, 19);

export interface IdForm {
  readonly write: (id: string) => string;
  /** `undefined` if `text` is not in this format. */
  readonly read: (text: string) => string | undefined;
}

export const opaque: IdForm = {
  write: (id) => toBase64url(`~${id}`),
  read: (text) => {
    const read = fromBase64url(text);
    return read?.startsWith('~') ? read.slice(1) : undefined;
  },
};

/** Ids that are digits, too long for a JavaScript number. */
export const numeric: IdForm = {
  write: (id) => `9${[...utf8(id)].map((byte) => String(byte).padStart(3, '0')).join('')}`,
  read: (text) => {
    const bytes = /^9((\d{3})+)$/.exec(text)?.[1]?.match(/\d{3}/g)?.map(Number);
    return bytes?.every((byte) => byte < 256) ? utf8Text(Uint8Array.from(bytes)) : undefined;
  },
};

const idInPath = /^(\/v1\/(?:echo\/recordings|admin\/tenants)\/)([^/?]+)/;

/** Hooks that use another format of ids, in responses and in paths. */
export const idsAs = ({ write, read }: IdForm): Hooks => ({
  ...receiving(({ url }) => ({
    url: url.replace(idInPath, (_all, start, id) => `${start}${read(decodeURIComponent(id)) ?? 'unknown'}`),
  })),
  ...mappingJson((value, name) => (/^(user_)?id$/.test(name) ? write(String(value)) : value)),
});
