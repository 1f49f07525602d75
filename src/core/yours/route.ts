import type { Faker } from '@faker-js/faker';
import type { RequestHeaders } from '../message.ts';
import type { Caller } from '../operations/operation.ts';
import type { JsonObject } from '../spec/document.ts';
import type { OwnRecord } from '../world/own.ts';
import type { World } from '../world/world.ts';
import type { RouteTables } from './tables.ts';

/** What a query parameter, a header or a member of the body has to be. */
export type Matcher =
  | string
  | number
  | boolean
  | null
  | {
      /** Exactly that value. */
      readonly equals?: unknown;
      /** Text that it contains. */
      readonly contains?: string;
      /** A regular expression that it matches. */
      readonly matches?: string;
      /** It must be absent, or with false: present, whatever its value. */
      readonly absent?: boolean;
    };

/** When a route answers. */
export interface RouteConditions {
  readonly query?: Readonly<Record<string, Matcher>>;
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, Matcher>>;
  /** By member: `title`, `user.name`, `items.0.id`; the name `$` is the whole body. */
  readonly body?: Readonly<Record<string, Matcher>>;
}

/** An answer as it is written down; texts are templates. */
export interface RouteAnswer {
  /** 200 to 599. Default: 200, or 204 without a body. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a text. */
  readonly body?: unknown;
  /** Milliseconds. */
  readonly delay?: number;
}

/** Who may call a route: everybody, a caller with a token of this mock, an administrator with one. */
export type RouteAuth = 'none' | 'required' | 'administrator';

interface RoutePlace {
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A template: `/v1/things/{id}`. */
  readonly path: string;
  readonly description?: string;
  /** Default none. */
  readonly auth?: RouteAuth;
  /** It answers in the place of a documented operation, or of a route before it. */
  readonly override?: boolean;
  readonly when?: RouteConditions;
  /** How often it answers; afterwards it is as if it were not there. Default: always. */
  readonly times?: number;
}

/** A route as data: as in a file, and as POST /_mock/routes takes it. */
export interface RouteRule extends RoutePlace, RouteAnswer {
  /** A sequence, in the place of status, headers, body and delay. */
  readonly answers?: readonly RouteAnswer[];
  /** After the last answer of a sequence: that one again (default), or the first one. */
  readonly after?: 'last' | 'first';
}

/** The request as a route sees it. */
export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  /** Path and query, without a sandbox's prefix. */
  readonly url: string;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** A list where a parameter was sent more than once. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Names in lower case. */
  readonly headers: RequestHeaders;
  /** Parsed, where it is JSON; else the text; undefined without one. */
  readonly body: unknown;
  readonly bytes: Uint8Array | undefined;
}

/** The world as a function may read and write it. */
export interface RouteWorld extends RouteTables {
  /** A table of your own: part of the world's state, as those of the API. */
  table(name: string): RecordTable<OwnRecord>;
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
  /** The first one that fits. */
  find(fits: (record: T) => boolean): T | undefined;
  /** Adds a record; fields that are left out have defaults, an id among them. */
  create(fields: Partial<T>): T;
  /** @throws Error if there is no such record */
  update(id: string, changes: Partial<T>): T;
  /** @returns whether it was there */
  delete(id: string): boolean;
  /** As the API returns it, under the answers in force. */
  present(record: T): unknown;
}

/** What a route function is called with. */
export interface RouteCall {
  readonly request: RouteRequest;
  readonly world: RouteWorld;
  /** Undefined unless the route asks for credentials. */
  readonly caller: Caller | undefined;
  /** How often this route has answered before. */
  readonly served: number;
}

/** Answers a request; undefined: as if the route were not there. What it throws is in the journal, never in the answer. */
export type RouteFunction = (call: RouteCall) => RouteAnswer | undefined | Promise<RouteAnswer | undefined>;

/** A route of a module: data, or a function in the place of the answer. */
export type RouteDefinition = RouteRule | (RoutePlace & { readonly answer: RouteFunction });

/** What a module of routes exports by default, and what `routes` takes. */
export interface RouteModule {
  readonly routes: readonly RouteDefinition[];
  /** Tables of your own with the records that they start with. */
  readonly tables?: Readonly<Record<string, readonly OwnRecord[]>>;
}

/** A call of a compiled route. */
export interface Turn {
  readonly request: RouteRequest;
  readonly caller: Caller | undefined;
  readonly world: World;
  /** How often this route has answered before. */
  readonly served: number;
  readonly routeWorld: RouteWorld;
}

/** A route, ready to be served. */
export interface Route {
  /** Names it in a world's counts: the same after an edit elsewhere in its file. */
  readonly key: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  /** `routes.yaml:12`, or whoever added it. */
  readonly source: string;
  readonly auth: RouteAuth;
  readonly override: boolean;
  /** Undefined: always. */
  readonly times: number | undefined;
  readonly when: RouteConditions | undefined;
  /** It answers every request to its path, for ever. */
  readonly isTotal: boolean;
  /** What is different, if it does not answer this request. */
  readonly differences: (request: RouteRequest) => readonly string[];
  /** @throws ApiError where it refuses the request */
  readonly answer: (turn: Turn) => Promise<RouteAnswer | undefined>;
  /** In an OpenAPI document, without parameters. */
  readonly operation: JsonObject;
}
