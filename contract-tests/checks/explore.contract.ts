import { exploreChecks } from '../explore/explore.ts';
import { registerChecks } from './register.ts';

// Only a run that explores has these: what to send depends on its options.
if (process.env.VITEST) {
  const { inject } = await import('vitest');
  const exploration = inject('suite')?.exploration;
  if (exploration) await registerChecks('explore', exploreChecks(exploration));
}
