import { buildReport } from '../commands/build-report.ts';
import { type Learned, learnedFrom } from '../commands/learn.ts';
import type { RunInput } from '../commands/run-input.ts';
import { TransportError } from '../errors.ts';
import { LogBuilder } from '../log/log.ts';
import type { Report } from '../model.ts';
import { allReaders } from '../readers/catalogue.ts';
import { count } from '../report/text.ts';
import { gapResult, noneProbed } from '../run/gap-results.ts';
import { judgeLog } from '../run/judge.ts';
import { Secrets } from '../secrets/secrets.ts';
import { assumedIn, candidatePaths, NO_ANSWERS } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { readHar } from './read-har.ts';

/** The log of a recording, and how many answered entries the file has. Throws UsageError for a bad file. */
async function readLog(file: string, { target, given = NO_ANSWERS }: RunInput) {
  const scopesPaths = candidatePaths('scopes-path', given.answers);
  const builder = new LogBuilder({ scopesPaths, ...target, isPartial: true });
  const recorded = await readHar(file);
  for (const each of recorded) builder.add(each);
  return { log: builder.log, baseUrl: builder.operations.base(file), answered: recorded.length };
}

/** Judges a recording by the rules of a run: nothing is sent, and what it does not show is untested. Throws UsageError. */
export async function verifyHar(file: string, input: RunInput): Promise<Report> {
  const startedAt = new Date();
  const { target, given = NO_ANSWERS, checks } = input;
  const { log, baseUrl, answered } = await readLog(file, input);
  const reason = 'gaps are observed by separate requests; learn --har takes from a recording what it shows of them';
  return buildReport({
    ...{ ...input, startedAt, target: { ...target, baseUrl } },
    found: { checks: judgeLog(checks, log), gaps: noneProbed(given.answers, reason) },
    remark: `${count(log.entries.length, 'exchange')} of the API among ${count(answered, 'answered entry', 'answered entries')} of ${file}; nothing was sent.`,
  });
}

/** What a recording shows of the gaps; nothing is sent. Throws UsageError for a bad file, TransportError for nothing shown. */
export async function learnHar(file: string, input: RunInput): Promise<Learned> {
  const { target, given = NO_ANSWERS } = input;
  const { log: whole, baseUrl } = await readLog(file, input);
  // A body that was not recorded shows nothing.
  const log = { ...whole, entries: whole.entries.filter(({ hasBody }) => hasBody) };
  const gaps = loadGaps().map((gap) => {
    const reader = allReaders.find((each) => each.gap === gap.id);
    const reading = reader?.read(log) ?? 'no exchange of the recording shows it';
    return gapResult(gap, reading, assumedIn(given.answers, gap));
  });
  const learned = learnedFrom(baseUrl, gaps, new Secrets({ ...target, baseUrl }));
  if (Object.keys(learned.answers).length > 0) return learned;
  throw new TransportError(`Nothing can be learned: ${file} shows no answer to a gap`);
}
