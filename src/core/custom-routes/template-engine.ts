// Loaded by the first template: Liquid, an interpreter. Templates are never turned into code.

import type { Faker } from '@faker-js/faker';
import { Context, Drop, defaultOperators, Liquid, type Operators, type Template } from 'liquidjs';
import { asText, memberOf, printable } from '../../../contract-tests/values/json.ts';
import { memoized } from '../memoized.ts';
import type { RecordTable, RouteTurn } from './route.ts';

export const scopeNames = [
  'method',
  'path',
  'url',
  'params',
  'query',
  'headers',
  'body',
  'caller',
  'recordings',
  'users',
  'tenants',
  'api_keys',
  'tables',
  'now',
  'seed',
  'id',
  'served',
  'faker',
] as const;
type ScopeName = (typeof scopeNames)[number];

const fileTags = ['include', 'render', 'layout', 'block'];

/** Maximum length of a text in characters: parsing a longer one takes more than a second, though only once. */
const mostCharacters = 100_000;
/** Limits of the templates of one answer: milliseconds, elements and characters that filters and ranges make, characters written. */
const mostTime = 2000;
const mostMade = 1_000_000;
const mostWritten = 25_000_000;

type Render = (text: string) => unknown;

/** Liquid, within limits: a template must not block the mock. */
export class TemplateEngine {
  private readonly liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    jsTruthy: true,
    parseLimit: mostCharacters,
    memoryLimit: mostMade,
    renderLimit: mostTime,
    operators: Object.fromEntries(Object.entries(defaultOperators).map(([name, operator]) => [name, timed(operator)])),
  });
  private readonly parsed = memoized(1000, (text): Template[] => this.liquid.parse(text));

  constructor() {
    for (const tag of fileTags) delete this.liquid.tags[tag];
    // Liquid's own reads the length of a list.
    const { size } = this.liquid.filters as Record<string, (value: unknown) => unknown>;
    this.liquid.registerFilter('size', (value: unknown) => (value instanceof RecordsDrop ? value.size : size?.(value)));
  }

  /** The mistake in a template: it is none, or takes unknown names from its scope. */
  problemIn(text: string): string | undefined {
    try {
      const names: readonly string[] = this.liquid.globalVariablesSync(this.parsed(text));
      const unknown = names.filter((name) => !scopeNames.includes(name as ScopeName));
      if (unknown.length === 0) return undefined;
      return `${unknown.join(', ')} is unknown in a template; allowed: ${scopeNames.join(', ')}`;
    } catch (error) {
      return `not a template: ${(error as Error).message.split('\n')[0]}`;
    }
  }

  /** Renders the texts of one answer, and evaluates its expressions. */
  rendererFor(turn: RouteTurn, faker: Faker | undefined): { readonly text: Render; readonly value: Render } {
    const { liquid } = this;
    const answer = new Context({}, liquid.options, { sync: true }, { liquid });
    const scope = templateScope(turn, faker, () => checkTime(answer));
    let written = 0;
    return {
      text: (text) => {
        const rendered = asText(liquid.renderSync(this.parsed(text), answer.spawn(scope)));
        written += rendered.length;
        if (written > mostWritten) throw new Error(`the templates write more than ${mostWritten} characters`);
        return rendered;
      },
      value: (expression) => liquid.evalValueSync(expression, answer.spawn(scope)) as unknown,
    };
  }
}

const checkTime = ({ renderLimit }: Context): void => renderLimit.check(performance.now());

/** Liquid checks the time between tags only, and a filter may ask of a million elements. */
const timed =
  (operator: Operators[string]): Operators[string] =>
  (...given: unknown[]) => {
    checkTime(given.at(-1) as Context);
    return (operator as (...all: unknown[]) => ReturnType<Operators[string]>)(...given);
  };

/** The scope of a template. Records are as the API returns them; values are computed on demand. */
function templateScope(
  { request, caller, world, served }: RouteTurn,
  faker: Faker | undefined,
  checked: () => void,
): Record<ScopeName, unknown> {
  const { recordings, users, tenants, apiKeys } = world;
  const { bytes: _, ...sent } = request;
  return {
    ...(printable(sent) as typeof sent),
    caller: caller && {
      ...(users.present(caller.user) as object),
      tenant: caller.user.tenant,
      administrator: caller.user.administrator,
      via: caller.via,
    },
    recordings: new RecordsDrop(recordings, checked),
    users: new RecordsDrop(users, checked),
    tenants: new RecordsDrop(tenants, checked),
    api_keys: new RecordsDrop(apiKeys, checked),
    tables: new LookupDrop((name) => new RecordsDrop(world.table(String(name)), checked)),
    now: world.now.toISOString(),
    seed: world.seed,
    get id() {
      return world.id();
    },
    served,
    faker: faker && new LookupDrop((name) => fakerModule(faker, String(name))),
  };
}

/** An object whose members a function looks up. */
class LookupDrop extends Drop {
  readonly #lookup: (name: string | number) => unknown;

  constructor(lookup: (name: string | number) => unknown) {
    super();
    this.#lookup = lookup;
  }

  override liquidMethodMissing(name: string | number): unknown {
    return this.#lookup(name);
  }

  [Symbol.toPrimitive](): string {
    return '';
  }
}
// Liquid asks the function only for what it does not find, by inheritance too.
for (const name of Object.getOwnPropertyNames(Object.prototype))
  Object.defineProperty(LookupDrop.prototype, name, { value: undefined, writable: true });

/** The position that Liquid means by an index, `first` or `last`, where no record has that id. */
const positionOf = (name: string | number): number | undefined =>
  typeof name === 'number' ? name : memberOf({ first: 0, last: -1 }, name);

/** The records of a table: by id, and all as a list. */
class RecordsDrop<T extends { readonly id: string }> extends LookupDrop {
  readonly #table: RecordTable<T>;
  readonly #checkTime: () => void;

  constructor(table: RecordTable<T>, checkTime: () => void) {
    super((id) => {
      const at = positionOf(id);
      const record = table.get(String(id)) ?? (at === undefined ? undefined : table.all().at(at));
      return record && printable(table.present(record));
    });
    this.#table = table;
    this.#checkTime = checkTime;
  }

  get size(): number {
    return this.#table.size;
  }

  override valueOf(): unknown {
    this.#checkTime();
    return this.#table.all().map((record) => printable(this.#table.present(record)));
  }

  toJSON(): unknown {
    return this.valueOf();
  }
}

Object.defineProperty(RecordsDrop.prototype, 'constructor', { value: undefined });

/** `faker.person.fullName`: a module's method, called without arguments. */
function fakerModule(faker: Faker, name: string): unknown {
  const module: unknown = Object.hasOwn(faker, name) ? faker[name as keyof Faker] : undefined;
  if (typeof module !== 'object' || module === null || name.startsWith('_')) return undefined;
  return new LookupDrop((method) => {
    const make: unknown =
      method === 'constructor' ? undefined : memberOf(module as Record<string, unknown>, String(method));
    return typeof make === 'function' ? (make.call(module) as unknown) : undefined;
  });
}
