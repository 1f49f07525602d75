/** The names that a template may use. */
export const scopeNames = [
  'method',
  'path',
  'url',
  'params',
  'query',
  'headers',
  'body',
  'caller',
  'recordings',
  'users',
  'tenants',
  'api_keys',
  'tables',
  'now',
  'seed',
  'id',
  'served',
  'faker',
] as const;
export type ScopeName = (typeof scopeNames)[number];
