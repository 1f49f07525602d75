// A minimal fastify server: the same routes, parses a JSON body and returns an equal one. No schemas, no log.
import { readFileSync } from 'node:fs';
import fastify from 'fastify';

const bodies = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const app = fastify();
app.patch('/v1/echo/recordings/:recordingId', () => bodies.update);
app.get('/v1/admin/tenants/:id/api-keys', ({ query }) => (query.provider ? bodies.filtered : bodies.list));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
