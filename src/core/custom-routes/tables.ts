import type { Faker } from '@faker-js/faker';
import { sha256Number } from '../crypto.ts';
import type { Exchange } from '../exchange.ts';
import { records } from '../generated/validators.js';
import type { CompiledValidator } from '../validation/compile.ts';
import { errorPath, errorText } from '../validation/errors.ts';
import { recordOf } from '../validation/schemas.ts';
import type { ApiKey, CustomRecord, Recording, Tenant, User } from '../world/records.ts';
import { type AnyRecord, type Resource, type ResourceName, resources, tableOf } from '../world/resources.ts';
import type { Table } from '../world/table.ts';
import type { RecordTable, RouteWorld } from './route.ts';

/** The world as the route `key` sees it at its answer number `served`; changes go into the exchange's journal entry. */
export function routeWorldOf(exchange: Exchange, key: string, served: number): RouteWorld {
  const { world } = exchange;
  const of = <T extends { readonly id: string }>(name: ResourceName): RecordTable<T> =>
    new ApiTable(exchange, name) as unknown as RecordTable<T>;
  return {
    get recordings() {
      return of<Recording>('recordings');
    },
    get users() {
      return of<User>('users');
    },
    get tenants() {
      return of<Tenant>('tenants');
    },
    get apiKeys() {
      return of<ApiKey>('api-keys');
    },
    table: (name) => new CustomTable(exchange, name),
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

/** Methods of both kinds of tables. Records are frozen, since worlds share them: write with update. */
abstract class Records<T extends { readonly id: string }> implements RecordTable<T> {
  constructor(
    protected readonly exchange: Exchange,
    protected readonly records: Table<T>,
    private readonly name: string,
  ) {}

  get size(): number {
    return this.records.size;
  }

  get(id: string): T | undefined {
    const record = this.records.get(id);
    return record && Object.freeze(record);
  }

  all(): T[] {
    return Array.from(this.records.all(), (record) => Object.freeze(record));
  }

  find(fits: (record: T) => boolean): T | undefined {
    for (const record of this.records.all()) if (fits(Object.freeze(record))) return record;
    return undefined;
  }

  create(fields: Partial<T>): T {
    const record = this.completed(fields);
    if (this.get(record.id)) throw new Error(`${this.name} has a record with the id ${record.id} already`);
    return this.put(record);
  }

  update(id: string, changes: Partial<T>): T {
    const before = this.get(id);
    if (!before) throw new Error(`${this.name} has no record with the id ${id}`);
    return this.put({ ...before, ...changes, id });
  }

  delete(id: string): boolean {
    const isThere = this.get(id) !== undefined;
    this.tracked(() => this.records.delete(id));
    return isThere;
  }

  present(record: T): unknown {
    return record;
  }

  /** The record with an id, and defaults of omitted members. */
  protected abstract completed(fields: Partial<T>): T;

  /** The record as it is stored; throws an Error naming the field. */
  protected abstract checked(record: T): T;

  private put(sent: T): T {
    const record = this.checked(sent);
    this.tracked(() => this.records.put(record));
    return Object.freeze(record);
  }

  private tracked(change: () => void): void {
    this.exchange.world.track(this.exchange.changes, change);
  }
}

/** A table of the API: refuses records that it could not return. */
class ApiTable extends Records<AnyRecord> {
  private readonly resource: Resource;

  constructor(exchange: Exchange, name: ResourceName) {
    super(exchange, tableOf(exchange.world, resources[name]), name);
    this.resource = resources[name];
  }

  override present(record: AnyRecord): unknown {
    return this.resource.inSpec?.present(record, this.exchange.world.answers) ?? record;
  }

  protected completed(fields: Partial<AnyRecord>): AnyRecord {
    const { world } = this.exchange;
    const { idKind = 'yours', defaults } = this.resource;
    return { id: world.ids.next(idKind, 'yours'), ...defaults?.(world, fields), ...fields } as AnyRecord;
  }

  protected checked(record: AnyRecord): AnyRecord {
    const { world, api } = this.exchange;
    const { schema, inSpec, references } = this.resource;
    refuseInvalid(schema, records[recordOf(schema)], record);
    if (inSpec) refuseInvalid(schema, api.validators(recordOf(inSpec.schema)), this.present(record));
    for (const [field, table] of Object.entries(references))
      if (!world.store[table].get(String(record[field])))
        throw new Error(
          `${schema} ${record.id}: ${field}: ${table} has no record with the id ${String(record[field])}`,
        );
    return record;
  }
}

/** A custom table: any members, including an id. */
class CustomTable extends Records<CustomRecord> {
  constructor(exchange: Exchange, name: string) {
    super(exchange, exchange.world.custom.table(name), name);
  }

  protected completed(fields: Partial<CustomRecord>): CustomRecord {
    return { id: this.exchange.world.ids.next('yours', 'record'), ...fields } as CustomRecord;
  }

  /** As JSON, for a state file. */
  protected checked(record: CustomRecord): CustomRecord {
    if (typeof record.id === 'string' && record.id !== '') return JSON.parse(JSON.stringify(record)) as CustomRecord;
    throw new Error(`the id of a record must be a text, not ${JSON.stringify(record.id)}`);
  }
}

function refuseInvalid(schema: string, validate: CompiledValidator | undefined, record: unknown): void {
  if (!validate || validate(record)) return;
  const problems = (validate.errors ?? []).map((error) => `${errorPath(error).join('.') || 'it'} ${errorText(error)}`);
  throw new Error(`${schema} ${(record as AnyRecord).id}: ${problems.join('; ')}`);
}
