/** Places where services and clients put secrets, and what shows whether a text has one: for properties of what is recorded. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Passed } from '../wire/passed.ts';
import { SPELLINGS, secrets } from './spelled.ts';

export const sent = (text: string | Buffer, headers: Record<string, string> = {}): Partial<Passed> => ({
  requestHeaders: headers,
  requestBody: Buffer.from(text),
});
export const answered = (text: string | Buffer, headers: Record<string, string> = {}): Partial<Passed> => ({
  responseHeaders: headers,
  responseBody: Buffer.from(text),
});
const percent = encodeURIComponent;
const xml = (text: string): string => SPELLINGS['HTML entities']?.(text) ?? text;
const json = (value: unknown): string => JSON.stringify(value);
/** A secret in letters and digits only, for what has no way to write others. */
const plain = (secret: string): string => secret.replace(/[^A-Za-z0-9]/g, 'q');
/** A URL of the service with this behind its path. */
const at = (rest: string): Partial<Passed> => ({ url: `http://127.0.0.1:4010/x${rest}` });

/** Where secrets are, each as those write it who put it there. */
const PLACES: Record<string, (secret: string) => Partial<Passed>> = {
  'a query': (secret) => at(`?a=1&access_token=${percent(secret)}&b=2`),
  'a query that leads on': (secret) => at(`?to=${percent(`/y?token=${percent(secret)}`)}`),
  'JSON in a query': (secret) => at(`?state=${percent(json({ token: secret }))}`),
  Location: (secret) => answered('', { location: `https://app.example.test/cb?code=${percent(secret)}&state=1` }),
  'the fragment of Location': (secret) => answered('', { Location: `/cb#id_token=${percent(secret)}&state=1` }),
  Referer: (secret) => sent('', { referer: `https://app.example.test/reset?token=${percent(secret)}#top` }),
  'the user of a URL': (secret) => answered(json({ webhook: `https://ada:${percent(secret)}@hooks.example.test/in` })),
  'a connection string': (secret) =>
    answered(json({ dsn: `postgres://ada:${percent(secret)}@db:5432/app?sslmode=on` })),
  'a connection string of fields': (secret) => sent(`Server=db;Uid=ada;Pwd=${plain(secret)};Encrypt=yes`),
  'a data source of Go': (secret) => answered(`dial ada:${plain(secret)}@tcp(db:3306)/app: refused`),
  'a form': (secret) => sent(String(new URLSearchParams({ name: 'ada', new_password: secret, x: '1' }))),
  'a form in parts': (secret) =>
    sent(
      `--b\r\nContent-Disposition: form-data; name="user"\r\n\r\nada\r\n--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n${secret}\r\n--b--\r\n`,
      { 'content-type': 'multipart/form-data; boundary=b' },
    ),
  JSON: (secret) => answered(json({ clientSecret: secret, title: 'A title' })),
  'a list': (secret) => answered(json({ passwords: ['short1', secret] })),
  'an object': (secret) => answered(json({ credentials: { db: { value: secret } } })),
  'a list of names and values': (secret) => sent(json({ fields: [{ name: 'Password', type: 'text', value: secret }] })),
  'JSON in JSON': (secret) => answered(json({ payload: json({ inner: json({ refresh_token: secret }) }) })),
  'JSON in base64': (secret) =>
    answered(json({ blob: Buffer.from(json({ access_token: secret })).toString('base64') })),
  'JSON that is cut': (secret) => answered(json({ a: [1, 2], token: secret, rest: 'of it' }).slice(0, -9)),
  'JSON with a comma too much': (secret) => sent(`{"user":"ada","password":${json(secret)},}`),
  'JSON by lines': (secret) => answered(`${json({ a: 1 })}\n${json({ session: { sid: secret } })}\n`),
  JavaScript: (secret) => answered(`callback({ token: '${plain(secret)}' })`),
  YAML: (secret) => answered(`user: ada\npassword: ${plain(secret)}\nrole: admin\n`),
  'an element': (secret) =>
    sent(`<?xml version="1.0"?><login><wsse:Password Type="a">${xml(secret)}</wsse:Password></login>`),
  'an element below': (secret) =>
    answered(`<credentials>\n<user>ada</user><x:value>${xml(secret)}</x:value></credentials>`),
  'an attribute': (secret) => answered(`<db user="ada" password="${xml(secret)}"/>`),
  'an element that an attribute names': (secret) => sent(`<param name="token">${xml(secret)}</param>`),
  'Bearer in a text': (secret) => answered(`The header Authorization: Bearer ${plain(secret)} was refused`),
  'Bearer in JSON': (secret) => answered(json({ message: `'Bearer ${plain(secret)}' is unknown` })),
  'compressed twice': (secret) =>
    answered(gzipSync(gzipSync(json({ token: secret }))), { 'content-encoding': 'gzip, gzip' }),
  'compressed twice, told once': (secret) =>
    answered(gzipSync(gzipSync(json({ token: secret }), { level: 0 }), { level: 0 }), { 'content-encoding': 'gzip' }),
  'a compressed request': (secret) => sent(gzipSync(json({ password: secret })), { 'Content-Encoding': 'gzip' }),
  UTF16: (secret) =>
    answered(Buffer.from(json({ token: secret }), 'utf16le'), { 'content-type': 'text/json; charset=utf-16le' }),
  'a cookie': (secret) => answered('', { 'set-cookie': `a=1; Path=/\nremember=${percent(secret)}; HttpOnly` }),
  'a header': (secret) => sent('', { 'x-api-key': plain(secret) }),
};

