import { UsageError } from '../../contract-tests/errors.ts';
import type { ListenOptions, TlsOptions, UpstreamOptions } from '../index.ts';

const sameNames = [
  ...(['host', 'port', 'profile', 'seed', 'recordings', 'routes', 'store', 'cors'] as const),
  ...(['controlToken', 'record', 'metrics', 'sandboxTtl', 'trustProxy'] as const),
];

type SameNames = Pick<ListenOptions, (typeof sameNames)[number]>;

/** The options of the mock whose flags have their names. */
export const sameIn = (flags: ServeFlags): SameNames =>
  Object.fromEntries(sameNames.map((name) => [name, flags[name]])) as SameNames;

export interface ServeFlags extends SameNames, Pick<UpstreamOptions, 'mockOnly' | 'allowWrites'> {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tls?: 'self-signed';
  readonly fixtures?: string;
  readonly state?: string;
  readonly fault?: readonly string[];
  readonly latency: number;
  readonly sandboxes: number;
  readonly upstream?: string;
  readonly upstreamOnly?: readonly string[];
  readonly upstreamToken?: string;
  readonly upstreamTimeout: number;
  readonly drainDelay: number;
  readonly drainTimeout: number;
  readonly watch?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly jsonLogs?: boolean;
}

/** @throws UsageError if only one of certificate and key is given */
export function tlsOf({ tls, tlsCert, tlsKey }: ServeFlags): TlsOptions | undefined {
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey };
  if (tlsCert !== undefined) throw new UsageError('--tls-cert needs --tls-key, the private key of the certificate.');
  if (tlsKey !== undefined) throw new UsageError('--tls-key needs --tls-cert, the certificate of the key.');
  return tls;
}
