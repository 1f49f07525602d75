import { loadModel } from '../plan/model.ts';
import { loadGaps } from '../spec-data.ts';
import { errors } from './errors.ts';
import { keys } from './keys.ts';
import { type Reader, readerOf } from './reader.ts';
import { recordings } from './recordings.ts';
import { records } from './records.ts';
import { signIns } from './sign-ins.ts';
import { statuses } from './statuses.ts';
import { tokens } from './tokens.ts';

const answers = { ...signIns, ...tokens, ...recordings, ...keys, ...errors, ...statuses, ...records };

/** A reader for each gap that the model asks about, in the ledger's order. */
export const allReaders: readonly Reader[] = loadGaps().flatMap(({ id }) =>
  id in loadModel().gaps ? [readerOf(id, answers[id])] : [],
);
