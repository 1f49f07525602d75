/** The same exchanges, judged as a run and as a recording of it. */
import { expect, test } from 'vitest';
import { type DefectId, startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { readRunInput } from '../commands/run-input.ts';
import type { Entry } from '../log/entry.ts';
import { idsOf } from '../report/text.ts';
import { allRules } from '../rules/rules.ts';
import { drive } from '../run/drive.ts';
import { judgeLog } from '../run/judge.ts';
import { Session } from '../session/session.ts';
import { harOf } from '../testing/har-of.ts';
import { verifyHar } from './recorded.ts';

/** The exchange of a run, as far from others as a recording can tell. */
const recorded = ({ answer: { request, response }, begin, end }: Entry) => ({
  method: request.method,
  url: request.url,
  requestHeaders: request.headers,
  requestBody: Buffer.from(request.body ?? ''),
  status: response.status,
  responseHeaders: response.headers,
  responseBody: Buffer.from(response.body),
  startedAt: Date.parse('2026-03-01T10:00:00Z') + begin * 10,
  durationMs: (end - begin) * 10 - 5,
});

/** A recording knows neither whose a made-up identity is nor who logs in: pseudonyms stand for both. */
const LIVE_ONLY = ['sso-strangers', 'login-user'];

test.concurrent.each<[DefectId?]>([
  [],
  ['update-lost-every-fifth'],
  ['token-wrong-pat-writes'],
  ['keys-filters-status-first'],
  ['token-verified-once'],
  ['auth-alg-none-accepted'],
  ['pat-any-secret-of-members'],
])('a run and a recording of it are judged alike: %s', async (defect) => {
  await using server = await startSecondImplementation({ defects: defect ? [defect] : [] });
  const answers = { 'scopes-path': server.style.scopesPath };
  const target = structuredClone(server.target);
  const session = new Session({ target, answers, allowWrites: true });
  const { log } = await drive(session, allRules);
  session.client.close();
  const { file } = await harOf(log.entries.map(recorded));
  const input = { ...readRunInput({ allowUntested: ['all'] }), target, given: { name: 'known', answers } };
  const { checks } = await verifyHar(file, input);
  const har = new Map(checks.map(({ id, outcome }) => [id, outcome]));
  const live = judgeLog(allRules, log);
  expect(idsOf(live.filter(({ id, outcome }) => har.get(id) !== outcome))).toEqual(LIVE_ONLY);
  expect(live.some(({ outcome }) => outcome === 'violation')).toBe(defect !== undefined);
});
