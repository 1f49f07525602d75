import type { MiddlewareHandler } from 'hono';
import type { AppEnv, Operation, Services } from '../hooks.ts';

/** Only authenticated callers pass. */
export const guard =
  (services: Services, operation: Operation): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    c.set('principal', await services.authenticate({ c, header: c.req.header('authorization'), operation }));
    await next();
  };
