import { ConfigError } from '../../core/spec/config-error.ts';

/** What a public mock allows, by name: the default, and what it counts. docs/public.md lists them. */
export const publicLimits = {
  'client-requests': { value: 600, counts: 'requests a minute from one address' },
  'client-connections': { value: 50, counts: 'requests at a time from one address' },
  'client-sandboxes': { value: 10, counts: 'new sandboxes an hour from one address' },
  'client-profiles': { value: 60, counts: 'changes of a profile an hour from one address' },
  'sandbox-requests': { value: 1200, counts: 'requests a minute to one sandbox' },
  'sandbox-bytes': { value: 1_048_576, counts: 'characters of what a sandbox holds, its snapshots included' },
  'sandbox-recordings': { value: 1000, counts: 'recordings of a sandbox' },
  'sandbox-snapshots': { value: 10, counts: 'snapshots of a sandbox' },
  'body-bytes': { value: 65_536, counts: "bytes of a request's body" },
} as const;

export type LimitName = keyof typeof publicLimits;
export type Limits = Readonly<Record<LimitName, number>>;

const isName = (name: string): name is LimitName => Object.hasOwn(publicLimits, name);

/**
 * The defaults, with some of them changed.
 * @param given each as `name=number`
 * @throws ConfigError
 */
export function limitsFrom(given: readonly string[] = []): Limits {
  const limits: Record<string, number> = {};
  for (const [name, { value }] of Object.entries(publicLimits)) limits[name] = value;
  for (const one of given) {
    const [, name = '', value] = /^([^=]*)=(\d{1,12})$/.exec(one) ?? [];
    if (!isName(name))
      throw new ConfigError([
        `--limit ${one.slice(0, 80)} is not name=number; the names are ${Object.keys(publicLimits).join(', ')}`,
      ]);
    limits[name] = Number(value);
  }
  return limits as Limits;
}
