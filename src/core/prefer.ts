import { bodyGaps, codeOfStatus, renderError, statusTitle } from './error-body.ts';
import { exampleOf } from './example.ts';
import type { Exchange } from './exchange.ts';
import { headerOf } from './message.ts';
import { apiError } from './operations/api-error.ts';
import type { Answer } from './operations/behaviour.ts';
import { timestamp } from './operations/present.ts';

/**
 * `Prefer: code=503` (Prism's convention) answers with that status, without side effects.
 * @returns undefined without a preference
 * @throws ApiError validation, for an unsupported status
 */
export function answerPreferred(exchange: Exchange): Answer | undefined {
  const code = preferredCode(headerOf(exchange.received.headers, 'prefer') ?? '');
  if (code === undefined) return undefined;
  const { answers } = exchange.world;
  const status = /^\d{3}$/.test(code) ? Number(code) : 0;
  const success = exchange.plan?.success;
  if (status !== success && (status < 400 || status > 599)) {
    const message = `Prefer: code=${code.slice(0, 20)} is not supported; allowed: ${success}, or 400 to 599.`;
    throw apiError(answers, 'validation', message);
  }
  exchange.forced = true;
  exchange.assume('other-capabilities');
  exchange.headers['Preference-Applied'] = `code=${status}`;
  if (status === success) return { status, headers: {}, body: exampleBody(exchange) };
  for (const gap of bodyGaps(answers)) exchange.assume(gap);
  const message = `Requested by the header Prefer: code=${status}.`;
  const content = { status, code: codeOfStatus(status), title: statusTitle(status), message, details: [] };
  return { status, headers: {}, ...renderError(content, answers, exchange.occasion) };
}

/** The value of the preference `code`, if there is one. Split rather than matched: the header may be long. */
function preferredCode(header: string): string | undefined {
  for (const preference of header.split(/[,;]/)) {
    const [name = '', ...value] = preference.split('=');
    if (value.length > 0 && name.trim().toLowerCase() === 'code') return value.join('=').trim().replaceAll('"', '');
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
