import { zValidator } from '@hono/zod-validator';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv, KeyQuery, Services } from '../hooks.ts';
import { guard } from '../http/guard.ts';
import { PROVIDERS } from '../model.ts';

export function tenantRoutes(app: Hono<AppEnv>, services: Services): void {
  const query = z.object({ provider: z.enum(PROVIDERS).optional(), status: z.string().optional() });
  const filters = zValidator('query', query);

  app.get('/v1/admin/tenants/:id/api-keys', guard(services, 'keys'), filters, async (c) => {
    const query: KeyQuery = { c, principal: c.get('principal'), tenantId: c.req.param('id'), ...c.req.valid('query') };
    const views = [];
    for (const key of await services.listKeys(query)) views.push(await services.showKey({ key, query }));
    return c.json((await services.showKeys({ query, views })) as object);
  });
}
