import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { every } from 'hono/combine';
import { HTTPException } from 'hono/http-exception';

const limit = bodyLimit({
  maxSize: 1024 * 1024,
  onError: (c) => {
    // The rest of the body is never read, so this connection is of no further use.
    c.header('Connection', 'close');
    throw new HTTPException(413, { message: 'Payload Too Large' });
  },
});

/** An early refusal (401) must not leave half a body on a kept-alive connection: read it first. */
const read: MiddlewareHandler = async (c, next) => {
  if (c.req.raw.body) await c.req.text();
  await next();
};

export const wholeBody: MiddlewareHandler = every(limit, read);
