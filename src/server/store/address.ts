import { ConfigError } from '../../core/spec/config-error.ts';

export type Address = Readonly<ReturnType<typeof addressOf>>;

const examples =
  'redis://host:6379, rediss://…, redis+sentinel://host,host/master, redis+cluster://host,host or unix:///path';
const pattern =
  /^(?:(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^/?#]*)((?:\/[^?#]*)?)|(unix):\/\/[^?#]+)(?:\?([^#]*))?$/;

/** @throws ConfigError for an invalid address, without credentials */
export function addressOf(text: string) {
  const refuse = (why: string): never => {
    throw new ConfigError([`the store ${withoutCredentials(text)} ${why}; use ${examples}`]);
  };
  const [, scheme = 'redis', mode = 'single', user, pass, hosts = '', path = '', unix, query = ''] =
    pattern.exec(text) ?? refuse('is not the address of a Redis');
  const parameters = new URLSearchParams(query);
  const prefix = parameters.get('prefix') ?? 'platform-mock:';
  if (/[{}\s]/.test(prefix) || prefix === '') refuse('has a prefix with braces or spaces, or an empty one');
  parameters.delete('prefix');
  for (const name of parameters.keys()) if (!(unix && name === 'db')) refuse(`has an unknown parameter ${name}`);
  const named = unix ? parameters.get('db') : path.slice(1);
  const [master = '', database] = mode === 'sentinel' ? path.slice(1).split('/') : ['', named || undefined];
  if (mode === 'sentinel' && master === '') refuse('names no master');
  if (database !== undefined && !/^\d{1,5}$/.test(database)) refuse('names a database that is not a number');
  if (mode === 'cluster' && database !== undefined) refuse('names a database: a cluster has one only');
  const decoded = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      return refuse('has credentials with a % that begins no escape (write %25)');
    }
  };
  const usual = mode === 'sentinel' ? 26379 : 6379;
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  return {
    kind: mode as 'single' | 'sentinel' | 'cluster',
    /** For a single server: without the mock's own parameters. */
    url: beforeQuery(text) + rest,
    isTls: scheme === 'rediss',
    nodes: unix ? [] : hosts.split(',').map((host) => nodeOf(host, usual) ?? refuse(`names no host in ${host}`)),
    master,
    username: user ? decoded(user) : undefined,
    password: pass ? decoded(pass) : undefined,
    database: database === undefined ? undefined : Number(database),
    prefix,
    /** For messages. */
    shown: withoutCredentials(text),
  };
}

function nodeOf(text: string, usual: number) {
  const [, host = '', port = String(usual)] = /^(\[[0-9a-f:]+\]|[^:]*)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return host === '' || Number(port) > 65535 ? undefined : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Everything up to the last `@` may be an unescaped password. */
const withoutCredentials = (text: string): string => beforeQuery(text.replace(/^([a-z+]*:\/\/)?.*@/i, '$1'));

const beforeQuery = (text: string): string => text.split('?', 1)[0] ?? '';
