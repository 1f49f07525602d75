// Loaded by the first template: Liquid, an interpreter. Templates are never turned into code.
import type { Faker } from '@faker-js/faker';
import {
  Context,
  Drop,
  defaultOperators,
  type Emitter,
  Liquid,
  type Operators,
  type Template,
  toValue,
  Value,
} from 'liquidjs';
import type { RecordTable, RouteTurn } from './route.ts';

/** What templates see. */
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
const mostKept = 1000;
/** Maximum work of the templates of one answer, in characters and elements made or read: about a second. */
const mostWork = 25_000_000;
/** Cost of a step of the interpreter, and of reading a record. */
const stepWork = 25;
const recordWork = 100;

/** Counts work. @throws Error beyond the limit: a template must not block the mock */
type Spend = (work: number) => void;

/** Liquid with a limit on the work of one answer's templates. A time limit would depend on how busy the machine is. */
export class TemplateEngine {
  private readonly liquid = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    jsTruthy: true,
    parseLimit: mostCharacters,
    operators: Object.fromEntries(
      Object.entries(defaultOperators).map(([name, operator]) => [name, counted(operator)]),
    ),
  });
  private readonly known = new Map<string, Template[]>();

  constructor() {
    const { tags, renderer } = this.liquid;
    for (const tag of fileTags) delete tags[tag];
    const render = renderer.renderTemplates;
    renderer.renderTemplates = (templates, context, output = new CountedOutput(context)) =>
      render.call(renderer, templates, context, output);
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
  rendererFor(turn: RouteTurn, faker: Faker | undefined) {
    const { liquid } = this;
    let left = mostWork;
    const spend: Spend = (work) => {
      if (work > 0) left -= work;
      if (left < 0) throw new Error('the template does more work than it may');
    };
    const scope = templateScope(turn, faker, spend);
    const context = (): Context => {
      const made = new Context(scope, liquid.options, { sync: true }, { liquid });
      // Filters and ranges report what they produce.
      made.memoryLimit.use = spend;
      return made;
    };
    return {
      text: (text: string) => String(run(liquid.renderer.renderTemplates(this.parsed(text), context()), spend)),
      value: (expression: string) => run(new Value(expression, liquid).value(context()), spend),
    };
  }

  private parsed(text: string): Template[] {
    const templates = this.known.get(text) ?? this.liquid.parse(text);
    if (this.known.size >= mostKept) this.known.clear();
    this.known.set(text, templates);
    return templates;
  }
}

class CountedOutput implements Emitter {
  buffer = '';

  constructor(private readonly context: Context) {}

  write(value: unknown): void {
    const written = toValue(value);
    if (Array.isArray(written)) {
      for (const item of written) this.write(item);
      return;
    }
    const text = String(written ?? '');
    this.context.memoryLimit.use(text.length);
    this.buffer += text;
  }
}

function counted(operator: Operators[string]): Operators[string] {
  return (...given: unknown[]) => {
    const { memoryLimit } = given.at(-1) as Context;
    for (const one of given) if (typeof one === 'string') memoryLimit.use(one.length);
    return (operator as (...all: unknown[]) => ReturnType<Operators[string]>)(...given);
  };
}

/** Runs a generator of the interpreter, whose steps are generators or values, to its end. */
function run(work: unknown, spend: Spend): unknown {
  if (!isWork(work)) {
    if (Array.isArray(work)) spend(work.length);
    return work;
  }
  let step = work.next();
  while (!step.done) {
    spend(stepWork);
    let result: unknown;
    try {
      result = run(step.value, spend);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(result);
  }
  return run(step.value, spend);
}

const isWork = (value: unknown): value is Generator =>
  typeof value === 'object' && value !== null && 'throw' in value && typeof value.throw === 'function';

/** The scope of a template. Records are as the API returns them; values are computed on demand. */
function templateScope(
  { request, caller, world, served }: RouteTurn,
  faker: Faker | undefined,
  spend: Spend,
): Record<ScopeName, unknown> {
  const { recordings, users, tenants, apiKeys } = world;
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
    recordings: new RecordsDrop(recordings, spend),
    users: new RecordsDrop(users, spend),
    tenants: new RecordsDrop(tenants, spend),
    api_keys: new RecordsDrop(apiKeys, spend),
    tables: new LookupDrop((name) => new RecordsDrop(world.table(name), spend)),
    now: world.now.toISOString(),
    seed: world.seed,
    get id() {
      return world.id();
    },
    served,
    faker: faker && new LookupDrop((name) => fakerModule(faker, name)),
  };
}

/** An object whose members a function looks up. */
class LookupDrop extends Drop {
  constructor(private readonly lookup: (name: string) => unknown) {
    super();
  }

  override liquidMethodMissing(name: string | number): unknown {
    return this.lookup(String(name));
  }
}

/** The records of a table: by id, all as a list, `.size`. */
class RecordsDrop<T extends { readonly id: string }> extends Drop {
  constructor(
    private readonly table: RecordTable<T>,
    private readonly spend: Spend,
  ) {
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
    this.spend(recordWork * this.table.size);
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
