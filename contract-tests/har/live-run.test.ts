/** The same exchanges, judged as a run and as a recording of it. */
import { expect, test } from 'vitest';
import { type DefectId, startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { readRunInput } from '../commands/run-input.ts';
import type { Entry } from '../log/entry.ts';
import type { CheckResult } from '../model.ts';
import { allRules } from '../rules/rules.ts';
import { drive } from '../run/drive.ts';
import { judgeLog } from '../run/judge.ts';
import { Session } from '../session/session.ts';
import { harOf } from '../testing/har-of.ts';
import { verifyHar } from './recorded.ts';

/** Writes the exchanges of a run, as far apart as a recording can tell. */
const record = (entries: readonly Entry[]) =>
  harOf(
    entries.map(({ answer: { request, response }, begin, end }) => ({
      method: request.method,
      url: request.url,
      requestHeaders: request.headers,
      requestBody: Buffer.from(request.body ?? ''),
      status: response.status,
      responseHeaders: response.headers,
      responseBody: Buffer.from(response.body),
      startedAt: Date.parse('2026-03-01T10:00:00Z') + begin * 10,
      durationMs: (end - begin) * 10 - 5,
    })),
  );

/** What each rule says of a run, and of a recording of it. */
async function bothWays(...defects: DefectId[]): Promise<{ live: Map<string, string>; har: Map<string, string> }> {
  const server = await startSecondImplementation({ defects });
  const answers = { 'scopes-path': server.style.scopesPath };
  const target = structuredClone(server.target);
  const session = new Session({ target, answers, allowWrites: true });
  const { asker } = await drive(session, allRules);
  session.client.close();
  await server.close();
  const { file } = await record(asker.log.entries);
  const input = { ...readRunInput({ allowUntested: ['all'] }), target, given: { name: 'known', answers } };
  const { checks } = await verifyHar(file, input);
  const outcomes = (results: readonly Pick<CheckResult, 'id' | 'outcome'>[]): Map<string, string> =>
    new Map(results.map(({ id, outcome }) => [id, outcome]));
  return { live: outcomes(judgeLog(allRules, asker.log)), har: outcomes(checks) };
}

/** A recording knows neither whose a made-up identity is nor who logs in: pseudonyms stand for both. */
const LIVE_ONLY = ['sso-strangers', 'login-user'];

test.concurrent.each<[DefectId?]>([
  [],
  ['update-title-not-kept'],
  ['update-refused-yet-written'],
  ['keys-filters-or'],
  ['auth-signature-unchecked'],
])('a run and a recording of it are judged alike: %s', async (defect) => {
  const { live, har } = await bothWays(...(defect ? [defect] : []));
  const differences = [...live].filter(([id, outcome]) => har.get(id) !== outcome).map(([id]) => id);
  expect(differences).toEqual(LIVE_ONLY);
  expect([...live.values()].includes('violation')).toBe(defect !== undefined);
});
