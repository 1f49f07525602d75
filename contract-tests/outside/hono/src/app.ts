import { Hono } from 'hono';
import type { AppEnv, Hooks } from './hooks.ts';
import { wrap } from './hooks.ts';
import { wholeBody } from './http/body.ts';
import { answerErrors } from './http/errors.ts';
import { apiTokenRoutes } from './routes/api-tokens.ts';
import { authRoutes } from './routes/auth.ts';
import { recordingRoutes } from './routes/recordings.ts';
import { tenantRoutes } from './routes/tenants.ts';
import { createServices } from './services/index.ts';
import type { World } from './world.ts';

/** The faithful server with layers of advice around it; the last layer is the outermost. */
export function createApp(world: World, layers: Hooks[]): Hono<AppEnv> {
  const services = createServices(world);
  for (const layer of layers) wrap(services, layer);

  const root = new Hono<AppEnv>();
  answerErrors(root, world.settings);
  const app = root.basePath(world.settings.basePath);
  app.use('*', wholeBody);
  for (const layer of layers.toReversed()) if (layer.http) app.use('*', layer.http);
  authRoutes(app, world, services);
  apiTokenRoutes(app, world, services);
  recordingRoutes(app, world, services);
  tenantRoutes(app, services);
  return root;
}
