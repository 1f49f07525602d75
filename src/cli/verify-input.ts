// What is wrong with the input is reported before anything is sent: nobody waits for a run to hear of a misspelling.
import { type InputHints, type RunInput, type RunOptions, readRunInput } from '../../contract-tests/run-input.ts';
import { didYouMean } from '../core/profiles/did-you-mean.ts';
import { loadProfile } from '../server/files/profile-file.ts';

const hints: InputHints = {
  didYouMean,
  // The mock's own reading of a profile explains better what is wrong with it.
  checkProfile: (fileOrName) => void loadProfile(fileOrName),
};

/**
 * Reads the input of `verify` or `learn`, and refuses what cannot be used.
 * @throws UsageError or ConfigError
 */
export const readInput = (options: RunOptions): RunInput => readRunInput(options, hints);
