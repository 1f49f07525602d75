import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import type { Settings } from '../settings.ts';

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** Hono's validator quietly validates `{}` when the body is not declared as JSON; say so instead. */
export const jsonOnly: MiddlewareHandler = async (c, next) => {
  if (!JSON_TYPE.test(c.req.header('content-type') ?? '')) {
    throw new HTTPException(415, { message: 'Expected application/json' });
  }
  await next();
};

/** A JSON body of this shape. Refusals carry the zod-validator's own body, unless bodies are strict. */
export function jsonBody<S extends z.ZodRawShape>(settings: Settings, shape: S) {
  const schema = settings.strictBodies ? z.strictObject(shape) : z.object(shape);
  return zValidator('json', schema as z.ZodObject<S>, (result, c) => {
    if (!result.success && settings.strictBodies)
      return c.json({ message: 'Unprocessable', issues: result.error.issues }, 422);
    return undefined;
  });
}
