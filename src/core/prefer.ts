import { bodyGaps, codeOfStatus, renderError, statusTitle } from './error-body.ts';
import { exampleOf } from './example.ts';
import type { Exchange } from './exchange.ts';
import { headerOf } from './message.ts';
import { apiError } from './operations/api-error.ts';
import type { Answer } from './operations/behaviour.ts';
import { timestamp } from './operations/present.ts';

/** The longest `Prefer: wait=…`, in seconds. */
const longestWait = 600;

/**
 * `Prefer: code=503` (Prism's convention) answers with that status, without side effects; `Prefer: wait=2` (RFC 7240) takes
 * the whole of the seconds that the client is ready to wait.
 * @returns undefined if no status is preferred
 * @throws ApiError validation, for an unsupported status or wait
 */
export function answerPreferred(exchange: Exchange): Answer | undefined {
  const header = headerOf(exchange.received.headers, 'prefer') ?? '';
  const wait = preference(header, 'wait');
  if (wait !== undefined) applyWait(exchange, wait);
  const code = preference(header, 'code');
  return code === undefined ? undefined : answerWithCode(exchange, code);
}

function applyWait(exchange: Exchange, wait: string): void {
  const seconds = /^\d{1,9}$/.test(wait) ? Number(wait) : Number.NaN;
  if (!(seconds <= longestWait)) {
    const message = `Prefer: wait=${wait.slice(0, 20)} is not supported; allowed: whole seconds from 0 to ${longestWait}.`;
    throw apiError(exchange.world.answers, 'validation', message);
  }
  exchange.waitMs = seconds * 1000;
  exchange.assume('other-capabilities');
  noteApplied(exchange, `wait=${seconds}`);
}

function noteApplied({ headers }: Exchange, applied: string): void {
  const before = headers['Preference-Applied'];
  headers['Preference-Applied'] = before === undefined ? applied : `${before}, ${applied}`;
}

function answerWithCode(exchange: Exchange, code: string): Answer {
  const { answers } = exchange.world;
  const status = /^\d{3}$/.test(code) ? Number(code) : 0;
  const success = exchange.plan?.success;
  if (status !== success && (status < 400 || status > 599)) {
    const message = `Prefer: code=${code.slice(0, 20)} is not supported; allowed: ${success}, or 400 to 599.`;
    throw apiError(answers, 'validation', message);
  }
  exchange.forced = true;
  exchange.assume('other-capabilities');
  noteApplied(exchange, `code=${status}`);
  if (status === success) return { status, headers: {}, body: exampleBody(exchange) };
  for (const gap of bodyGaps(answers)) exchange.assume(gap);
  const message = `Requested by the header Prefer: code=${status}.`;
  const content = { status, code: codeOfStatus(status), title: statusTitle(status), message, details: [] };
  return { status, headers: {}, ...renderError(content, answers, exchange.occasion) };
}

/** The value of a preference, the first where there are several. Split rather than matched: the header may be long. */
function preference(header: string, wanted: string): string | undefined {
  for (const one of header.split(/[,;]/)) {
    const [name = '', ...value] = one.split('=');
    if (value.length > 0 && name.trim().toLowerCase() === wanted) return value.join('=').trim().replaceAll('"', '');
  }
  return undefined;
}

function exampleBody({ api, plan, world }: Exchange): unknown {
  const texts = {
    DateTime: timestamp(world.clock.nowIso(), world.answers),
    Pat: `${world.answers.get('pat-prefix')}_example.secret`,
  };
  return exampleOf(api.document, plan?.id, texts);
}
