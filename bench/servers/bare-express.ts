// A minimal Express server: the same routes, parses a JSON body and returns an equal one. No validation.
import express from 'express';
import { readBodies } from '../operations.ts';

const bodies = readBodies();
const app = express();
app.use(express.json());
app.patch('/v1/echo/recordings/:recordingId', (_request, response) => {
  response.json(bodies.update);
});
app.get('/v1/admin/tenants/:id/api-keys', ({ query }, response) => {
  response.json(query.provider ? bodies.filtered : bodies.list);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
