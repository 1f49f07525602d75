/** The decisions the document leaves to the team; a style changes some of them. */
export interface Settings {
  basePath: string;
  tokenSeconds: number;
  /** instances that share one store, taken in turn */
  replicas: number;
  instanceHeader: boolean;
  /** how long a new token stays unknown to every instance but the first */
  lagMs: number;
  bodies: 'lenient' | 'strict' | 'coercing';
  time: (ms: number) => string;
  compress: boolean;
  rateLimit?: { max: number; windowMs: number };
  ids: 'prefixed' | 'numeric';
  tenantKeys: 'seeded' | 'none';
  /** who owns the recording that may be written to */
  owner: 'admin' | 'member';
  /** whether the judge is told about the member */
  tellMember: boolean;
}

export const faithful: Settings = {
  basePath: '',
  tokenSeconds: 1800,
  replicas: 1,
  instanceHeader: false,
  lagMs: 0,
  bodies: 'lenient',
  time: (ms) => new Date(ms).toISOString(),
  compress: false,
  ids: 'prefixed',
  tenantKeys: 'seeded',
  owner: 'admin',
  tellMember: true,
};
