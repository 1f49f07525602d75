// Loaded by the first template: Liquid, an interpreter. Templates are never turned into code.
import type { Faker } from '@faker-js/faker';
import { Drop, Liquid } from 'liquidjs';
import type { RecordTable, Turn } from './route.ts';
import type { ScopeName } from './scope-names.ts';

/** Tags that read files. */
const fileTags = ['include', 'render', 'layout', 'block'];

/** The engine, with limits: a template must not keep the mock from answering. */
export function newLiquid(): Liquid {
  const liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    jsTruthy: true,
    // Milliseconds; and what a template makes, in characters and elements.
    renderLimit: 2000,
    memoryLimit: 50_000_000,
  });
  for (const tag of fileTags) delete liquid.tags[tag];
  return liquid;
}

/** What a template sees. Records are as the API returns them; nothing is computed before it is asked for. */
export function templateScope(
  { request, caller, routeWorld, served }: Turn,
  faker: Faker | undefined,
): Record<ScopeName, unknown> {
  const { recordings, users, tenants, apiKeys } = routeWorld;
  const { method, path, url, params, query, headers, body } = request;
  return {
    method,
    path,
    url,
    params,
    query,
    headers,
    body,
    caller: caller && {
      ...(users.present(caller.user) as object),
      tenant: caller.user.tenant,
      administrator: caller.user.administrator,
      via: caller.via,
    },
    recordings: new RecordsDrop(recordings),
    users: new RecordsDrop(users),
    tenants: new RecordsDrop(tenants),
    api_keys: new RecordsDrop(apiKeys),
    tables: new LookupDrop((name) => new RecordsDrop(routeWorld.table(name))),
    now: routeWorld.now.toISOString(),
    seed: routeWorld.seed,
    get id() {
      return routeWorld.id();
    },
    served,
    faker: faker && new LookupDrop((name) => fakerModule(faker, name)),
  };
}

/** Members that are looked up. */
class LookupDrop extends Drop {
  constructor(private readonly lookup: (name: string) => unknown) {
    super();
  }

  override liquidMethodMissing(name: string | number): unknown {
    return this.lookup(String(name));
  }
}

/** The records of a table: by id, all of them as a list, `.size`. */
class RecordsDrop<T extends { readonly id: string }> extends Drop {
  constructor(private readonly table: RecordTable<T>) {
    super();
  }

  get size(): number {
    return this.table.size;
  }

  override liquidMethodMissing(id: string | number): unknown {
    const record = this.table.get(String(id));
    return record && this.table.present(record);
  }

  override valueOf(): unknown {
    return this.table.all().map((record) => this.table.present(record));
  }

  toJSON(): unknown {
    return this.valueOf();
  }
}

/** `faker.person.fullName`: a module's method, called without arguments. */
function fakerModule(faker: Faker, name: string): unknown {
  const module: unknown = Object.hasOwn(faker, name) ? faker[name as keyof Faker] : undefined;
  if (typeof module !== 'object' || module === null || name.startsWith('_')) return undefined;
  return new LookupDrop((method) => {
    const make: unknown = method === 'constructor' ? undefined : (module as Record<string, unknown>)[method];
    return typeof make === 'function' ? (make.call(module) as unknown) : undefined;
  });
}
