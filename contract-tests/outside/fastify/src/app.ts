/** One Fastify instance over the shared world. */
import compress from '@fastify/compress';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { addEndpoint } from './routes/endpoint.ts';
import { endpoints } from './routes/index.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

const AJV = {
  lenient: { coerceTypes: false, removeAdditional: true },
  strict: { coerceTypes: false, removeAdditional: false },
  coercing: { coerceTypes: true, removeAdditional: true },
} as const;

function unprocessable(errors: readonly { message?: string; instancePath: string }[], part: string): Error {
  const text = errors.map((error) => `${part}${error.instancePath} ${error.message}`).join(', ');
  return Object.assign(new Error(text), { statusCode: 422, code: 'PLT_UNPROCESSABLE' }) satisfies Partial<FastifyError>;
}

function create(bodies: Settings['bodies']): FastifyInstance {
  return Fastify({
    ajv: { customOptions: AJV[bodies] },
    ...(bodies === 'strict' ? { schemaErrorFormatter: unprocessable } : {}),
  });
}

export async function buildApp(world: World, replica: number): Promise<FastifyInstance> {
  const { settings } = world;
  const app = create(settings.bodies);
  if (settings.compress) await app.register(compress, { threshold: 0, encodings: ['br', 'gzip'] });
  if (settings.rateLimit) {
    const { max, windowMs } = settings.rateLimit;
    await app.register(rateLimit, { global: false, enableDraftSpec: true });
    // One budget for all routes, spent before authentication.
    app.addHook('onRequest', app.rateLimit({ max, timeWindow: windowMs }));
  }
  if (settings.instanceHeader) {
    app.addHook('onSend', async (_request, reply) => void reply.header('x-served-by', `platform-${'ab'[replica]}`));
  }
  await app.register(
    async (scope) => {
      for (const endpoint of endpoints) addEndpoint(scope, endpoint, world, replica);
    },
    { prefix: settings.basePath },
  );
  await app.ready();
  return app;
}
