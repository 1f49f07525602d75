import { setMember } from '../../../contract-tests/values/json.ts';
import type { GapId } from '../spec/gaps.ts';
import type { Recording } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError, refusal } from './api-error.ts';
import { type Caller, callerOf } from './caller.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { asTexts, presentRecording } from './present.ts';

/** The fields that an update may write (part 2). */
const writable = ['title', 'kb_folder_id', 'kb_document_id', 'summary', 'analysis'] as const;

/** What the mock's knowledge base has, besides what its recordings are linked to (gap unknown-kb-id). */
export const knowledgeBase = { kb_folder_id: 'kbf_engines', kb_document_id: 'kbd_engines' } as const;

/** PATCH /v1/echo/recordings/{recordingId}: updates a recording and returns it (4.2). */
export const updateRecording: Operation<'updateRecording'> = (world, request) => {
  const { recording, assumed } = findForUpdate(world, callerOf(request), request.params.recordingId);
  const changes = readChanges(asTexts<object>(request.body, request), world.answers);
  for (const gap of [...assumed, ...changes.assumed]) request.assume(gap);
  refuseUnknownIds(world, changes.fields, request);
  request.leanOn('timestamp-form', 'extra-fields');

  const keepsTime = changes.assumed.includes('empty-update') && world.answers.get('empty-update') === 'unchanged';
  const updated_at = keepsTime ? recording.updated_at : world.clock.nowIso();
  const updated: Recording = { ...recording, ...changes.fields, updated_at };
  world.store.recordings.put(updated);
  return { body: presentRecording(updated, world.answers) };
};

/** @throws ApiError unknown-recording, foreign-recording */
function findForUpdate(world: World, { user }: Caller, id: string): { recording: Recording; assumed: GapId[] } {
  const message = (status: number) =>
    status === 404 ? `There is no recording ${quote(id)}.` : `The recording ${quote(id)} may not be updated by you.`;
  const recording = world.store.recordings.get(id);
  // Tenants are isolated: another tenant's recording is reported as unknown.
  if (!recording || world.store.users.get(recording.user_id)?.tenant !== user.tenant) {
    throw apiError(world.answers, 'unknown-recording', message);
  }
  if (recording.user_id === user.id) return { recording, assumed: [] };
  const mayAsAdministrator = user.administrator && world.answers.get('foreign-recording').startsWith('administrators');
  const refused = mayAsAdministrator ? null : refusal(world.answers, 'foreign-recording', message);
  if (refused) throw refused;
  return { recording, assumed: ['foreign-recording'] };
}

/** @throws ApiError unknown-kb-id */
function refuseUnknownIds(world: World, fields: Partial<Recording>, request: OperationRequest): void {
  for (const name of ['kb_folder_id', 'kb_document_id'] as const) {
    const id = fields[name];
    if (!id || id === knowledgeBase[name]) continue;
    request.leanOn('unknown-kb-id');
    const message = `The knowledge base does not have the ${name} ${quote(id)}; this mock's has ${knowledgeBase[name]}.`;
    const refused = refusal(world.answers, 'unknown-kb-id', message, {
      details: [{ field: name, message: 'is unknown' }],
    });
    if (refused && ![...world.store.recordings.all()].some((recording) => recording[name] === id)) throw refused;
  }
}

/** Quotes an id from the client, which may be of any length. */
const quote = (id: string): string => JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id);

/** The writable fields of a valid body, and the gaps that affected them. */
function readChanges(body: object, answers: World['answers']) {
  const fields: Record<string, unknown> = {};
  const assumed = new Set<GapId>();
  const known: readonly string[] = writable;
  for (const [name, value] of Object.entries(body)) {
    if (!known.includes(name)) continue;
    if (value === null) assumed.add('null-field');
    if (value === null && answers.get('null-field') === 'ignore') continue;
    setMember(fields, name, value);
  }
  if (Object.keys(fields).length === 0) assumed.add('empty-update');
  return { fields: fields as Partial<Recording>, assumed: [...assumed] };
}
