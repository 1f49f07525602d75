import { STATUS_CODES } from 'node:http';
import type { RequestHandler } from 'express';
import { apiError } from '../../core/operations/api-error.ts';
import { timestamp } from '../../core/operations/present.ts';
import { answerError, answerSuccess } from './answer.ts';
import { bodyGaps, codeOfStatus, renderError } from './error-body.ts';
import { exampleOf } from './example.ts';
import { type Exchange, exchangeOf } from './exchange.ts';

/** Step: `Prefer: code=503` (Prism's convention) has that status answered, without touching anything. */
export const answerPreferred: RequestHandler = (request, response, next) => {
  const code = preferredCode(request.headers.prefer);
  if (code === undefined) return next();
  const exchange = exchangeOf(request);
  const { answers } = exchange.world;
  const status = /^\d{3}$/.test(code) ? Number(code) : 0;
  const isSuccess = status === exchange.plan?.success;
  if (!isSuccess && (status < 400 || status > 599)) {
    const allowed = `${exchange.plan?.success}, or 400 to 599`;
    return next(
      apiError(answers, 'validation', `Prefer: code=${code.slice(0, 20)} cannot be had here; allowed: ${allowed}.`),
    );
  }
  exchange.forced = true;
  exchange.assume('other-capabilities');
  response.setHeader('Preference-Applied', `code=${status}`);
  if (isSuccess) return answerSuccess(request, response, exampleBody(exchange));
  for (const gap of bodyGaps(answers)) exchange.assume(gap);
  const title = STATUS_CODES[status] ?? `Status ${status}`;
  const message = `Asked for by the header Prefer: code=${status}.`;
  const body = renderError({ status, code: codeOfStatus(status), title, message, details: [] }, answers);
  answerError(request, response, { status, headers: {}, body });
};

/** The value of the preference `code`, if there is one. */
function preferredCode(header: string | string[] | undefined): string | undefined {
  const preferences = [header ?? []].flat().join(',').split(/[,;]/);
  return preferences
    .map((one) => /^\s*code\s*=\s*"?([^"]*?)"?\s*$/i.exec(one)?.[1])
    .find((value) => value !== undefined);
}

function exampleBody({ api, plan, world }: Exchange): unknown {
  const texts = {
    DateTime: timestamp(world.clock.nowIso(), world.answers),
    Pat: `${world.answers.get('pat-prefix')}_example.secret`,
  };
  return exampleOf(api.document, plan?.id, texts);
}
