import type { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv, Ctx } from '../hooks.ts';
import type { Settings } from '../settings.ts';

/** Hono answers errors as plain text; the document wants JSON, so the same message goes into a JSON body. */
export function answerErrors(app: Hono<AppEnv>, settings: Settings): void {
  const answer = (c: Ctx, status: ContentfulStatusCode, message: string): Response => {
    if (status === 401) c.header('WWW-Authenticate', 'Bearer realm="platform"');
    return c.body(JSON.stringify(settings.problem(status, message)), status, { 'Content-Type': settings.problemType });
  };
  app.notFound((c) => answer(c, 404, 'Not Found'));
  app.onError((error, c) =>
    error instanceof HTTPException
      ? answer(c, error.status as ContentfulStatusCode, error.message)
      : answer(c, 500, 'Internal Server Error'),
  );
}
