import type { Call } from './call.ts';
import { invalid } from './refusal.ts';

/** At a public mock a sandbox has no more recordings than its rules say. */
export function limitRecordings({ worlds }: Pick<Call, 'worlds'>, recordings: number | undefined): void {
  const most = worlds.services.sandboxRules?.maxRecordings;
  if (most === undefined || recordings === undefined || recordings <= most) return;
  throw invalid([{ field: 'recordings', message: `must be <= ${most} at this public mock`, allowed: `0 to ${most}` }]);
}
