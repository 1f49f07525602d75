import { loadGaps } from '../spec-data.ts';
import { errorReaders } from './errors.ts';
import { keyReaders } from './keys.ts';
import type { Reader } from './reader.ts';
import { recordingReaders } from './recordings.ts';
import { recordReaders } from './records.ts';
import { signInReaders } from './sign-ins.ts';
import { statusReaders } from './statuses.ts';
import { tokenReaders } from './tokens.ts';

const inLedger = loadGaps().map(({ id }) => id);

/** Every reader, in the ledger's order. */
export const allReaders: readonly Reader[] = [
  ...signInReaders,
  ...tokenReaders,
  ...recordingReaders,
  ...keyReaders,
  ...errorReaders,
  ...statusReaders,
  ...recordReaders,
].toSorted((a, b) => inLedger.indexOf(a.gap) - inLedger.indexOf(b.gap));
