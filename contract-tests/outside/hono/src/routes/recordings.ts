import type { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv, Services } from '../hooks.ts';
import { guard } from '../http/guard.ts';
import { jsonBody, jsonOnly } from '../http/validate.ts';
import type { Json, RecordingPatch } from '../model.ts';
import type { World } from '../world.ts';

const shape = {
  title: z.string().min(1).optional(),
  kb_folder_id: z.string().optional(),
  kb_document_id: z.string().optional(),
  summary: z.string().optional(),
  analysis: z.looseObject({}).optional(),
};

export function recordingRoutes(app: Hono<AppEnv>, { settings }: World, services: Services): void {
  app.patch(
    '/v1/echo/recordings/:recordingId',
    guard(services, 'update'),
    jsonOnly,
    jsonBody(settings, shape),
    async (c) => {
      const patch: RecordingPatch = c.req.valid('json');
      const raw = await c.req.json<Json>();
      const call = { c, principal: c.get('principal'), id: c.req.param('recordingId'), patch, raw };
      const recording = await services.update(call);
      return c.json(await services.showRecording({ ...call, recording }));
    },
  );
}
