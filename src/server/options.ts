// For users, whose types need none of Node.
import type { Split } from '../core/world/world.ts';

export interface Forwarding {
  /** Base URL; paths are appended. */
  readonly upstream: string;
  /** Whether requests other than GET, HEAD and OPTIONS may go to a host that is not loopback. */
  readonly allowWrites?: boolean | undefined;
  /** The bearer token for the upstream, instead of the client's. */
  readonly token?: string | undefined;
  /** Milliseconds without a byte from the upstream. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Whether answers name the upstream and the credential it got, and links in them lead back here. Default true. */
  readonly marks?: boolean;
  readonly tls?: { readonly rejectUnauthorized?: boolean; readonly ca?: string };
}

/** The real service behind the mock, and which requests it gets. */
export interface UpstreamOptions extends Forwarding, Split {}

/** How a server ends, in milliseconds. */
export interface DrainOptions {
  /** How long it still answers while readiness probes and `Connection: close` send clients elsewhere. Default 0. */
  readonly delayMs?: number;
  /** How long requests in flight may then take. Default 2000. */
  readonly timeoutMs?: number;
}

export interface Observed {
  readonly method: string;
  /** As sent, with sandbox prefix and query. */
  readonly url: string;
  /** Undefined if the connection was closed before the whole response was sent. */
  readonly status: number | undefined;
  /** Value of the header X-Mock-Basis. */
  readonly basis: string;
  readonly milliseconds: number;
  /** Milliseconds of armed delays in these. */
  readonly delayMs: number;
  /** Id of the API's operation; undefined for other requests. */
  readonly operation: string | undefined;
  /** Ids of the faults that affected it. */
  readonly faults: readonly string[];
  readonly isPreflight: boolean;
  /** The origin of the page that sent it, if that is neither local nor allowed by `cors`. */
  readonly refusedOrigin: string | undefined;
}

export type Observer = (observed: Observed) => void;
