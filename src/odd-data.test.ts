// Files that hold names of Object.prototype, and objects without a text: each is taken, or refused in words.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../contract-tests/api/operations.ts';
import { loadBaseline } from '../contract-tests/commands/baseline.ts';
import { readRunInput } from '../contract-tests/commands/run-input.ts';
import { UsageError } from '../contract-tests/errors.ts';
import { verifyHar } from '../contract-tests/har/recorded.ts';
import { modelWith } from '../contract-tests/own/model-file.ts';
import { readTarget } from '../contract-tests/session/target-file.ts';
import { jwtOf } from '../contract-tests/testing/fixtures.ts';
import { ODD_NAMES, ODD_OBJECT } from '../contract-tests/testing/odd-json.ts';
import { ConfigError } from './core/spec/config-error.ts';
import { gapLedger } from './core/spec/gaps.ts';
import { createMock, type MockOptions } from './index.ts';
import { loadFixtures } from './server/files/fixtures.ts';
import { loadProfile } from './server/files/profile-file.ts';
import { fileWith } from './testing/refused.ts';

/** Each door with what its file, or value, must be like in parts, so that odd values get to all of them. */
const doors: readonly [door: string, wholes: (odd: unknown) => unknown[], open: (file: string) => unknown][] = [
  [
    'profile',
    (odd) => [odd, { answers: odd }, ...gapLedger().gaps.map(({ id }) => ({ answers: { [id]: odd } }))],
    (file) => loadProfile(file),
  ],
  ['fixtures', (odd) => [odd, { recordings: odd }, { users: [odd], fill: odd }], (file) => loadFixtures(dirname(file))],
  [
    'routes',
    (odd) => [
      odd,
      { routes: [odd], tables: odd },
      { routes: [{ path: '/v1/x', when: { body: odd }, body: odd, headers: odd }], tables: { constructor: [odd] } },
      { openapi: '3.1.0', info: odd, paths: odd, components: odd },
      { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: { '/x': { get: odd, post: { responses: odd } } } },
    ],
    (file) => withMock({ routes: [file] }),
  ],
  ['state file', (odd) => [odd, { version: 8, seed: 1, worlds: odd }], (stateFile) => withMock({ stateFile })],
  [
    'target file',
    (odd) => [
      odd,
      { baseUrl: odd },
      { baseUrl: 'http://a.test', actors: odd, resources: odd, reads: odd, profile: odd },
    ],
    (target) => readTarget({ target }),
  ],
  ['baseline', (odd) => [odd, { findings: odd, waivers: [odd] }], (file) => loadBaseline(file, [], [])],
  ['model', (odd) => [odd, { dimensions: odd, requests: odd }], (file) => modelWith(file)],
  [
    'HAR',
    (odd) => [odd, { log: odd }, { log: { entries: [odd] } }, { log: { entries: entriesOf(odd) } }],
    async (file) =>
      expect((await verifyHar(file, input)).checks.filter(({ outcome }) => outcome === 'error')).toEqual([]),
  ],
];

const input = readRunInput({ allowUntested: ['all'] });
const withMock = async (options: MockOptions) => (await createMock({ ...options, log: () => undefined })).close();

/** Of each operation an exchange that sends this and answers it, and one that lists it, as what it is about. */
function entriesOf(odd: unknown): unknown[] {
  const headers = [
    { name: 'content-type', value: 'application/json' },
    { name: 'authorization', value: `Bearer ${jwtOf({ sub: 'u1', exp: 4_000_000_000 }, 'c2lnbmF0dXJl')}` },
  ];
  const fields = ['id', 'provider', 'name', 'status', 'title', 'created_at', 'updated_at', 'user_id', 'user'];
  const record = { ...Object.fromEntries(fields.map((name) => [name, odd])), ...Object(odd) };
  return Object.values(OPERATIONS).flatMap(({ method, path }) =>
    [record, [record, odd]].map((answered) => ({
      startedDateTime: '2026-01-01T00:00:00Z',
      time: odd,
      request: {
        method,
        url: `http://a.test${(path ?? '/v1/x').replace(/\{\w+\}/, '1')}`,
        headers,
        postData: { text: JSON.stringify(record) },
      },
      response: { status: 200, headers, cookies: odd, content: { text: JSON.stringify(answered), size: odd } },
    })),
  );
}

const odds = [
  ODD_OBJECT,
  [ODD_OBJECT, ODD_OBJECT],
  ...ODD_NAMES.flatMap((name) => [name, JSON.parse(`{"${name}":{"id":1}}`)]),
];

test.each(doors)('%s', async (door, wholes, open) => {
  for (const odd of odds)
    for (const whole of wholes(odd)) {
      const text = JSON.stringify(whole);
      const file = fileWith(text, door === 'fixtures' ? 'a.yaml' : 'a.json');
      try {
        await open(file);
      } catch (error) {
        if (!(error instanceof ConfigError || error instanceof UsageError)) throw new Error(text, { cause: error });
      }
    }
});
