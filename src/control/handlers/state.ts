import type { World } from '../../core/world/world.ts';
import type { Call, Handlers } from '../call.ts';
import { checkedRecord, shownRecord } from '../edit.ts';
import { invalid, notFound, Refusal } from '../refusal.ts';
import { type AnyRecord, type Resource, type ResourceName, resources, tableOf } from '../resources.ts';

type Page = { total: number; items: AnyRecord[] };

/** The records of a world, read and edited. */
export const stateHandlers: Handlers<
  'getState' | 'listRecords' | 'createRecord' | 'getRecord' | 'editRecord' | 'deleteRecord'
> = {
  getState: ({ world }) =>
    Object.fromEntries(Object.entries(resources).map(([name, resource]) => [name, tableOf(world, resource).size])),
  listRecords: async ({ world, params, query }) => {
    const resource = resources[params.resource];
    const [limit, offset] = [Number(query.limit ?? 100), Number(query.offset ?? 0)];
    const page = query.q
      ? await found(world, resource, query.q.toLowerCase(), offset, limit)
      : pageOf(world, resource, offset, limit);
    return { total: page.total, items: page.items.map((record) => shownRecord(record, resource)) as never };
  },
  createRecord: async ({ world, params, body }) => {
    const resource = resources[params.resource];
    if (!resource.defaults || !resource.idKind)
      throw invalid([
        {
          field: 'resource',
          message: `${params.resource} are made by POST /_mock/tokens`,
          allowed: 'tenants, users, recordings, api-keys',
          example: 'recordings',
        },
      ]);
    const fields = body as Readonly<Record<string, unknown>>;
    const { id = world.ids.next(resource.idKind, 'control'), ...rest } = fields;
    if (tableOf(world, resource).get(String(id)))
      throw new Refusal('conflict', `There is ${params.resource}/${String(id)} already; PATCH changes it.`);
    const defaults = withSso(resource.defaults(world, fields), rest);
    const record = await checkedRecord(world, resource, undefined, { id, ...defaults });
    tableOf(world, resource).put(record);
    return shownRecord(record, resource) as never;
  },
  getRecord: (call) => shownRecord(recordAt(call), resources[call.params.resource]) as never,
  editRecord: async (call) => {
    const resource = resources[call.params.resource];
    const before = recordAt(call);
    const record = await checkedRecord(call.world, resource, before, call.body as Readonly<Record<string, unknown>>);
    // The check took a moment, in which the record may have gone or changed.
    if (recordAt(call) !== before)
      throw new Refusal('conflict', 'The record was changed by somebody else just now; read it again.');
    tableOf(call.world, resource).put(record);
    return shownRecord(record, resource) as never;
  },
  deleteRecord: (call) => {
    const { id } = recordAt(call);
    if (call.params.resource === 'tenants') refuseTenantInUse(call.world, id);
    tableOf(call.world, resources[call.params.resource]).delete(id);
    return undefined;
  },
};

/** Defaults with what was sent in their place; the claims of a user one by one. */
const withSso = (defaults: Readonly<Record<string, unknown>>, sent: Readonly<Record<string, unknown>>) => ({
  ...defaults,
  ...sent,
  ...(typeof sent.sso === 'object' && sent.sso !== null && { sso: { ...(defaults.sso as object), ...sent.sso } }),
});

/** @throws Refusal when there is none */
function recordAt({
  world,
  params,
}: Pick<Call, 'world'> & { params: { resource: ResourceName; record: string } }): AnyRecord {
  const record = tableOf(world, resources[params.resource]).get(params.record);
  if (record) return record;
  throw notFound(
    `There is nothing with the id ${params.record} among ${params.resource}; GET /_mock/state/${params.resource} lists them.`,
  );
}

function refuseTenantInUse({ store }: World, id: string): void {
  const users = [...store.users.all()].filter((user) => user.tenant === id).length;
  const keys = store.apiKeys.lookup('tenant', id).length;
  if (users + keys > 0)
    throw new Refusal(
      'conflict',
      `The tenant ${id} has ${users} users and ${keys} API keys; delete them first, or give them another tenant.`,
    );
}

/** Makes no record but those of the page. */
function pageOf(world: World, resource: Resource, offset: number, limit: number): Page {
  const table = tableOf(world, resource);
  const items: AnyRecord[] = [];
  let at = 0;
  for (const id of table.ids()) {
    if (items.length === limit) break;
    const record = at < offset ? undefined : table.get(id);
    if (record) items.push(record);
    at += 1;
  }
  return { total: table.size, items };
}

const nextTurn = (): Promise<void> => new Promise((turn) => void setTimeout(turn, 0));

/** Records that are looked at before others get their turn: a search must not hold the server up. */
const atOnce = 500;

async function found(world: World, resource: Resource, text: string, offset: number, limit: number): Promise<Page> {
  const items: AnyRecord[] = [];
  let [total, seen] = [0, 0];
  for (const record of tableOf(world, resource).all()) {
    const values = JSON.stringify(Object.values(shownRecord(record, resource)));
    if (values.toLowerCase().includes(text)) {
      if (total >= offset && items.length < limit) items.push(record);
      total += 1;
    }
    seen += 1;
    if (seen % atOnce === 0) await nextTurn();
  }
  return { total, items };
}
