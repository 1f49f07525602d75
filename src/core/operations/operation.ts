import type { operations } from '../spec/api-types.ts';
import type { OperationId } from '../spec/document.ts';
import type { GapAnswers, GapId } from '../spec/gaps.ts';
import type { World } from '../world/world.ts';
import type { Caller } from './caller.ts';

// Of an operation as openapi-typescript writes it.
export type PathOf<Typed> = Typed extends { parameters: { path: infer Path } } ? Path : Record<string, never>;
export type QueryOf<Typed> = Typed extends { parameters: { query?: infer Query } }
  ? NonNullable<Query>
  : Record<string, never>;
export type JsonOf<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : undefined;
export type BodyOf<Typed> = Typed extends { requestBody?: infer Body } ? JsonOf<NonNullable<Body>> : undefined;

/** A request that is valid by the resolved spec. Types are those of the default profile. */
export interface OperationRequest<Id extends OperationId = OperationId> {
  readonly params: PathOf<operations[Id]>;
  readonly query: QueryOf<operations[Id]>;
  readonly body: BodyOf<operations[Id]>;
  /** Set on protected operations. */
  readonly caller: Caller | undefined;
  /** The bearer token as sent, for profiles that send the refresh token there. */
  readonly bearer: string | undefined;
  /** The answer in force to a gap; records that it affected this response (header X-Mock-Basis). */
  assume<Gap extends GapId>(gap: Gap): GapAnswers[Gap];
  /** Records gaps that affect this response visibly only under other answers than the default. */
  leanOn(...gaps: readonly GapId[]): void;
}

/** An operation's success response. Its status is the one that the resolved spec documents. */
export interface OperationResponse {
  readonly body: unknown;
}

/** One operation of the API: its effect on a world and its response, or an ApiError. */
export type Operation<Id extends OperationId = OperationId> = (
  world: World,
  request: OperationRequest<Id>,
) => OperationResponse;
