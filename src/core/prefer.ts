import { bodyGaps, contentOfStatus } from './error-body.ts';
import type { Exchange } from './exchange.ts';
import { headerOf } from './message.ts';
import { apiError } from './operations/api-error.ts';
import type { Answer } from './operations/behaviour.ts';
import { type Example, examplesOf, type Handle } from './publish/examples.ts';

/** The longest `Prefer: wait=…`, in seconds. */
const longestWait = 600;

/** An example of a custom route. */
export interface PreferableExample {
  readonly name: string | undefined;
  readonly status: number;
  readonly answer: () => Promise<Answer>;
}

/** The answer of `Prefer: code=503` (as Prism) or `Prefer: example=NAME`, without side effects, if asked for; `Prefer: wait=2` (RFC 7240) delays any. */
export async function answerPreferred(
  exchange: Exchange,
  handle: Handle,
  ofRoute: readonly PreferableExample[] = [],
): Promise<Answer | undefined> {
  const header = headerOf(exchange.received.headers, 'prefer') ?? '';
  const wait = preferenceIn(header, 'wait');
  if (wait !== undefined) applyWait(exchange, wait);
  if (exchange.route?.takesPreferences) return undefined;
  const code = preferenceIn(header, 'code');
  const name = preferenceIn(header, 'example');
  if (code === undefined && name === undefined) return undefined;
  const { plan, world, route } = exchange;
  const chosen = ofRoute.find(
    (one) => (name === undefined || name === one.name) && (code === undefined || code === String(one.status)),
  );
  if (chosen) {
    noteApplied(exchange, name === undefined ? `code=${chosen.status}` : `example=${name}`);
    return chosen.answer();
  }
  if (route && name !== undefined) {
    const names = ofRoute.flatMap((one) => one.name ?? []).join(', ') || 'none';
    const message = `Prefer: example=${name.slice(0, 80)} names no answer of ${route.method} ${route.path} (${route.source}); there are: ${names}.`;
    throw apiError(world.answers, 'validation', message);
  }
  const status = code === undefined ? undefined : statusOf(code, exchange, ofRoute);
  // The answer is the mock's.
  exchange.route = undefined;
  const isRefusal = name === undefined && status !== plan?.success;
  const shown = isRefusal ? undefined : await exampleFor(exchange, { name, status }, handle);
  exchange.forced = true;
  noteApplied(exchange, name === undefined ? `code=${status}` : `example=${name}`);
  if (!shown)
    return exchange.refuse(contentOfStatus(Number(status), `Requested by the header Prefer: code=${status}.`));
  const isError = shown.status !== plan?.success;
  const gaps = isError ? bodyGaps(contentOfStatus(shown.status, ''), world.answers, exchange.operation) : [];
  for (const gap of gaps) exchange.assume(gap);
  return { status: shown.status, headers: {}, body: shown.body, mediaType: shown.mediaType };
}

function applyWait(exchange: Exchange, wait: string): void {
  const seconds = /^\d{1,9}$/.test(wait) ? Number(wait) : Number.NaN;
  if (!(seconds <= longestWait)) {
    const message = `Prefer: wait=${wait.slice(0, 20)} is not supported; allowed: whole seconds from 0 to ${longestWait}.`;
    throw apiError(exchange.world.answers, 'validation', message);
  }
  exchange.waitMs = seconds * 1000;
  noteApplied(exchange, `wait=${seconds}`);
}

function noteApplied(exchange: Exchange, applied: string): void {
  exchange.assume('other-capabilities');
  const { headers } = exchange;
  const before = headers['Preference-Applied'];
  // A route that passes the request on has applied it already.
  if (before === applied) return;
  headers['Preference-Applied'] = before === undefined ? applied : `${before}, ${applied}`;
}

function statusOf(code: string, { plan, world }: Exchange, ofRoute: readonly PreferableExample[]): number {
  const status = /^\d{3}$/.test(code) ? Number(code) : 0;
  if (status === plan?.success || (status >= 400 && status <= 599)) return status;
  const own = [...(plan ? [plan.success] : []), ...new Set(ofRoute.map((one) => one.status))];
  const message = `Prefer: code=${code.slice(0, 20)} is not supported; allowed: ${own.map((one) => `${one}, or `).join('')}400 to 599.`;
  throw apiError(world.answers, 'validation', message);
}

/** @throws ApiError validation, with the known names */
async function exampleFor(
  { world, plan }: Exchange,
  wanted: { readonly name: string | undefined; readonly status: number | undefined },
  handle: Handle,
): Promise<Example> {
  const all = plan ? await examplesOf(world, plan.id, handle) : [];
  const possible = all.filter(({ status }) => wanted.status === undefined || status === wanted.status);
  const found = wanted.name === undefined ? possible[0] : possible.find(({ name }) => name === wanted.name);
  if (found) return found;
  const names = possible.map(({ name }) => name).join(', ') || 'none: this world lacks the records for one';
  const { name, status } = wanted;
  const asked = [name !== undefined && `example=${name.slice(0, 80)}`, status !== undefined && `code=${status}`];
  const shown = asked.filter(Boolean).join(', ');
  throw apiError(world.answers, 'validation', `Prefer: ${shown} names no example of ${plan?.id}; there are: ${names}.`);
}

/** The value of a preference; the first of several. Split rather than matched: the header may be long. */
function preferenceIn(header: string, wanted: string): string | undefined {
  for (const preference of header.split(/[,;]/)) {
    const [name = '', ...value] = preference.split('=');
    if (value.length > 0 && name.trim().toLowerCase() === wanted) return value.join('=').trim().replaceAll('"', '');
  }
  return undefined;
}
