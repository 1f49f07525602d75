import type { Faker } from '@faker-js/faker';
import type { RequestHeaders } from '../message.ts';
import type { Caller } from '../operations/caller.ts';
import type { Answers } from '../profiles/answers.ts';
import type { pathMatcher } from '../routes.ts';
import type { components } from '../spec/control-types.ts';
import type { JsonObject } from '../spec/document.ts';
import type { Immutable } from '../spec/json.ts';
import type { ApiKey, CustomRecord, Recording, Tenant, User } from '../world/records.ts';

type Schemas = Immutable<components['schemas']>;
/** A route as data, in a file or in POST /_mock/routes. */
export type RouteRule = Schemas['Route'];
/** An answer as data; texts are templates. */
export type RouteAnswer = Schemas['RouteAnswer'];
export type RouteConditions = Schemas['RouteConditions'];
export type Matcher = Schemas['Matcher'];
/** Who may call a route: everyone, a caller with a token of this mock, an administrator with one. */
export type RouteAuth = NonNullable<RouteRule['auth']>;

/** The request as a route sees it. */
export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  /** Path and query, without a sandbox's prefix. */
  readonly url: string;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** A list if a parameter was sent more than once. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Names in lower case. */
  readonly headers: RequestHeaders;
  /** Parsed JSON, or else the text; undefined without a body. */
  readonly body: unknown;
  readonly bytes: Uint8Array | undefined;
}

/** The world as a function may read and write it. */
export interface RouteWorld {
  readonly recordings: RecordTable<Recording>;
  readonly users: RecordTable<User>;
  readonly tenants: RecordTable<Tenant>;
  readonly apiKeys: RecordTable<ApiKey>;
  /** A custom table, part of the world's state like those of the API. */
  table(name: string): RecordTable<CustomRecord>;
  /** The world's time. */
  readonly now: Date;
  readonly seed: number;
  /** The next UUID of the seed. */
  id(): string;
  /** The next random number of the seed, in [0, 1). */
  random(): number;
  /** Faker, seeded for this answer. */
  faker(): Promise<Faker>;
}

/** The records of one kind. Written records are checked: what the API could not return is refused. */
export interface RecordTable<T extends { readonly id: string }> {
  readonly size: number;
  get(id: string): T | undefined;
  /** All of them: O(records). */
  all(): T[];
  /** The first match. */
  find(fits: (record: T) => boolean): T | undefined;
  /** Adds a record; omitted fields, including the id, have defaults. */
  create(fields: Partial<T>): T;
  /** @throws Error if there is no such record */
  update(id: string, changes: Partial<T>): T;
  /** @returns whether it existed */
  delete(id: string): boolean;
  /** As the API returns it, under the answers in force. */
  present(record: T): unknown;
}

/** Arguments of a route function. */
export interface RouteCall {
  readonly request: RouteRequest;
  readonly world: RouteWorld;
  /** Undefined unless the route asks for credentials. */
  readonly caller: Caller | undefined;
  /** Number of answers that this route gave before. */
  readonly served: number;
}

/** Answers a request; undefined passes it on. What it throws goes to the journal, never into the answer. */
export type RouteFunction = (call: RouteCall) => RouteAnswer | undefined | Promise<RouteAnswer | undefined>;

/** A route of a module: data, or a function that answers. */
export type RouteDefinition =
  | RouteRule
  | (Omit<RouteRule, keyof RouteAnswer | 'answers' | 'after'> & { readonly answer: RouteFunction });

/** The default export of a module of routes; also accepted by `routes`. */
export interface RouteModule {
  readonly routes: readonly RouteDefinition[];
  /** Custom tables with their initial records. */
  readonly tables?: Readonly<Record<string, readonly CustomRecord[]>>;
}

export interface RouteProblem {
  /** Of the member, within the route or the file. */
  readonly path: readonly (string | number)[];
  readonly text: string;
}

export interface RouteTurn extends RouteCall {
  readonly answers: Answers;
}

export interface RouteExample {
  readonly name: string | undefined;
  readonly status: number;
  readonly answer: (turn: RouteTurn) => Promise<RouteAnswer>;
}

export interface Route {
  /** Identifies it in a world's counts: unchanged by edits elsewhere in its file. */
  readonly key: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  /** The path parameters of a path that is the route's, decoded. */
  readonly paramsOf: ReturnType<typeof pathMatcher>;
  /** `routes.yaml:12`, or what added it. */
  readonly source: string;
  readonly auth: RouteAuth;
  readonly override: boolean;
  /** Undefined: always. */
  readonly times: number | undefined;
  readonly when: RouteConditions | undefined;
  /** It answers every request to its path, without end. */
  readonly isTotal: boolean;
  /** @throws ApiError if it refuses the request */
  readonly answer: (turn: RouteTurn) => Promise<RouteAnswer | undefined>;
  /** What the header Prefer may ask for; none of a function. */
  readonly examples?: readonly RouteExample[];
  /** It takes the header Prefer itself. */
  readonly takesPreferences?: true;
  /** For an OpenAPI document, without parameters. */
  readonly operation: JsonObject;
}

/** Types a module of routes. `export default defineRoutes({ routes: [{ path: '/v1/x', answer() { … } }] })` */
export const defineRoutes = (module: RouteModule): RouteModule => module;
