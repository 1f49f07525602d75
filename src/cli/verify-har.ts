import type { RunInput } from '../../contract-tests/commands/run-input.ts';
import { UsageError } from '../../contract-tests/errors.ts';
import { verifyHar } from '../../contract-tests/har/recorded.ts';
import type { Report } from '../../contract-tests/model.ts';
import { flagOf } from './options.ts';

/** Options about sending, which a recording does not need. */
const SENDING = [
  'plan',
  'quick',
  'explore',
  'compare',
  'concurrency',
  'requests',
  'model',
  'maxTrouble',
  'wait',
  'allowWrites',
  'timeout',
  'rps',
] as const;

/** `verify --har`: judges a recording; throws UsageError for an option about sending, or an incomplete HAR. */
export async function judgeHar(
  file: string,
  flags: { readonly [name in (typeof SENDING)[number]]?: unknown },
  input: RunInput,
): Promise<Report> {
  const other = SENDING.find((name) => flags[name] !== undefined);
  if (other) throw new UsageError(`--har judges what was recorded and sends nothing: leave out ${flagOf(other)}.`);
  if (input.strict) throw new UsageError('--har observes no gap, which --strict asks about: leave out one of them.');
  return verifyHar(file, input);
}
