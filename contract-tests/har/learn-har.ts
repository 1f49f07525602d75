import { type Learned, learnedFrom } from '../commands/learn.ts';
import type { RunInput } from '../commands/run-input.ts';
import { TransportError } from '../errors.ts';
import { LogBuilder } from '../log/log.ts';
import { allReaders } from '../readers/catalogue.ts';
import { gapResult, notProbed } from '../run/gap-results.ts';
import { Secrets } from '../secrets/secrets.ts';
import { assumedIn, candidatePaths } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { readHar } from './read-har.ts';

/** What a recording shows of the gaps; nothing is sent. Throws UsageError for a bad file, TransportError for nothing shown. */
export async function learnHar(file: string, { target, given }: RunInput): Promise<Learned> {
  const scopesPaths = candidatePaths('scopes-path', given?.answers ?? {});
  const builder = new LogBuilder({ scopesPaths, ...target, isPartial: true });
  for (const recorded of await readHar(file)) builder.add(recorded);
  // A body that was not recorded shows nothing.
  const log = { ...builder.log, entries: builder.log.entries.filter(({ hasBody }) => hasBody) };
  const baseUrl = builder.operations.base(file);
  const gaps = loadGaps().map((gap) => {
    const assumed = assumedIn(given?.answers ?? {}, gap);
    const reader = allReaders.find((each) => each.gap === gap.id);
    return reader
      ? gapResult(gap, reader.read(log), assumed)
      : notProbed(gap, assumed, 'no exchange of the recording shows it');
  });
  const learned = learnedFrom(baseUrl, gaps, new Secrets({ ...target, baseUrl }));
  if (Object.keys(learned.answers).length > 0) return learned;
  throw new TransportError(`Nothing can be learned: ${file} shows no answer to a gap`);
}