/** What first shows a secret, which is then echoed. */
const SHOWN: Record<string, (secret: string) => Partial<Passed>> = {
  Basic: (secret) => sent('', { Authorization: `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}` }),
  Bearer: (secret) => sent('', { authorization: `Bearer ${secret}` }),
  'a form': (secret) => sent(String(new URLSearchParams({ password: secret }))),
};
const ECHOED: Record<string, (spelled: string) => Partial<Passed>> = {
  'a query': (spelled) => at(`?q=${percent(spelled)}`),
  'a path': (spelled) => at(`/${percent(spelled)}/y`),
  JSON: (spelled) => answered(json({ message: `no such thing: ${spelled}` })),
  'a name in JSON': (spelled) => answered(json({ [spelled]: { a: 1 } })),
  text: (spelled) => answered(`before ${spelled} after`),
  'a header': (spelled) => answered('', { 'x-echo': spelled }),
  'a status text': (spelled) => ({ statusText: spelled }),
};

const withoutLast = (text: string): string => [...text].slice(0, -1).join('');

/** How a text shows a secret, or one without its last letter; empty where it does not. */
export function shows(text: string, secret: string): string[] {
  const values = [secret, plain(secret), withoutLast(secret), withoutLast(plain(secret))];
  const spelled = Object.values(SPELLINGS).flatMap((spell) => values.map(spell));
  return [...new Set(spelled.flatMap((each) => [each, json(each).slice(1, -1)]))].filter((each) => text.includes(each));
}

/** Secrets where a name or their form shows them, and the exchanges that have them. */
export const shownSecrets = fc
  .tuple(secrets, fc.constantFrom(...Object.values(PLACES)))
  .map(([secret, place]) => ({ secret, exchanges: [place(secret)] }));

/** Secrets that are shown once, and then echoed in some spelling. */
export const echoedSecrets = fc
  .tuple(
    secrets,
    fc.constantFrom(...Object.values(SHOWN)),
    fc.constantFrom(...Object.values(ECHOED)),
    fc.constantFrom(...Object.values(SPELLINGS)),
    fc.boolean(),
  )
  .map(([secret, show, echo, spell, isCut]) => ({
    secret,
    exchanges: [show(secret), echo(spell(isCut ? withoutLast(secret) : secret))],
  }));
