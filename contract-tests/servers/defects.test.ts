/** Each defect of the second implementation is caught by a check of the requirement that it breaks first of all. */
import { expect, test } from 'vitest';
import { DEFECTS } from '../../fixtures/servers/second/server.ts';
import { contradictionsIn } from '../commands/alarms.ts';
import { judge, violatedIn } from '../testing/judge.ts';

test('each defect has a unique id', () => {
  expect(new Set(DEFECTS.map(({ id }) => id)).size).toBe(DEFECTS.length);
});

/** Defects that show only if this process is not too busy to read the parts of a body one by one. */
const isOfParts = ({ id }: (typeof DEFECTS)[number]): boolean => id === 'update-of-first-part';
const CAUGHT = '$id is caught by a check of its requirement';

test.concurrent.each(DEFECTS.filter((each) => !isOfParts(each)))(CAUGHT, isCaught);
test.each(DEFECTS.filter(isOfParts))(CAUGHT, isCaught);

async function isCaught({ id, requirement }: (typeof DEFECTS)[number]): Promise<void> {
  // What only shows once others were asked, too, takes a whole run.
  const own = await judge({ defects: [id], requirement });
  const checks = violatedIn(own).includes(requirement) ? own : await judge({ defects: [id] });
  const said = checks.filter(({ requirements }) => requirements.includes(requirement));
  expect(violatedIn(checks), JSON.stringify(said)).toContain(requirement);
  expect(contradictionsIn(checks)).toEqual([]);
}
