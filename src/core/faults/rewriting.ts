import { fromBase64url, toBase64url, utf8, utf8Text } from '../crypto.ts';
import type { Delivery } from '../message.ts';
import type { Answer, AnswerContext } from '../operations/behaviour.ts';
import type { Hooks } from './hooks.ts';

/** Changes every value in a JSON value, from the inside out; `name` is the member that it stands under. */
export function mapJson(value: unknown, change: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value))
    return change(
      value.map((item) => mapJson(item, change, name)),
      name,
    );
  if (typeof value !== 'object' || value === null) return change(value, name);
  const members = Object.entries(value).map(([key, member]) => [key, mapJson(member, change, key)]);
  return change(Object.fromEntries(members), name);
}

/** Hooks that say every answer of the API in other JSON. */
export const saying = (change: (value: unknown, name: string) => unknown): Hooks => ({
  present: (answer: Answer) => ({ ...answer, body: mapJson(answer.body, change) }),
});

/** Hooks that write every answer with another text or other headers. */
export const writing = (change: (delivery: Delivery, context: AnswerContext) => Partial<Delivery>): Hooks => ({
  deliver: (delivery, context) => ({ ...delivery, ...change(delivery, context) }),
});

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value));

/** Hooks that write every date-time in another of the forms that ISO 8601 has. */
export const timesAs = (form: (time: number) => string): Hooks =>
  saying((value, name) => (name.endsWith('_at') && isTime(value) ? form(Date.parse(value)) : value));

/** A time as ISO 8601 in a zone that is so many minutes ahead, with any digits after the second. */
export function inZone(time: number, minutes: number, fraction: string): string {
  const local = new Date(time + minutes * 60_000).toISOString().slice(0, 19);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${local}${fraction}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}

/** Another way to write ids, both ways. */
export interface IdForm {
  readonly write: (id: string) => string;
  /** `undefined` where no id is written so. */
  readonly read: (text: string) => string | undefined;
}

/** Ids that say nothing. */
export const opaque: IdForm = {
  write: (id) => toBase64url(`~${id}`),
  read: (text) => {
    const read = fromBase64url(text);
    return read?.startsWith('~') ? read.slice(1) : undefined;
  },
};

/** Ids that look like numbers, longer than a number in JavaScript can be. */
export const numeric: IdForm = {
  write: (id) => `9${[...utf8(id)].map((byte) => String(byte).padStart(3, '0')).join('')}`,
  read: (text) => {
    const bytes = /^9((\d{3})+)$/.exec(text)?.[1]?.match(/\d{3}/g)?.map(Number);
    return bytes?.every((byte) => byte < 256) ? utf8Text(Uint8Array.from(bytes)) : undefined;
  },
};

const idInPath = /^(\/v1\/(?:echo\/recordings|admin\/tenants)\/)([^/?]+)/;

/** Hooks under which ids are written so, in answers and in paths. */
export const idsAs = ({ write, read }: IdForm): Hooks => ({
  receive: (arrival) => ({
    ...arrival,
    url: arrival.url.replace(idInPath, (_all, start, id) => `${start}${read(decodeURIComponent(id)) ?? 'unknown'}`),
  }),
  ...saying((value, name) => (/^(user_)?id$/.test(name) ? write(String(value)) : value)),
});
