import { buildReport } from '../commands/build-report.ts';
import { type Learned, learnedFrom } from '../commands/learn.ts';
import type { RunInput } from '../commands/run-input.ts';
import { TransportError } from '../errors.ts';
import { LogBuilder } from '../log/log.ts';
import type { Report } from '../model.ts';
import { allReaders } from '../readers/catalogue.ts';
import { count } from '../report/text.ts';
import { gapResult, noneProbed } from '../run/gap-results.ts';
import { TrafficJudge } from '../run/traffic.ts';
import { Secrets } from '../secrets/secrets.ts';
import { assumedIn, candidatePaths, NO_ANSWERS } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { readHar } from './read-har.ts';

const optionsOf = ({ target, given = NO_ANSWERS }: RunInput) => ({
  scopesPaths: candidatePaths('scopes-path', given.answers),
  ...target,
});

/** Judges a recording by the rules of a run: nothing is sent, and what it does not show is untested. Throws UsageError. */
export async function verifyHar(file: string, input: RunInput): Promise<Report> {
  const startedAt = new Date();
  const { target, given = NO_ANSWERS, checks } = input;
  const judge = new TrafficJudge(optionsOf(input), checks);
  let answered = 0;
  for await (const recorded of readHar(file)) {
    answered += 1;
    judge.add(recorded);
  }
  const baseUrl = judge.base(file);
  const reason = 'gaps are observed by separate requests; learn --har takes from a recording what it shows of them';
  return buildReport({
    ...{ ...input, startedAt, target: { ...target, baseUrl } },
    found: { checks: judge.results(), gaps: noneProbed(given.answers, reason) },
    remark: `${count(judge.count, 'exchange')} of the API among ${count(answered, 'answered entry', 'answered entries')} of ${file}; nothing was sent.`,
  });
}

/** What a recording shows of the gaps; nothing is sent. Throws UsageError for a bad file, TransportError for nothing shown. */
export async function learnHar(file: string, input: RunInput): Promise<Learned> {
  const { target, given = NO_ANSWERS } = input;
  const builder = new LogBuilder({ ...optionsOf(input), isPartial: true });
  for await (const recorded of readHar(file)) builder.add(recorded);
  const baseUrl = builder.operations.base(file);
  // A body that was not recorded shows nothing.
  const log = { ...builder.log, entries: builder.log.entries.filter(({ hasBody }) => hasBody) };
  const gaps = loadGaps().map((gap) => {
    const reader = allReaders.find((each) => each.gap === gap.id);
    const reading = reader?.read(log) ?? 'no exchange of the recording shows it';
    return gapResult(gap, reading, assumedIn(given.answers, gap));
  });
  const learned = learnedFrom(baseUrl, gaps, new Secrets({ ...target, baseUrl }));
  if (Object.keys(learned.answers).length > 0) return learned;
  throw new TransportError(`Nothing can be learned: ${file} shows no answer to a gap`);
}
