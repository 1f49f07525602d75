import { UsageError } from '../../contract-tests/errors.ts';
import type { TlsOptions } from '../index.ts';

export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tls?: 'self-signed';
  readonly profile?: string;
  readonly seed: number;
  readonly recordings?: number;
  readonly fixtures?: string;
  readonly routes?: readonly string[];
  readonly state?: string;
  readonly store?: string;
  readonly fault?: readonly string[];
  readonly latency: number;
  readonly cors?: readonly string[];
  readonly controlToken?: string;
  readonly sandboxes: number;
  readonly upstream?: string;
  readonly upstreamOnly?: readonly string[];
  readonly mockOnly?: readonly string[];
  readonly upstreamToken?: string;
  readonly upstreamTimeout: number;
  readonly allowWrites?: boolean;
  readonly record?: string;
  readonly metrics?: 'control' | 'open';
  readonly sandboxTtl?: number;
  readonly trustProxy?: string;
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
