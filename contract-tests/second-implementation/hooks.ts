/** The hooks by which a defect changes what the conforming code does. */
import type { Call, JsonObject, Refusal, Reply } from './http.ts';
import type { ApiKey, Recording } from './store.ts';
import type { Principal } from './tokens.ts';

export interface Filters {
  provider: string | null;
  status: string | null;
}

export interface Hooks {
  /** The path to route by, given the one requested (without the base path). */
  path?(path: string): string;
  /** First step of an operation; may throw a refusal. */
  before?(call: Call): void;
  /** After authentication: overrides the caller; undefined refuses. `token` is undefined without credentials. */
  principal?(found: Principal | undefined, token: string | undefined, call: Call): Principal | undefined;
  /** Fields that the update writes in addition to the documented ones. */
  writable?: readonly string[];
  /** Whether the update ignores unknown fields, whatever the style says. */
  ignoresUnknown?: boolean;
  /** Before an update is applied; may throw a refusal. */
  checkUpdate?(sent: JsonObject, call: Call): void;
  /** The title that is stored for the one that was sent. */
  title?(sent: string): string;
  /** After an update was applied; may change the stored recording. */
  updated?(recording: Recording, previous: Recording, sent: JsonObject, call: Call): void;
  /** The API keys to list, given those that the conforming code found and all that are stored. */
  keys?(found: ApiKey[], filters: Filters, call: Call): ApiKey[];
  /** The reply to send, given the one of a successful operation. */
  reply?(reply: Reply, call: Call): Reply;
  /** After a call was refused. */
  refused?(call: Call, refusal: Refusal): void;
}

/** One thing that the implementation does wrong, and which statements of the document that breaks. */
export interface Defect<Id extends string = string> {
  readonly id: Id;
  readonly description: string;
  /** The first is the statement that is broken; the others fall with it. */
  readonly requirements: readonly string[];
  readonly hooks: Hooks;
}

/** One defect, its id kept as a literal type. */
export function defect<Id extends string>(
  id: Id,
  requirements: readonly string[],
  description: string,
  hooks: Hooks,
): Defect<Id> {
  return { id, description, requirements, hooks };
}
