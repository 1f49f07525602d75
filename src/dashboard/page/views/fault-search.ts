import { memberOf } from '../../../../contract-tests/values/json.ts';
import type { Schemas } from '../api/client.ts';

const delays = 'latency jitter slowing-down slow-drip slow delay throttle';
const cuts = 'drop drop-before-commit drop-after-commit truncated-body truncate connection-close offline';
const failures = 'respond maintenance unavailable-one-in-five busy';
const limits = 'rate-limit-burst limited limited-until respond';

/** What people call faults, in addition to the words of their descriptions: the ids of those that are meant. */
export const synonyms: Readonly<Record<string, string>> = {
  slow: delays,
  lag: delays,
  'spinning wheel': `${delays} hang never-answers`,
  timeout: 'never-answers hang gateway-timeout delay',
  'time out': 'never-answers hang gateway-timeout delay',
  freeze: 'never-answers hang',
  offline: 'offline drop drop-before-commit drop-after-commit',
  'no network': 'offline drop captive-portal',
  wifi: 'captive-portal offline',
  disconnect: cuts,
  'connection reset': cuts,
  down: failures,
  outage: failures,
  unavailable: failures,
  'server error': 'respond crash-one-in-seven update-fails-after-commit scopes-crash',
  'rate limit': limits,
  'too many requests': limits,
  retry: `${failures} ${limits} drop offline delay`,
  backoff: `${failures} ${limits}`,
  unauthorized: 'respond tokens-known-late sessions-lost-once',
  flaky: 'jitter unavailable-one-in-five crash-one-in-seven',
  intermittent: 'jitter unavailable-one-in-five crash-one-in-seven',
  corrupt: 'malformed-json truncated-body truncate',
  'invalid json': 'malformed-json truncated-body truncate',
  'parse error': 'malformed-json bad-gateway-page truncated-body',
  proxy: 'bad-gateway-page gateway-timeout captive-portal',
  stale: 'title-answered-late scopes-cached updated-at-stays',
  logout: 'sessions-lost-once tokens-known-late',
  'clock skew': 'clock-ahead clock-behind',
};

/** Does a fault match the search text: by its words, its requirements, or what people call it by? */
export function matchesFault({ id, description, requirements }: Schemas['Fault'], typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  const own = `${id} ${description} ${requirements.join(' ')}`.toLowerCase();
  if (own.includes(wanted)) return true;
  const called = Object.keys(synonyms).filter((word) => word.startsWith(wanted) || wanted.startsWith(word));
  return called.some((word) => memberOf(synonyms, word)?.split(' ').includes(id));
}
