import type { Faker } from '@faker-js/faker';
import { sha256Number } from '../crypto.ts';
import type { Exchange } from '../exchange.ts';
import { checkedRecord } from '../world/edit.ts';
import type { ApiKey, CustomRecord, Recording, Tenant, User } from '../world/records.ts';
import { type AnyRecord, type ResourceName, resources, tableOf } from '../world/resources.ts';
import type { Table } from '../world/table.ts';
import type { RecordTable, RouteWorld } from './route.ts';

/** The world as the route `key` sees it at its answer number `served`; changes go into the exchange's journal entry. */
export function routeWorldOf(exchange: Exchange, key: string, served: number): RouteWorld {
  const { world } = exchange;
  const of = <T extends { readonly id: string }>(name: ResourceName): RecordTable<T> =>
    apiTable(exchange, name) as RecordTable<T>;
  return {
    recordings: of<Recording>('recordings'),
    users: of<User>('users'),
    tenants: of<Tenant>('tenants'),
    apiKeys: of<ApiKey>('api-keys'),
    table: (name) => customTable(exchange, name),
    get now() {
      return new Date(world.clock.now());
    },
    seed: world.seed,
    id: () => world.ids.next('yours', key),
    random: () => world.draw(),
    faker: () => seededFaker(exchange, `${world.seed} ${key} ${served}`),
  };
}

async function seededFaker({ world }: Exchange, seed: string): Promise<Faker> {
  const { loadFaker } = world.services.routes;
  await loadFaker.prepare?.();
  const shared = loadFaker();
  // A separate instance: parallel requests would reseed a shared one.
  const OwnFaker = shared.constructor as typeof Faker;
  const faker = new OwnFaker({ locale: shared.rawDefinitions, seed: sha256Number(seed) });
  faker.setDefaultRefDate(new Date(world.clock.now()));
  return faker;
}

/** What the tables of the API and custom ones do differently. */
interface Kind<T> {
  /** The record with an id, and defaults of omitted members. */
  completed(fields: Partial<T>): object;
  /** The record as it is stored; throws an Error naming the field. */
  checked(record: T, before: T | undefined): T;
  present(record: T): unknown;
}

/** Records are frozen, since worlds share them: write with update. */
function recordTable<T extends { readonly id: string }>(
  { world, changes: tracked }: Exchange,
  table: Table<T>,
  name: string,
  { completed, checked, present }: Kind<T>,
): RecordTable<T> {
  const put = (sent: T, before?: T): T => {
    const record = Object.freeze(checked(sent, before));
    world.track(tracked, () => table.put(record));
    return record;
  };
  return {
    get size() {
      return table.size;
    },
    get(id) {
      const record = table.get(id);
      return record && Object.freeze(record);
    },
    all: () => Array.from(table.all(), (record) => Object.freeze(record)),
    find(fits) {
      for (const record of table.all()) if (fits(Object.freeze(record))) return record;
      return undefined;
    },
    create(fields) {
      const record = completed(fields) as T;
      if (table.get(record.id)) throw new Error(`${name} has a record with the id ${record.id} already`);
      return put(record);
    },
    update(id, changes) {
      const before = table.get(id);
      if (!before) throw new Error(`${name} has no record with the id ${id}`);
      return put({ ...before, ...changes, id }, before);
    },
    delete(id) {
      const isThere = table.get(id) !== undefined;
      world.track(tracked, () => table.delete(id));
      return isThere;
    },
    present,
  };
}

/** A table of the API: refuses records that it could not return. */
function apiTable(exchange: Exchange, name: ResourceName): RecordTable<AnyRecord> {
  const { world, api } = exchange;
  const resource = resources[name];
  const { idKind = 'yours', defaults, inSpec } = resource;
  return recordTable(exchange, tableOf(world, resource), name, {
    completed: (fields) => ({ id: world.ids.next(idKind, 'yours'), ...defaults?.(world, fields), ...fields }),
    checked: (record, before) => checkedRecord(world, api, resource, before, record),
    present: (record) => inSpec?.present(record, world.answers) ?? record,
  });
}

/** A custom table: any members, including an id. */
const customTable = (exchange: Exchange, name: string): RecordTable<CustomRecord> =>
  recordTable(exchange, exchange.world.tables.custom(name), name, {
    completed: (fields) => ({ id: exchange.world.ids.next('yours', 'record'), ...fields }),
    checked(record) {
      // As JSON, for a state file.
      if (typeof record.id === 'string' && record.id !== '') return JSON.parse(JSON.stringify(record)) as CustomRecord;
      throw new Error(`the id of a record must be a text, not ${JSON.stringify(record.id)}`);
    },
    present: (record) => record,
  });
