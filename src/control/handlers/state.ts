import { asText } from '../../../contract-tests/values/json.ts';
import { pageBytes, Slices } from '../../core/slices.ts';
import { advanceStatus, nextStatuses, planStatus } from '../../core/world/processing.ts';
import {
  type AnyRecord,
  type Resource,
  type ResourceName,
  resources,
  tableOf,
  visibleRecord,
} from '../../core/world/resources.ts';
import type { World } from '../../core/world/world.ts';
import type { Call, Handlers } from '../call.ts';
import { editedRecord, merged } from '../edit.ts';
import { invalidField, notFound, Refusal } from '../refusal.ts';

export const stateHandlers = {
  listRecords: async ({ world, params, query }) => (await pageOf(world, resources[params.resource], query)) as never,
  createRecord: async ({ world, params, body }) => {
    const resource = resources[params.resource];
    if (!resource.defaults || !resource.idKind)
      throw invalidField('resource', `${params.resource} are created by POST /_mock/tokens`, {
        allowed: 'tenants, users, recordings, api-keys',
        example: 'recordings',
      });
    const fields = body as Readonly<Record<string, unknown>>;
    const { id = world.ids.next(resource.idKind, 'control'), ...rest } = fields;
    if (tableOf(world, resource).get(asText(id)))
      throw new Refusal('conflict', `There is ${params.resource}/${asText(id)} already; PATCH changes it.`);
    const given = merged({ id, ...resource.defaults(world, fields) }, rest);
    const record = await editedRecord(world, resource, undefined, given);
    tableOf(world, resource).put(record);
    return visibleRecord(record) as never;
  },
  getRecord: (call) => visibleRecord(recordAt(call)) as never,
  editRecord: async (call) => {
    const resource = resources[call.params.resource];
    const before = recordAt(call);
    const record = await editedRecord(call.world, resource, before, call.body as Readonly<Record<string, unknown>>);
    // Validation is asynchronous: the record may have been changed or deleted meanwhile.
    if (recordAt(call) !== before)
      throw new Refusal('conflict', 'The record was changed by another client meanwhile; read it again.');
    tableOf(call.world, resource).put(record);
    return visibleRecord(record) as never;
  },
  deleteRecord: async (call) => {
    const { id } = recordAt(call);
    if (call.params.resource === 'tenants') refuseTenantInUse(call.world, id);
    tableOf(call.world, resources[call.params.resource]).delete(id);
  },
  /** Processes recordings on request: an assumption, as the document shows no transitions (gap status-transitions). */
  processRecording: ({ world, params, body, assume }) => {
    assume('status-transitions');
    const { outcome = 'completed', steps, afterSeconds } = body ?? {};
    if (steps !== undefined && afterSeconds !== undefined)
      throw invalidField('steps', 'cannot be combined with afterSeconds', { example: { outcome, afterSeconds } });
    const recording = world.store.recordings.get(params.record);
    if (!recording) throw notFound(`There is no recording ${params.record}; GET /_mock/state/recordings lists them.`);
    if (nextStatuses(recording.status, world.answers).length === 0)
      throw new Refusal(
        'conflict',
        `The recording is ${recording.status}, which is final while the answer to status-transitions is ${world.answers.get('status-transitions')}.`,
        [
          {
            field: 'status',
            message: 'is final',
            allowed: 'pending or processing (PATCH /_mock/state/recordings/{id})',
          },
        ],
      );
    const planned = afterSeconds === undefined ? undefined : planStatus(world, recording, outcome, afterSeconds * 1000);
    const path = planned?.path ?? advanceStatus(world, recording, outcome, steps);
    return {
      recording: (world.store.recordings.get(recording.id) ?? recording) as never,
      path,
      ...(planned && { ends: { status: outcome, at: new Date(planned.at).toISOString() } }),
    };
  },
} satisfies Partial<Handlers>;

function recordAt({
  world,
  params,
}: Pick<Call, 'world'> & { params: { resource: ResourceName; record: string } }): AnyRecord {
  const record = tableOf(world, resources[params.resource]).get(params.record);
  if (record) return record;
  throw notFound(
    `${params.resource} has no record with the id ${params.record}; GET /_mock/state/${params.resource} lists them.`,
  );
}

function refuseTenantInUse({ store }: World, id: string): void {
  const users = [...store.users.all()].filter((user) => user.tenant === id).length;
  const keys = store.apiKeys.lookup('tenant', id).length;
  if (users + keys > 0)
    throw new Refusal(
      'conflict',
      `The tenant ${id} has ${users} users and ${keys} API keys; delete them first, or assign them to another tenant.`,
    );
}

/** One page of a table. Generates only the records of the page, unless a text is searched for. */
async function pageOf(
  world: World,
  resource: Resource,
  { limit = 100, offset = 0, q = '' }: Call<'listRecords'>['query'],
) {
  const table = tableOf(world, resource);
  const text = q.toLowerCase();
  const slices = new Slices();
  const items: AnyRecord[] = [];
  let [found, bytes, isFull] = [0, 0, false];
  for (const id of table.ids()) {
    if (text === '' && isFull) break;
    const record = text === '' && found < offset ? undefined : table.get(id);
    const shown = record && visibleRecord(record);
    const values = shown ? JSON.stringify(Object.values(shown)) : '';
    await slices.spend(values.length);
    if (!values.toLowerCase().includes(text)) continue;
    found += 1;
    if (!shown || found <= offset || isFull) continue;
    bytes += values.length;
    isFull = items.length === limit || (items.length > 0 && bytes > pageBytes);
    if (!isFull) items.push(shown);
  }
  return { total: text === '' ? table.size : found, items };
}
