import type { operations } from '../../core/spec/api-types.ts';
import type { components } from '../../core/spec/control-types.ts';
import { jsonOrText } from '../../core/spec/json.ts';

export type JournalEntry = components['schemas']['JournalEntry'];

export type OperationId = keyof operations;

/** A request that a mock received, from its journal. Credentials are masked, in headers and bodies. */
export interface Call {
  /** Number in the world's journal, in order of arrival. */
  readonly id: number;
  /** Undefined if the request is not an operation of the API. */
  readonly operation: OperationId | undefined;
  readonly method: string;
  /** Without query and without the sandbox's prefix. */
  readonly path: string;
  /** The last value of each parameter. */
  readonly query: Readonly<Record<string, string>>;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As JSON, otherwise as text; undefined without a body. The journal truncates text after 16 KB. */
  readonly body: unknown;
  /** Id of the authenticated user. */
  readonly user: string | undefined;
  /** Undefined if the connection was closed without a response, or is still open. */
  readonly status: number | undefined;
  /** The complete journal entry: response, faults, gaps, a curl line. */
  readonly entry: JournalEntry;
}

export function callOf(entry: JournalEntry): Call {
  const { request, response, trace, actor } = entry;
  const [, path = '', query = ''] = /^(?:\/~[^/?]*)?([^?]*)(?:\?(.*))?$/s.exec(request.url) ?? [];
  return {
    id: entry.id,
    // The list of operations is added to the control plane's document at build time.
    operation: trace.operation as OperationId | undefined,
    method: request.method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: Object.fromEntries(request.headers.map(({ name, value }) => [name.toLowerCase(), value])),
    body: request.body && jsonOrText(request.body.text),
    user: actor?.user,
    status: response?.status,
    entry,
  };
}
