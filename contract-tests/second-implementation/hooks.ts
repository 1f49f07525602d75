/** The places where a defect can get between the conforming code; without a defect nobody stands there. */
import type { Call, JsonObject, Refusal, Reply } from './http.ts';
import type { ApiKey, Recording } from './store.ts';
import type { Principal } from './tokens.ts';

export interface Filters {
  provider: string | null;
  status: string | null;
}

export interface Hooks {
  /** The path that counts, given the one that was asked for (without the base path). */
  path?(path: string): string;
  /** Before anything else of an operation; may throw a refusal. */
  before?(call: Call): void;
  /** After authentication: who calls after all; undefined refuses. `token` is undefined without credentials. */
  principal?(found: Principal | undefined, token: string | undefined, call: Call): Principal | undefined;
  /** Fields that the update takes beyond the documented ones. */
  writable?: readonly string[];
  /** Whether the update lets fields pass that it does not know, whatever the style says. */
  takesUnknown?: boolean;
  /** Before an update is made; may throw a refusal. */
  checkUpdate?(sent: JsonObject, call: Call): void;
  /** The title that is stored for the one that was sent. */
  title?(sent: string): string;
  /** After an update was made; may change the stored recording. */
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
