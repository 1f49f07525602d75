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
