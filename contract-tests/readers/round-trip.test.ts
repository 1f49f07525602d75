import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { readMock } from '../commands/learn.ts';
import type { Gap } from '../model.ts';
import { allRules } from '../rules/rules.ts';
import { judgeLog } from '../run/judge.ts';
import { loadGivenAnswers, sameAnswer } from '../session/gap-answers.ts';
import { loadGaps, packageRoot } from '../spec-data.ts';
import { allReaders } from './catalogue.ts';

const observable = loadGaps().filter((gap) => gap.unobservable === undefined);

/** Every answer that the ledger lists, the examples where it gives a schema, and the default. */
function answersOf(gap: Gap): unknown[] {
  const listed: unknown[] = [...Object.keys(gap.answers ?? {}), ...(gap.examples ?? [])];
  return listed.some((answer) => sameAnswer(gap, answer, gap.default)) ? listed : [...listed, gap.default];
}

/** Runs the probes (all, or the one of a gap) at a mock with these answers; the session knows nothing of them. */
async function probeMock(answers: Record<string, unknown>, gapId?: string) {
  await using mock = await startMock({ port: 0, profile: { answers } });
  return await readMock(
    mock.baseUrl,
    {},
    allReaders.filter(({ gap }) => gapId === undefined || gap === gapId),
  );
}

const asSet = (gap: Gap, answer: unknown) => (gap.schema?.uniqueItems === true ? new Set(answer as unknown[]) : answer);

const shipped = readdirSync(join(packageRoot, 'spec/profiles')).map((file) => file.replace('.yaml', ''));
/** Gaps that the other answers of a profile leave nothing to see of: a body without a code says nothing about codes. */
const hidden = (answers: Record<string, unknown>): string[] => [
  ...(answers['error-body'] === 'detail' || answers['error-body'] === 'message' ? ['error-codes'] : []),
  // None of the named answers tells when a PAT expires.
  'pat-lifetime',
];

/** Answers with which a gap can be seen at all. */
const TOGETHER: Record<string, Record<string, unknown>> = {
  'sso-unknown-directory': { 'sso-unknown-identity': 'provision' },
  'pat-lifetime': {
    'pat-create-response': {
      template: { token: '${token}', created_at: '${createdAt}', expires_at: '${expiresAt}' },
    },
  },
};

test('each gap that can be observed has one probe, which writes where the ledger says so', () => {
  expect(allReaders.map(({ gap, writes }) => [gap, writes])).toEqual(
    observable.map(({ id, writes }) => [id, writes === true]),
  );
});

describe.each(observable)('the probe returns exactly the answer that the mock serves: $id', (gap) => {
  const answers = answersOf(gap);
  test.each(answers.map((answer) => ({ answer })))('$answer', async ({ answer }) => {
    const { gaps, log } = await probeMock({ ...TOGETHER[gap.id], [gap.id]: answer }, gap.id);
    // A token that one probe alone uses may be refused by all that it asks.
    const rules = allRules.filter(({ id }) => id !== 'sso-token-works');
    expect(judgeLog(rules, log).filter(({ outcome }) => outcome === 'violation')).toEqual([]);
    const result = gaps.find(({ id }) => id === gap.id);
    expect(result?.reason).toBeUndefined();
    // The codes of kinds that the answer leaves out are seen, too.
    if (gap.id === 'error-codes' && typeof answer === 'object') expect(result?.observed).toMatchObject(answer ?? {});
    else expect(result?.observed).toEqual(answer);
    expect(result?.outcome).toBe(sameAnswer(gap, answer, gap.default) ? 'match' : 'differs');
  });
});

test('one whole run returns every default answer, and leaves three PATs behind; a recording of it says the same', async () => {
  const { gaps, log, leftovers } = await probeMock({});
  const probed = gaps.filter(({ id }) => observable.some((gap) => gap.id === id) && !hidden({}).includes(id));
  expect(probed.filter(({ outcome }) => outcome !== 'match')).toEqual([]);
  expect(probed).toHaveLength(observable.length - hidden({}).length);
  for (const gap of gaps.filter(({ id }) => !observable.some((other) => other.id === id))) {
    expect(gap).toMatchObject({ outcome: 'undetermined', reason: expect.stringMatching(/./) });
  }
  expect(leftovers.filter((line) => line.includes('personal access token'))).toHaveLength(3);
  const recorded = allReaders.flatMap(({ gap, read }) => {
    const reading = read({ ...log, isPartial: true });
    return reading.state === 'shown'
      ? [[gap, asSet(observable.find(({ id }) => id === gap) as Gap, reading.answer)]]
      : [];
  });
  expect(recorded.length).toBeGreaterThan(40);
  const live = observable.map((gap) => [gap.id, asSet(gap, gaps.find(({ id }) => id === gap.id)?.observed)]);
  expect(Object.fromEntries(live)).toMatchObject(Object.fromEntries(recorded));
});

test('where each sign-in ends the earlier session of its user, a whole run still learns every answer', async () => {
  const { gaps } = await probeMock({ 'concurrent-sessions': 'end-the-earlier' });
  const others = gaps.filter(({ id, outcome }) => outcome !== 'match' && observable.some((gap) => gap.id === id));
  expect(others.filter(({ id }) => !hidden({}).includes(id))).toMatchObject([
    { id: 'concurrent-sessions', observed: 'end-the-earlier' },
  ]);
});

test.each(shipped)('the shipped profile %s comes back as a whole', async (name) => {
  const { answers } = loadGivenAnswers(name);
  const { gaps } = await probeMock(answers);
  const wanted = observable.filter(({ id }) => !hidden(answers).includes(id));
  const observed = Object.fromEntries(gaps.map((gap) => [gap.id, gap.observed]));
  const pairs = (from: (gap: Gap) => unknown) => wanted.map((gap) => ({ gap: gap.id, answer: asSet(gap, from(gap)) }));
  expect(pairs(({ id }) => observed[id])).toEqual(pairs(({ id, default: assumed }) => answers[id] ?? assumed));
  // What this profile's other answers hide is reported as unknown, never guessed.
  for (const id of hidden(answers))
    expect(gaps.find((gap) => gap.id === id)).toMatchObject({ outcome: 'undetermined' });
});
