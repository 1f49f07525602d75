/** Each defect of the second implementation is caught by a check of the requirement that it breaks first of all. */
import { expect, test } from 'vitest';
import { DEFECTS } from '../../fixtures/servers/second/server.ts';
import { contradictionsIn } from '../commands/alarms.ts';
import { judge, violatedIn } from '../testing/judge.ts';

test('each defect has a unique id', () => {
  expect(new Set(DEFECTS.map(({ id }) => id)).size).toBe(DEFECTS.length);
});

test.concurrent.each(DEFECTS)('$id is caught by a check of its requirement', async ({ id, requirement }) => {
  // What only shows once others were asked, too, takes a whole run.
  const own = await judge({ defects: [id], requirement });
  const checks = violatedIn(own).includes(requirement) ? own : await judge({ defects: [id] });
  const said = checks.filter(({ requirements }) => requirements.includes(requirement));
  expect(violatedIn(checks), JSON.stringify(said)).toContain(requirement);
  expect(contradictionsIn(checks)).toEqual([]);
});
