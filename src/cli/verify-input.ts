// The input is validated before anything is sent.
import {
  type InputHints,
  type RunInput,
  type RunOptions,
  readRunInput,
} from '../../contract-tests/commands/run-input.ts';
import { didYouMean } from '../core/profiles/did-you-mean.ts';
import { loadProfile } from '../server/files/profile-file.ts';

const hints: InputHints = {
  didYouMean,
  // The mock's own loader reports problems of a profile in more detail.
  checkProfile: (fileOrName) => void loadProfile(fileOrName),
};

/** Reads and validates the input of `verify` or `learn`; throws UsageError or ConfigError. */
export const readInput = (options: RunOptions): RunInput => readRunInput(options, hints);
