import type { Split } from '../core/upstream-split.ts';

/** How requests are sent on to another server. */
export interface Forwarding {
  /** Base URL; paths are appended. */
  readonly upstream: string;
  /** Whether anything but GET, HEAD and OPTIONS goes to another host than loopback. */
  readonly allowWrites?: boolean | undefined;
  /** The bearer token that the upstream gets, in place of the client's. */
  readonly token?: string | undefined;
  /** Milliseconds without a byte from the upstream. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Whether answers say that the upstream gave them, and which credential it got, and lead back here. Default true. */
  readonly marks?: boolean;
  readonly tls?: { readonly rejectUnauthorized?: boolean; readonly ca?: string };
}

/** The real service behind the mock, and what of it is used. */
export interface UpstreamOptions extends Forwarding, Split {}
