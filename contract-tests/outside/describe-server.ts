import { describe, expect, test } from 'vitest';
import { alarmsOf, contradictionsIn, isOptional } from '../commands/alarms.ts';
import type { CheckResult } from '../model.ts';
import { violatedIn } from '../testing/judge.ts';
import { expected, isOfSection, judgeServer, loadServer, type ServerName } from './outside.ts';

const notVerified = (checks: readonly CheckResult[]): string[] =>
  [
    ...new Set(
      checks
        .filter((check) => check.outcome !== 'pass' && !isOptional(check))
        .flatMap(({ requirements }) => requirements),
    ),
  ].sort();

/** Declares the tests of one server: its catalogue, its styles, its defects. */
export async function describeServer(name: ServerName): Promise<void> {
  const server = await loadServer(name);
  if (!server) {
    test(name, ({ skip }) => skip('its packages are not installed; npm run test:outside installs them'));
    return;
  }
  const { styles, defects } = server;
  const undecided = expected.undecided[name];
  const notYet = expected.notYet[name];

  test('there are enough styles and defects, and whatever is expected of one names one that exists', () => {
    expect(styles.length).toBeGreaterThanOrEqual(12);
    expect(defects.length).toBeGreaterThanOrEqual(50);
    expect(defects.filter(({ kind }) => kind !== 'plain').length).toBeGreaterThanOrEqual(defects.length / 2);
    const ids = [...styles, ...defects].map(({ id }) => id);
    const named = [...Object.keys(expected.untested[name]), ...expected.falseAlarms[name]];
    expect(ids).toEqual(expect.arrayContaining([...named, ...Object.keys(undecided), ...notYet]));
  });

  describe.concurrent('a style conforms', () => {
    test.each(['', ...styles.map(({ id }) => id)])('%s', async (style) => {
      const { checks, requests } = await judgeServer(server, style === '' ? {} : { style });
      if (expected.falseAlarms[name].includes(style)) {
        expect(alarmsOf(checks), 'it conforms now: take it off the list falseAlarms').not.toEqual([]);
        return;
      }
      expect(alarmsOf(checks)).toEqual([]);
      const untested = expected.untested[name][style] ?? [];
      expect(notVerified(checks).filter((id) => !untested.includes(`${id}?`))).toEqual(
        untested.filter((id) => !id.endsWith('?')),
      );
      expect(requests).toBeLessThanOrEqual(expected.requests[style === '' ? 'plain' : 'style']);
    });
  });

  describe.concurrent('a defect is caught by a check of what it breaks', () => {
    test.each([...defects])('$id', async ({ id, kind, section }) => {
      const isCaught = (result: CheckResult): boolean => isOfSection(section, result);
      const { checks } = await judgeServer(server, { defect: id });
      const caught = checks.some(isCaught);
      expect(contradictionsIn(checks)).toEqual([]);
      if (notYet.includes(id)) {
        // Whether a run takes long enough to meet a timed defect depends on the machine.
        if (kind !== 'timed') expect(caught, 'it is caught now: take it off the list notYet').toBe(false);
      } else if (id in undecided) {
        expect(caught ? [] : violatedIn(checks), 'violations that are not what it does').toEqual([]);
      } else {
        expect(caught, `${section}: violated is ${violatedIn(checks).join(', ') || 'nothing'}`).toBe(true);
      }
    });
  });
}
