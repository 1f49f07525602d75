/** 4.2 Update recording */
import { Forbidden, RecordingNotFound } from '../errors.ts';
import { type Context, pipe, pipeSaved } from '../hooks.ts';
import type { Caller, Changes, Recording, UpdateBody } from '../model.ts';
import { recordingBody } from '../present.ts';
import { callerIn, type Endpoint } from './endpoint.ts';

const text = { type: 'string' };

function toChanges(body: UpdateBody): Changes {
  const named = {
    title: body.title,
    kbFolderId: body.kb_folder_id,
    kbDocumentId: body.kb_document_id,
    summary: body.summary,
    analysis: body.analysis,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

function findWritable(id: string, caller: Caller, context: Context): Recording {
  const recording = context.world.store.recordings.get(id);
  const sameTenant = recording?.tenantId === caller.user.tenantId;
  if (!recording || !sameTenant) throw new RecordingNotFound(id);
  const allowed = recording.userId === caller.user.id || caller.user.admin;
  if (!allowed || !caller.scopes.includes('recordings:write')) throw new Forbidden();
  return recording;
}

/** Reads and writes the record in one step, so that overlapping updates cannot lose each other's fields. */
function write(id: string, changes: Changes, context: Context): Recording {
  const { recordings } = context.world.store;
  const current = recordings.get(id);
  if (!current) throw new RecordingNotFound(id);
  const touched = Object.keys(changes).length > 0;
  const next = { ...current, ...changes, updatedAt: touched ? Date.now() : current.updatedAt };
  const after = pipeSaved(next, context);
  recordings.set(id, after);
  return after;
}

export const updateRecording: Endpoint = {
  operation: 'updateRecording',
  method: 'PATCH',
  url: '/v1/echo/recordings/:recordingId',
  schema: {
    body: {
      type: 'object',
      additionalProperties: false,
      properties: {
        title: text,
        kb_folder_id: text,
        kb_document_id: text,
        summary: text,
        analysis: { type: 'object' },
      },
    },
  },
  async handle(context, request) {
    const { recordingId } = request.params as { recordingId: string };
    const body = request.body as UpdateBody;
    const before = findWritable(recordingId, callerIn(context), context);
    context.update = { body, before, changes: toChanges(body) };
    const changes = await pipe('changes', context.update.changes, context);
    const writeId = await pipe('writeId', recordingId, context);
    const after = write(writeId, changes, context);
    return { body: await pipe('recordingBody', recordingBody(after, context.world), context) };
  },
};
