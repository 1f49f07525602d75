import type { Call } from './call.ts';
import { boundsOf, type CallPattern, compare, type ExpectedCalls, type Field, isMatch, shown } from './match.ts';

const maxListed = 10;

/** The expected calls that did not arrive, with all that were received. */
export interface Miss {
  /** In order; with a single one, `matched` are all calls that match it. */
  readonly patterns: readonly ExpectedCalls[];
  readonly matched: readonly Call[];
  readonly received: readonly Call[];
  /** Waiting time, such as `in 3 s`; empty without waiting. */
  readonly waited: string;
  readonly baseUrl: string;
  /** Number of earlier requests that the journal no longer has. */
  readonly dropped: number;
}

/** The expected calls were not received. The message compares the nearest request field by field. */
export class CallsError extends Error {
  override readonly name = 'CallsError';
  readonly matched: readonly Call[];
  readonly received: readonly Call[];
  /** Number of earlier requests that the journal no longer has. */
  readonly dropped: number;

  constructor(miss: Miss) {
    super(reportOf(miss));
    this.matched = miss.matched;
    this.received = miss.received;
    this.dropped = miss.dropped;
  }
}

function reportOf(miss: Miss): string {
  const { patterns, matched, received, baseUrl } = miss;
  const pattern = patterns.length > 1 ? patterns[matched.length] : patterns[0];
  const lines = [patterns.length > 1 ? sequenceLine(miss) : countLine(miss)];
  if (miss.dropped > 0) lines.push(droppedLine(miss.dropped));
  if (received.length === 0) return [...lines, `No request was received. Does the app call ${baseUrl}?`].join('\n');
  const others = received.filter((call) => !matched.includes(call));
  const tooMany = patterns.length === 1 && matched.length > boundsOf(pattern?.count).max;
  if (pattern && !tooMany) lines.push(...nearestLines(pattern, others, received.length));
  return [...lines, 'Received:', ...received.slice(-maxListed).map((call) => `  ${nameOf(call)}`)].join('\n');
}

/** Says that earlier requests are unknown, and what to do. */
export const droppedLine = (dropped: number): string =>
  `The journal has dropped ${dropped} earlier requests, so nothing is known of them: give the test a sandbox, or reset the journal before it.`;

function countLine({ patterns: [pattern = {}], matched, waited }: Miss): string {
  const { min, max } = boundsOf(pattern.count);
  const bounds =
    min === max ? String(min) : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `from ${min} to ${max}`;
  const found = matched.length === 0 ? 'none' : `${matched.length} (${listed(matched)})`;
  return `Expected ${bounds} of ${nameOfPattern(pattern)}, received ${found}${waited}.`;
}

function listed(calls: readonly Call[]): string {
  const ids = calls.slice(-maxListed).map(({ id }) => `#${id}`);
  return `${calls.length > maxListed ? '…, ' : ''}${ids.join(', ')}`;
}

function sequenceLine({ patterns, matched, received, waited }: Miss): string {
  const at = matched.length;
  const [pattern = {}, last] = [patterns[at], matched.at(-1)];
  const after = last ? ` after #${last.id}` : '';
  const early = received.find(
    (call) => call.id <= (last?.id ?? 0) && !matched.includes(call) && isMatch(pattern, call),
  );
  const hint = early ? ` #${early.id} matches, but came before.` : '';
  return `Expected ${patterns.length} calls in order; no. ${at + 1}, ${nameOfPattern(pattern)}, was not received${after}${waited}.${hint}`;
}

function nearestLines(pattern: CallPattern, calls: readonly Call[], total: number): string[] {
  const rated = calls.map((call) => ({ call, fields: compare(pattern, call) }));
  const [nearest] = rated.sort((a, b) => distance(a.fields) - distance(b.fields) || b.call.id - a.call.id);
  if (!nearest || nearest.fields.length === 0) return [];
  const { call, fields } = nearest;
  const different = fields.filter(({ isEqual }) => !isEqual).length;
  const width = Math.max(...fields.map(({ name }) => name.length));
  return [
    `Nearest of ${total}: ${nameOf(call)}, which differs in ${different} of ${fields.length}:`,
    ...fields.map(({ name, expected, received, isEqual }) =>
      isEqual
        ? `  =  ${name.padEnd(width)}  ${shown(received)}`
        : `  ≠  ${name.padEnd(width)}  expected ${shown(expected)}, received ${shown(received)}`,
    ),
  ];
}

/** Number of differing fields; another operation counts more than any other difference. */
const distance = (fields: readonly Field[]): number =>
  fields
    .filter(({ isEqual }) => !isEqual)
    .reduce((sum, { name }) => sum + (['operation', 'method', 'path'].includes(name) ? 100 : 1), 0);

const nameOfPattern = ({ count: _, operation, ...others }: ExpectedCalls): string => {
  const rest = Object.entries(others).map(([name, value]) => `${name} ${shown(value)}`);
  return [operation ?? (rest.length === 0 ? 'any request' : 'requests'), ...rest].join(', ');
};

const nameOf = ({ id, method, path, status, entry }: Call): string =>
  `#${id} ${method} ${path} -> ${status ?? entry.outcome}`;
