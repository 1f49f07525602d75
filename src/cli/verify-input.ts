// The input is validated before anything is sent.
import { type RunInput, type RunOptions, readRunInput } from '../../contract-tests/commands/run-input.ts';
import { didYouMean } from '../core/profiles/did-you-mean.ts';
import { loadProfile } from '../server/files/profile-file.ts';

export function readInput(options: RunOptions): RunInput {
  // The mock's own loader reports problems of a profile in more detail.
  if (options.profile !== undefined) loadProfile(options.profile);
  return readRunInput(options, didYouMean);
}
