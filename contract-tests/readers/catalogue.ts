import { loadModel } from '../plan/model.ts';
import { loadGaps } from '../spec-data.ts';
import { credentials } from './credentials.ts';
import { errors } from './errors.ts';
import { keys } from './keys.ts';
import { type Reader, readerOf } from './reader.ts';
import { records } from './records.ts';
import { statuses } from './statuses.ts';

const answers = { ...credentials, ...keys, ...errors, ...statuses, ...records };

/** A reader for each gap that the model asks about, in the ledger's order. */
export const allReaders: readonly Reader[] = loadGaps().flatMap(({ id }) =>
  id in loadModel().gaps ? [readerOf(id, answers[id])] : [],
);
