import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../model.ts';
import { runSuite } from '../run-suite.ts';
import { startSecondImplementation } from '../second-implementation/server.ts';
import { Session } from '../session/session.ts';
import { checkTarget } from '../session/target-file.ts';
import { readOnlyFieldChecks } from './read-only-fields.ts';
import { recordingValueChecks } from './recording-values.ts';
import { recordingChecks } from './recordings.ts';
import { movesByItself } from './recordings-moving.ts';

const CHECKS = [...recordingChecks, ...recordingValueChecks, ...readOnlyFieldChecks];

type Options = NonNullable<Parameters<typeof startSecondImplementation>[0]>;

/** How the checks of the recording go at a second implementation of its own, given what the target file says of resources. */
async function judge(options: Options, resources: object = {}): Promise<Map<string, CheckResult>> {
  const { target, close } = await startSecondImplementation(options);
  const given = JSON.parse(JSON.stringify({ ...target, resources: { ...target.resources, ...resources } }));
  try {
    const { checks } = await runSuite(
      { target: checkTarget(given, () => 'test'), answers: {}, allowWrites: true },
      CHECKS,
    );
    return new Map(checks.map((check) => [check.id, check]));
  } finally {
    await close();
  }
}

const violated = (checks: ReadonlyMap<string, CheckResult>): string[] =>
  [...checks.values()].filter(({ outcome }) => outcome === 'violation').map(({ id }) => id);

describe('an analysis of a shape of its own', () => {
  const style: Options['style'] = { analysisVersion: true };

  test('is sent where the target file names it', async () => {
    expect(violated(await judge({ style }))).toEqual([]);
  });

  test('must be named: that every analysis of the suite is refused is a violation that says where', async () => {
    const checks = await judge({ style }, { analysis: undefined });
    expect(checks.get('recording-update-analysis')).toMatchObject({
      outcome: 'violation',
      message: expect.stringContaining('resources.analysis'),
    });
  });

  test('is not suggested where the analysis alone is accepted', async () => {
    const checks = await judge({ defects: ['update-refuses-title-with-analysis'] });
    expect(violated(checks)).toEqual(['recording-update-some']);
    expect(checks.get('recording-update-some')?.message).not.toContain('resources.analysis');
  });
});

test('where only a title is missing, the message says how the suite reads what is left open', async () => {
  const checks = await judge({ defects: ['update-demands-title'] });
  for (const id of ['recording-update-kb-folder-id', 'recording-update-analysis', 'recording-update-some'])
    expect(checks.get(id)?.message).toContain('The document leaves open which fields are required');
  const alone = await judge({ defects: ['update-refuses-summary'] });
  expect(alone.get('recording-update-summary')).toMatchObject({
    outcome: 'violation',
    message: expect.not.stringContaining('leaves open'),
  });
});

test('a violation is shown by the answer that breaks the statement', async () => {
  const checks = await judge({ defects: ['recording-no-content-for-analysis'] });
  const { outcome, exchanges } = checks.get('recording-answered') ?? { exchanges: [] };
  expect(outcome).toBe('violation');
  expect(exchanges.find(({ decisive }) => decisive)?.response?.status).toBe(204);
});

describe('a recording that moves', () => {
  const moves = async (options: Options): Promise<boolean> => {
    const { target, close } = await startSecondImplementation(options);
    const session = new Session({ target: checkTarget(target, () => 'test'), answers: {}, allowWrites: true });
    try {
      return await movesByItself(session, { title: 'The update that is suspected' });
    } finally {
      session.close();
      await close();
    }
  };

  test('while it is left alone does so by itself', async () => {
    expect(await moves({ style: { reprocessedAfterMs: 100, times: 'zulu-millis' } })).toBe(true);
  });

  test('at every update, or at none, does not', async () => {
    expect(await moves({ defects: ['update-changes-status'] })).toBe(false);
    expect(await moves({})).toBe(false);
  });
});
