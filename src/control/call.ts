import type { MockRequest } from '../core/message.ts';
import type { BodyOf, JsonOf, PathOf, QueryOf } from '../core/operations/operation.ts';
import type { operations } from '../core/spec/control-types.ts';
import type { GapId } from '../core/spec/gaps.ts';
import type { World } from '../core/world/world.ts';
import type { Worlds } from '../core/world/worlds.ts';
import type { ControlOperation } from './document.ts';

type AnswerOf<Id extends ControlOperation> = operations[Id]['responses'] extends { 200: infer A } | { 201: infer A }
  ? JsonOf<A>
  : undefined;

export interface Call<Id extends ControlOperation = ControlOperation> {
  /** The world whose /_mock was called. */
  readonly world: World;
  readonly worlds: Worlds;
  /** Name of that world; '' for the main one. */
  readonly worldName: string;
  /** Base URL of the server, without a sandbox's prefix. */
  readonly serverUrl: string;
  readonly params: PathOf<operations[Id]>;
  readonly query: QueryOf<operations[Id]>;
  /** An empty object if an optional body was not sent. */
  readonly body: BodyOf<operations[Id]>;
  /** Records that the response rests on an assumption (header X-Mock-Basis). */
  readonly assume: (gap: GapId) => void;
  readonly request: MockRequest;
  /** Headers of the response; handlers may add some. */
  readonly headers: Record<string, string>;
}

/** A body that is not JSON, or is made while it is read. */
type Other<Id extends ControlOperation> = Id extends 'getMetrics'
  ? string
  : Id extends 'watchJournal' | 'exportJournal'
    ? ReadableStream<Uint8Array>
    : never;

/** An operation of the control plane: returns the response body, or throws Refusal. The document defines the status. */
export type Handler<Id extends ControlOperation> = (
  call: Call<Id>,
) => AnswerOf<Id> | Other<Id> | Promise<AnswerOf<Id> | Other<Id>>;

export type Handlers = { readonly [Id in ControlOperation]: Handler<Id> };

export const baseUrlOf = ({ serverUrl }: Pick<Call, 'serverUrl'>, name: string): string =>
  name === '' ? serverUrl : `${serverUrl}/~${name}`;
