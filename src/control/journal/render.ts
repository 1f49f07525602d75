import { utf8 } from '../../core/crypto.ts';
import type { JournalBody, JournalEntry } from '../../core/world/journal.ts';
import type { components } from '../control-types.ts';
import { curlOf } from './curl.ts';
import { maskedHeader, maskedText, maskedUrl, maskedValue } from './mask.ts';

type Schemas = components['schemas'];
export type Entry = Schemas['JournalEntry'];
type Header = Schemas['JournalHeader'];

/** A journal entry as clients get it. Rendered on demand. */
export function renderEntry(entry: JournalEntry, serverUrl: string): Entry {
  const { answered, caller, sentBody, answeredBody } = entry;
  const request = {
    method: entry.method,
    url: maskedUrl(entry.url),
    headers: sentHeaders(entry.rawHeaders),
    ...(sentBody && { body: bodyOf(sentBody, entry.isJson) }),
  };
  const headers = answered && answeredHeaders(answered.headers);
  return {
    id: entry.number,
    startedAt: new Date(entry.startedAt).toISOString(),
    worldTime: new Date(entry.worldTime).toISOString(),
    milliseconds: entry.milliseconds ?? Date.now() - entry.startedAt,
    outcome: entry.isDropped ? 'dropped' : answered ? 'answered' : 'pending',
    request,
    ...(answered && {
      response: {
        status: answered.status,
        headers: headers ?? [],
        ...(answeredBody && { body: bodyOf(answeredBody, false) }),
      },
    }),
    basis: entry.basis,
    ...(caller && { actor: caller }),
    trace: traceOf(entry),
    curl: curlOf(request, serverUrl),
  };
}

function sentHeaders(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    headers.push({ name, value: maskedHeader(name, value) });
  }
  return headers;
}

const answeredHeaders = (headers: Readonly<Record<string, unknown>>): Header[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => ({ name: name.toLowerCase(), value: maskedHeader(name, String(one)) })),
  );

function bodyOf({ text, size }: JournalBody, isJson: boolean): Schemas['JournalBody'] {
  const cut = utf8(text).length < size;
  // Complete JSON can be masked by member name.
  if (isJson && !cut) return { text: JSON.stringify(maskedValue(JSON.parse(text))), size, cut };
  return { text: maskedText(text), size, cut };
}

const refusedBody = ['validation', 'malformed-json', 'media-type', 'too-large'];
const refusedCaller = ['missing-credentials', 'invalid-credentials'];

/** How the response was determined. */
function traceOf(entry: JournalEntry): Schemas['Trace'] {
  const { error, caller, operation, route, isValid, isProtected } = entry;
  const authentication = caller
    ? { outcome: 'authenticated' as const, user: caller.user, via: caller.via }
    : {
        outcome: isRefused(error?.kind, refusedCaller)
          ? ('refused' as const)
          : missing(operation !== undefined || route !== undefined, isProtected),
      };
  return {
    ...(operation !== undefined && { operation }),
    ...(route !== undefined && { route }),
    validation: isValid ? 'valid' : isRefused(error?.kind, refusedBody) ? 'refused' : 'not reached',
    authentication,
    ...(error && { error: { kind: error.kind, message: maskedText(error.message) } }),
    gaps: [...entry.gaps],
    faults: [...entry.faults],
    changes: entry.changes.map(({ fields, ...change }) => ({ ...change, ...(fields && { fields: [...fields] }) })),
    forced: entry.forced,
  };
}

const isRefused = (kind: string | undefined, kinds: readonly string[]): boolean =>
  kind !== undefined && kinds.includes(kind);

const missing = (isFound: boolean, isProtected: boolean): 'not needed' | 'not reached' =>
  isFound && !isProtected ? 'not needed' : 'not reached';
