import { utf8 } from '../../core/crypto.ts';
import type { JournalBody, JournalEntry } from '../../core/world/journal.ts';
import type { components } from '../control-types.ts';
import { curlOf } from './curl.ts';
import { Mask } from './mask.ts';

type Schemas = components['schemas'];
export type Entry = Schemas['JournalEntry'];
type Header = Schemas['JournalHeader'];

/**
 * A journal entry as clients get it. Rendered on demand.
 * @param mask of those that are rendered together: what one shows to be secret is masked in later ones
 */
export function renderEntry(entry: JournalEntry, serverUrl: string, mask = new Mask()): Entry {
  const { answered, caller, sentBody, answeredBody, error } = entry;
  // All of it is read before anything is shown: an answer may repeat what the request sent.
  const url = mask.read(entry.url);
  const sentHeaders = headersOf(sentPairs(entry.rawHeaders), mask);
  const sent = sentBody && bodyOf(sentBody, mask);
  const headers = answered && headersOf(answeredPairs(answered.headers), mask);
  const body = answeredBody && bodyOf(answeredBody, mask);
  const message = mask.read(error?.message ?? '');
  const request = { method: entry.method, url: url(), headers: sentHeaders(), ...(sent && { body: sent() }) };
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
        headers: headers?.() ?? [],
        ...(body && { body: body() }),
      },
    }),
    basis: entry.basis,
    ...(caller && { actor: caller }),
    trace: traceOf(entry, message),
    curl: curlOf(request, serverUrl),
  };
}

const sentPairs = (raw: readonly string[]): Header[] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: raw[at + 1] ?? '' }] : []));

const answeredPairs = (headers: Readonly<Record<string, unknown>>): Header[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => ({ name: name.toLowerCase(), value: String(one) })),
  );

function headersOf(headers: readonly Header[], mask: Mask): () => Header[] {
  const read = headers.map(({ name, value }) => ({ name, value: mask.readHeader(name, value) }));
  return () => read.map(({ name, value }) => ({ name, value: value() }));
}

function bodyOf({ text, size }: JournalBody, mask: Mask): () => Schemas['JournalBody'] {
  const read = mask.read(text);
  return () => ({ text: read(), size, cut: utf8(text).length < size });
}

const refusedBody = ['validation', 'malformed-json', 'media-type', 'too-large'];
const refusedCaller = ['missing-credentials', 'invalid-credentials'];

/** How the response was determined. */
function traceOf(entry: JournalEntry, message: () => string): Schemas['Trace'] {
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
    ...(error && { error: { kind: error.kind, message: message() } }),
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
