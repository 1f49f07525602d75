import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../http/exchange.ts';
import type { KeptBody } from '../../world/journal.ts';
import type { StoreChange } from '../../world/store.ts';
import type { components } from '../control-types.ts';
import { curlOf } from './curl.ts';
import { maskedHeader, maskedText, maskedUrl, maskedValue } from './mask.ts';

type Schemas = components['schemas'];
export type Entry = Schemas['JournalEntry'];
type Header = Schemas['JournalHeader'];

/** A request of the journal as clients see it. Rendered when somebody looks, never before. */
export function rendered(exchange: Exchange, serverUrl: string): Entry {
  const { answered, caller, sentBody } = exchange;
  const request = {
    method: exchange.method,
    url: maskedUrl(exchange.url),
    headers: sentHeaders(exchange.rawHeaders),
    ...(sentBody && { body: bodyOf(sentBody) }),
  };
  const headers = answered && answeredHeaders(answered.headers);
  return {
    id: exchange.number,
    startedAt: new Date(exchange.startedAt).toISOString(),
    worldTime: new Date(exchange.worldTime).toISOString(),
    milliseconds: exchange.milliseconds ?? Date.now() - exchange.startedAt,
    outcome: exchange.isDropped ? 'dropped' : answered ? 'answered' : 'pending',
    request,
    ...(answered && {
      response: {
        status: answered.status,
        headers: headers ?? [],
        ...(answered.body && { body: bodyOf(answered.body) }),
      },
    }),
    basis: headers?.find(({ name }) => name === 'x-mock-basis')?.value ?? exchange.basis,
    ...(caller && { actor: { user: caller.user.id, username: caller.user.username, via: caller.via } }),
    trace: traceOf(exchange),
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

function bodyOf(kept: KeptBody): Schemas['JournalBody'] {
  if ('value' in kept) return { text: JSON.stringify(maskedValue(kept.value)), size: kept.size, cut: false };
  return { text: maskedText(kept.start), size: kept.size, cut: Buffer.byteLength(kept.start) < kept.size };
}

const refusedBody = ['validation', 'malformed-json', 'media-type', 'too-large'];
const refusedCaller = ['missing-credentials', 'invalid-credentials'];

/** How the answer came about. */
function traceOf(exchange: Exchange): Schemas['Trace'] {
  const { error, caller, plan, isValid, world } = exchange;
  const kind = error?.kind.kind;
  const isProtected = plan?.isProtected === true;
  const authentication = caller
    ? { outcome: 'authenticated' as const, user: caller.user.id, via: caller.via }
    : { outcome: isRefused(kind, refusedCaller) ? ('refused' as const) : missing(plan !== undefined, isProtected) };
  return {
    ...(plan && { operation: plan.id }),
    validation: isValid ? 'valid' : isRefused(kind, refusedBody) ? 'refused' : 'not reached',
    authentication,
    ...(error && kind && { error: { kind, message: maskedText(error.message) } }),
    gaps: [...exchange.decidedBy].map((id) => ({ id, answer: exchange.api.answers.get(id) ?? world.answers.get(id) })),
    faults: [...exchange.faults],
    changes: exchange.changes.map(changeOf),
    forced: exchange.forced,
  };
}

const isRefused = (kind: string | undefined, kinds: readonly string[]): boolean =>
  kind !== undefined && kinds.includes(kind);

const missing = (isFound: boolean, isProtected: boolean): 'not needed' | 'not reached' =>
  isFound && !isProtected ? 'not needed' : 'not reached';

function changeOf({ table, before, after }: StoreChange): Schemas['Trace']['changes'][number] {
  const { id } = (after ?? before) as { id: string };
  if (!after) return { resource: table, id, change: 'deleted' };
  if (!before) return { resource: table, id, change: 'created' };
  const [was, is] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const fields = Object.keys({ ...was, ...is }).filter((field) => !isDeepStrictEqual(was[field], is[field]));
  return { resource: table, id, change: 'updated', fields };
}
