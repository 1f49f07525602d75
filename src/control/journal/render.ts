import type { Read } from '../../../contract-tests/secrets/sieve.ts';
import { asText } from '../../../contract-tests/values/json.ts';
import { utf8 } from '../../core/crypto.ts';
import { systemNow } from '../../core/real-time.ts';
import type { components } from '../../core/spec/control-types.ts';
import type { JournalBody, JournalEntry } from '../../core/world/journal.ts';
import { Mask, type Work } from './mask.ts';

type Schemas = components['schemas'];
export type Entry = Schemas['JournalEntry'];
type Header = Schemas['JournalHeader'];

/** A journal entry for clients, rendered with pauses. Where entries share a mask, later ones hide the secrets of earlier ones. */
export function* renderEntry(entry: JournalEntry, serverUrl: string, mask = new Mask()): Work<Entry> {
  const { answered, caller, error } = entry;
  // Read completely before rendering: an answer may repeat a secret of the request.
  const url = yield* mask.read(entry.url);
  const sent = yield* readMessage(sentPairs(entry.rawHeaders), entry.sentBody, mask);
  const received = answered && (yield* readMessage(answeredPairs(answered.headers), entry.answeredBody, mask));
  const message = yield* mask.read(error?.message ?? '');
  const request = { method: entry.method, url: yield* mask.hide(url), ...(yield* shown(sent, mask)) };
  return {
    id: entry.number,
    startedAt: new Date(entry.startedAt).toISOString(),
    worldTime: new Date(entry.worldTime).toISOString(),
    milliseconds: entry.milliseconds ?? systemNow() - entry.startedAt,
    outcome: entry.isDropped ? 'dropped' : answered ? 'answered' : 'pending',
    request,
    ...(answered && received && { response: { status: answered.status, ...(yield* shown(received, mask)) } }),
    basis: entry.basis,
    ...(caller && { actor: caller }),
    trace: traceOf(entry, yield* mask.hide(message)),
    curl: curlOf(request, serverUrl),
  };
}

const sentPairs = (raw: readonly string[]): Header[] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: raw[at + 1] ?? '' }] : []));

const answeredPairs = (headers: Readonly<Record<string, unknown>>): Header[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => ({ name: name.toLowerCase(), value: asText(one) })),
  );

interface Message {
  readonly headers: readonly { readonly name: string; readonly value: Read }[];
  readonly body: (Pick<JournalBody, 'size'> & { readonly text: Read }) | undefined;
}

function* readMessage(pairs: readonly Header[], body: JournalBody | undefined, mask: Mask): Work<Message> {
  const headers: { name: string; value: Read }[] = [];
  for (const { name, value } of pairs) headers.push({ name, value: yield* mask.read(value, name) });
  return { headers, body: body && { size: body.size, text: yield* mask.read(body.text) } };
}

function* shown({ headers, body }: Message, mask: Mask): Work<{ headers: Header[]; body?: Schemas['JournalBody'] }> {
  const pairs: Header[] = [];
  for (const { name, value } of headers) pairs.push({ name, value: yield* mask.hide(value) });
  if (!body) return { headers: pairs };
  const { size, text } = body;
  return { headers: pairs, body: { text: yield* mask.hide(text), size, cut: utf8(text.text).length < size } };
}

const refusedBody = ['validation', 'malformed-json', 'media-type', 'too-large'];
const refusedCaller = ['missing-credentials', 'invalid-credentials'];

function traceOf(entry: JournalEntry, message: string): Schemas['Trace'] {
  const { error, caller, operation, route, isValid } = entry;
  const kind = error?.kind ?? '';
  const isOpen = (operation ?? route) !== undefined && !entry.isProtected;
  const missing = isOpen ? ('not needed' as const) : ('not reached' as const);
  const authentication = caller
    ? { outcome: 'authenticated' as const, user: caller.user, via: caller.via }
    : { outcome: refusedCaller.includes(kind) ? ('refused' as const) : missing };
  return {
    ...(operation !== undefined && { operation }),
    ...(route !== undefined && { route }),
    validation: isValid ? 'valid' : refusedBody.includes(kind) ? 'refused' : 'not reached',
    authentication,
    ...(error && { error: { kind: error.kind, message } }),
    gaps: [...entry.gaps],
    faults: [...entry.faults],
    changes: entry.changes.map(({ fields, ...change }) => ({ ...change, ...(fields && { fields: [...fields] }) })),
    forced: entry.forced,
  };
}

/** Headers that curl sets itself, and headers of the connection. */
const omitted = ['host', 'connection', 'content-length', 'accept-encoding', 'user-agent', 'transfer-encoding'];

/** A request as a curl command. The variable TOKEN replaces bearer tokens. */
export function curlOf(
  { method, url, headers, body }: components['schemas']['JournalEntry']['request'],
  serverUrl: string,
): string {
  const parts = ['curl', '-i'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push('-X', method);
  parts.push(quoted(serverUrl + url));
  for (const { name, value } of headers) {
    if (omitted.includes(name.toLowerCase())) continue;
    const isCredentials = name.toLowerCase() === 'authorization' && value.startsWith('Bearer ');
    parts.push('-H', isCredentials ? `"${name}: Bearer $TOKEN"` : quoted(`${name}: ${value}`));
  }
  if (body) parts.push('--data-raw', quoted(body.text));
  return parts.join(' ');
}

const quoted = (text: string): string => (/^[\w:/.,@%+=~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
