import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv, Services } from '../hooks.ts';
import { jsonBody, jsonOnly } from '../http/validate.ts';
import type { World } from '../world.ts';

const required = z.string().min(1);

/** Sign-in: SSO claims, identifier and password, or a refresh token. */
export function authRoutes(app: Hono<AppEnv>, { settings }: World, services: Services): void {
  app.post('/v1/auth/sso', jsonOnly, jsonBody(settings, { oid: required, tid: required, upn: required }), async (c) => {
    const claims = c.req.valid('json');
    const user = await services.identify({ c, claims });
    return c.json(await services.grant({ c, user, via: 'sso', claims }));
  });

  app.post('/v1/auth/login', jsonOnly, jsonBody(settings, { identifier: required, password: required }), async (c) => {
    const user = await services.checkPassword({ c, ...c.req.valid('json') });
    return c.json(await services.grant({ c, user, via: 'login' }));
  });

  app.post(
    settings.refreshPath,
    jsonOnly,
    jsonBody(settings, {
      refresh_token: required,
      grant_type: z.literal('refresh_token').optional(),
    }),
    async (c) => c.json(await services.refresh({ c, refreshToken: c.req.valid('json').refresh_token })),
  );
}
