import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { recordApp } from '../../src/testing/app-traffic.ts';
import { readRunInput } from '../commands/run-input.ts';
import { sameAnswer } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { learnAt } from '../testing/judge.ts';
import { learnHar } from './recorded.ts';

test('an app shows what a run would learn, each answer with entries that show it; the rest is not claimed', async () => {
  const server = await startSecondImplementation({ style: { targetAdmin: ['sso', 'login'], unknownFields: 'ignore' } });
  const { file, text: har } = await recordApp(server);
  const given = { name: 'known', answers: { 'scopes-path': server.style.scopesPath } };
  const { answers, gaps } = await learnHar(file, { ...readRunInput({}), given });
  const live = await learnAt(server.target);
  await server.close();
  const different = loadGaps().filter(
    (gap) => gap.id in answers && gap.id in live.answers && !sameAnswer(gap, answers[gap.id], live.answers[gap.id]),
  );
  // The app logs in as well.
  expect(different.map(({ id }) => id)).toEqual(['success-codes']);
  const shown =
    'access-token-lifetime error-body extra-fields invalid-credentials-status key-status-values login-request login-response ' +
    'missing-credentials-status pat-create-response pat-prefix provider-values scopes-path success-codes timestamp-form unknown-field';
  expect(Object.keys(answers).toSorted().join(' ')).toBe(shown);
  const headersRemoved = `${file}.without-headers`;
  writeFileSync(
    headersRemoved,
    har.replaceAll(/\{\s*"name":\s*"content-type",\s*"value":\s*"[^"]*"\s*\}/gi, '{"name":"x","value":""}'),
  );
  expect((await learnHar(headersRemoved, { ...readRunInput({}), given })).answers).toEqual(answers);
  for (const { id, evidence, outcome } of gaps) {
    expect(outcome !== 'undetermined', id).toBe(id in answers);
    if (id in answers) expect(evidence?.[0]).toMatch(/^entry \d+ \(\d{4}-.*\): (GET|POST|PATCH) \/\S* -> \d{3}$/);
  }
});
