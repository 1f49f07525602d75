// The complete suite through Prism's validation proxy, for profiles of all kinds. Prism must accept every response; where
// it judges a request differently, spec/prism-differences.yaml explains why.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isOptional } from '../../contract-tests/commands/alarms.ts';
import type { Exchange } from '../../contract-tests/model.ts';
import { runSuite } from '../../contract-tests/run/run.ts';
import { discoverTarget } from '../../contract-tests/session/discover.ts';
import { parseJson } from '../../contract-tests/values/json.ts';
import { answersFrom } from '../core/profiles/load.ts';
import { defaultAnswers, type GapAnswers, type GapId } from '../core/spec/gaps.ts';
import { resolve } from '../core/spec/resolve.ts';
import { startMock } from '../index.ts';
import { packageFile } from '../server/files/package-root.ts';
import { findPrism, prismVersion, startPrism } from './prism-process.ts';

interface Difference {
  readonly kind: 'refused-by-mock' | 'taken-by-mock' | 'answered-by-prism' | 'broken-by-prism';
  readonly gaps: readonly GapId[];
  readonly when?: Partial<GapAnswers>;
}

const { differences } = parse(readFileSync(packageFile('spec', 'prism-differences.yaml'), 'utf8')) as {
  differences: readonly Difference[];
};

/** Runs checks and probes against a mock with `profile`, through Prism with the document of `documented`. */
async function judge(profile: string, documented = profile) {
  await using mock = await startMock({ profile });
  const { profile: own, ...target } = await discoverTarget({ baseUrl: mock.baseUrl });
  const answers = typeof own === 'object' ? own.answers : {};
  const log: string[] = [];
  await using prism = await startPrism({
    document: resolve(answersFrom(documented).all),
    upstream: mock.baseUrl,
    host: '127.0.0.1',
    port: 0,
    log: (line) => void log.push(line),
  });
  const through = { ...target, baseUrl: prism.baseUrl };
  const { checks, gaps, log: sent } = await runSuite({ target: through, answers, allowWrites: true, probing: true });
  // Prism logs in order of requests: after this line the log is complete.
  await fetch(`${prism.baseUrl}/the-end`);
  await expect.poll(() => log.some((line) => line.includes('/the-end'))).toBe(true);
  return {
    checks,
    gaps,
    exchanges: sent.entries.map(({ answer }) => answer),
    requests: log.filter((line) => line.includes('Request received')).length,
    violations: log.flatMap((line) => /Violation: (.*)/.exec(line)?.[1] ?? []),
  };
}

const ofResponses = (violations: readonly string[]) => violations.filter((text) => text.startsWith('response'));

// The others differ from these in statuses and in shapes of JSON.
test.each(['default', 'lenient', 'rfc9457'])('%s', async (profile) => {
  const { checks, gaps, exchanges, requests, violations } = await judge(profile);
  const missed = checks.filter(
    (check) => check.outcome !== 'pass' && !isOptional(check) && !check.exchanges.some(isBroken),
  );
  expect(missed.map(({ id, outcome, message }) => `${outcome} ${id}: ${message}`)).toEqual([]);
  expect(ofResponses(violations)).toEqual([]);
  // Prism did validate: it reported the requests that the suite sends with errors on purpose.
  expect(requests).toBeGreaterThan(140);
  expect(violations.length).toBeGreaterThan(15);

  const answers = answersFrom(profile).all;
  const expected = differences.filter(({ when = {} }) =>
    Object.entries(when).every(([gap, answer]) => answers[gap as GapId] === answer),
  );
  const found = exchanges.flatMap((exchange) => differenceIn(exchange) ?? []);
  expect([...new Set(found)].sort()).toEqual(expected.map(({ kind, gaps }) => `${kind} ${gaps.join()}`).sort());
  const ofPrism = differences.flatMap((each) => (each.kind === 'answered-by-prism' ? each.gaps : []));
  // Its own answers are errors, too, whose body and codes are not the mock's.
  const hidden: readonly string[] = [...ofPrism, ...ofEveryError];
  const differing = gaps.filter(({ id, outcome }) => outcome === 'differs' && !hidden.includes(id));
  expect(differing).toEqual([]);
});

/** The kind and gaps of a difference between Prism and the mock about a request, if there is one. */
function differenceIn(exchange: Exchange): string | undefined {
  const { request, response } = exchange;
  if (!response) return 'no response';
  if (isBroken(exchange)) return 'broken-by-prism ';
  const basis = response.headers['x-mock-basis'];
  if (basis === undefined)
    return `answered-by-prism ${parseJson(request.body ?? 'null') !== undefined ? request.url : 'malformed-json-status'}`;
  const found = JSON.parse(response.headers['sl-violations'] ?? '[]') as { severity: string }[];
  const isRefusal = /\b(validation|malformed-json|media-type)-status\b/.test(basis);
  if (isRefusal && found.length === 0) return `refused-by-mock ${decidingGaps(basis)}`;
  const isTaken = response.status < 300 && found.some(({ severity }) => severity === 'Error');
  return isTaken ? `taken-by-mock ${decidingGaps(basis)}` : undefined;
}

/** A chunked request that the mock's HTTP server refused. */
const isBroken = ({ request, response }: Exchange): boolean =>
  request.headers['Transfer-Encoding'] !== undefined && response?.status === 400;

const ofEveryError: readonly string[] = ['error-body', 'error-codes', 'validation-status'] satisfies GapId[];

/** The gaps in X-Mock-Basis, without those that affect every error. */
function decidingGaps(basis: string): string {
  const gaps = basis.replace('assumed; gaps=', '').split(',');
  return gaps.filter((gap) => !ofEveryError.includes(gap)).join();
}

test('Prism reports undocumented responses', async () => {
  const { violations } = await judge('detail-403', 'default');
  const found = ofResponses(violations).join('\n');
  expect(found).toContain('response Unable to match the returned status code');
  expect(found).toContain("response.body Response body must have required property 'error'");
  expect(found).toMatch(/response\.body\.updated_at .* must match pattern/);
  expect(found).toMatch(/response\.body\.0\.provider .* must be equal to one of the allowed values/);
});

test('without Prism one line says what to install', () => {
  expect(() => findPrism([pathToFileURL('/nowhere/at/all.js').href])).toThrow(
    /^Prism is not installed; add it with: npm install --save-dev @stoplight\/prism-cli@[\d.]+$/,
  );
  const { devDependencies } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  expect(devDependencies['@stoplight/prism-cli']).toBe(prismVersion);
});

test('a port in use is reported', async () => {
  await using mock = await startMock();
  const document = resolve(defaultAnswers());
  await expect(startPrism({ document, upstream: mock.baseUrl, host: '127.0.0.1', port: mock.port })).rejects.toThrow(
    `port ${mock.port} on 127.0.0.1 is in use; choose another with --port`,
  );
});
