import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv, Services } from '../hooks.ts';
import { guard } from '../http/guard.ts';
import { jsonBody, jsonOnly } from '../http/validate.ts';
import type { World } from '../world.ts';

/** The API tokens group: create a PAT, list the available scopes. */
export function apiTokenRoutes(app: Hono<AppEnv>, { settings }: World, services: Services): void {
  const body = {
    name: z.string().min(1).max(100),
    scopes: z.array(z.string()).optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  };
  app.post('/v1/api-tokens', guard(services, 'pats'), jsonOnly, jsonBody(settings, body), async (c) =>
    c.json(await services.createPat({ c, principal: c.get('principal'), name: c.req.valid('json').name }), 201),
  );

  app.get(settings.scopesPath, guard(services, 'scopes'), async (c) =>
    c.json(await services.scopes({ c, principal: c.get('principal') })),
  );
}
