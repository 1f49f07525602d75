// The one test file of a run: each selected check is a vitest test, in the order of the report; then what is generated,
// then the probes, since no check may judge what a probe has touched.
import { afterAll, inject, test } from 'vitest';
import { allChecks } from './checks/catalogue.ts';
import { exploreChecks } from './explore/explore.ts';
import { announceUndo } from './interruption.ts';
import { probeTarget } from './probe-target.ts';
import { cutResult } from './report/cut.ts';
import { awaitBegin, type Begin, passTime } from './run-channel.ts';
import { runCheck } from './run-check.ts';
import type {} from './run-suite.ts';
import { ajvLibrary } from './session/ajv-library.ts';
import { Session } from './session/session.ts';
import { inTime, machine, timeWithoutWaiting } from './wire/time.ts';

/** Thrown so that vitest shows the check as failed; the result itself travels in the test's meta. */
class NotPassed extends Error {
  override name = 'NotPassed';
}

const { runId, checkIds, exploration, isBrief } = inject('suite');
const beginning = awaitBegin(runId);
// Loaded while the target starts: each takes as long as a dozen checks.
await import('supertest');
ajvLibrary();
const begin = await beginning;
// Where no target was found there is nothing to run.
if (begin) declareTests(begin);

function declareTests({ session: config, passesTime }: Begin): void {
  const session = new Session(config);
  announceUndo(runId, session);
  afterAll(() => session.close());
  // A target that was started for this run passes the time on its own clock; at any other one it is waited for.
  const time = passesTime ? timeWithoutWaiting(passTime(runId)) : machine;

  for (const check of [...allChecks, ...(exploration ? exploreChecks(exploration) : [])]) {
    if (!checkIds.includes(check.id)) continue;
    test(check.id, { timeout: 0 }, async ({ task }) => {
      const result = await inTime(time, () => runCheck(check, session));
      task.meta.check = cutResult(isBrief && result.outcome === 'pass' ? { ...result, exchanges: [] } : result);
      if (result.outcome !== 'pass') throw new NotPassed(`${result.outcome}: ${result.message}`);
    });
  }

  // One test for all probes: they share what they observe, and none of them fails.
  if (config.probing) {
    test('gaps', { timeout: 0 }, async ({ task, annotate }) => {
      const { exchanges, ...probed } = await inTime(time, () =>
        probeTarget(session, undefined, ({ id }) => void annotate(id)),
      );
      task.meta.probed = probed;
    });
  }

  test('clean-up', { timeout: 0 }, async ({ task }) => {
    task.meta.ended = await inTime(time, () => session.finish());
  });
}
