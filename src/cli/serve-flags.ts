import { UsageError } from '../../contract-tests/errors.ts';
import type { ListenOptions, TlsOptions, UpstreamOptions } from '../index.ts';

/** The options of a mock whose flags have their names. */
type SameName = 'host' | 'port' | 'profile' | 'seed' | 'recordings' | 'store' | 'cors' | 'controlToken';

export interface ServeFlags
  extends Pick<ListenOptions, SameName | 'record' | 'metrics' | 'sandboxTtl' | 'trustProxy'>,
    Pick<UpstreamOptions, 'mockOnly' | 'allowWrites'> {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tls?: 'self-signed';
  readonly fixtures?: string;
  readonly routes?: readonly string[];
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
