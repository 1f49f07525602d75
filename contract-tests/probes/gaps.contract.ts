import { sharedSession } from '../checks/register.ts';
import { probeTarget } from '../probe-target.ts';

// One vitest test for all probes: they share what they observe, and none of them fails.
if (process.env.VITEST) {
  const { inject, test } = await import('vitest');
  const suite = inject('suite');
  if (suite?.session.probing) {
    test('gaps', { timeout: 0 }, async ({ task }) => {
      const session = sharedSession(suite);
      task.meta.probed = await probeTarget(session);
      task.meta.leftovers = [...session.leftovers];
    });
  }
}
