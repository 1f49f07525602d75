import { namedActors } from '../api/named-actors.ts';
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
import { claimsIn } from '../secrets/pseudonym.ts';
import { pseudonymOfOid } from '../secrets/pseudonyms.ts';
import { Secrets } from '../secrets/secrets.ts';
import { assumedIn, candidatePaths, NO_ANSWERS } from '../session/gap-answers.ts';
import type { Target } from '../session/target-file.ts';
import { loadGaps } from '../spec-data.ts';
import { sentIn } from '../values/answer.ts';
import { objectOf } from '../values/json.ts';
import { LeftOut, type RecordedEntry, readHar } from './read-har.ts';

const optionsOf = ({ target, given = NO_ANSWERS }: RunInput) => ({
  scopesPaths: candidatePaths('scopes-path', given.answers),
  ...target,
});

/** Lets the log know which pseudonyms of a recording of ours are actors of the target file: its salt makes the same of their oid. */
function meetActors({ answer, salt }: RecordedEntry, target: Target | undefined, log: LogBuilder): void {
  if (salt === undefined) return;
  const claims = claimsIn(answer.request).find(({ name }) => name === 'oid');
  for (const [actor, given] of Object.entries(namedActors(claims && target?.actors)))
    if (given?.sso?.oid && claims?.value === pseudonymOfOid(given.sso.oid, salt))
      log.meet(actor, objectOf(sentIn(answer)) as Record<string, string>);
}

/** Judges a recording by the rules of a run: nothing is sent, and what it does not show is untested. Throws UsageError. */
export async function verifyHar(file: string, input: RunInput): Promise<Report> {
  const startedAt = new Date();
  const { target, given = NO_ANSWERS, checks } = input;
  const judge = new TrafficJudge(optionsOf(input), checks);
  const secrets = new Secrets(target ?? {}, judge.builder.nameOf);
  let answered = 0;
  const leftOut = new LeftOut();
  for await (const recorded of readHar(file, leftOut)) {
    answered += 1;
    meetActors(recorded, target, judge.builder);
    judge.add(recorded);
    // A browser records credentials as they are.
    secrets.learnBriefly(recorded.answer);
  }
  const baseUrl = judge.builder.operations.base(file);
  const reason = 'gaps are observed by separate requests; learn --har takes from a recording what it shows of them';
  const unread = leftOut.text === undefined ? '' : ` ${leftOut.text}.`;
  return buildReport({
    ...{ ...input, startedAt, target: { ...target, baseUrl } },
    found: { checks: judge.results(), gaps: noneProbed(given.answers, reason), secrets },
    remark: `${count(judge.builder.count, 'exchange')} of the API among ${count(answered, 'answered entry', 'answered entries')} of ${file}; nothing was sent.${unread}`,
  });
}

/** What a recording shows of the gaps; nothing is sent. Throws UsageError for a bad file, TransportError for nothing shown. */
export async function learnHar(file: string, input: RunInput): Promise<Learned> {
  const { target, given = NO_ANSWERS } = input;
  const builder = new LogBuilder({ ...optionsOf(input), isPartial: true });
  const secrets = new Secrets(target ?? {}, builder.nameOf);
  const leftOut = new LeftOut();
  for await (const recorded of readHar(file, leftOut)) {
    meetActors(recorded, target, builder);
    builder.add(recorded);
    secrets.learnFrom(recorded.answer);
  }
  const baseUrl = builder.operations.base(file);
  // A body that was not recorded shows nothing.
  const log = { ...builder.log, entries: builder.log.entries.filter(({ hasBody }) => hasBody) };
  const gaps = loadGaps().map((gap) => {
    const reader = allReaders.find((each) => each.gap === gap.id);
    const reading = reader?.read(log) ?? 'no exchange of the recording shows it';
    return gapResult(gap, reading, assumedIn(given.answers, gap));
  });
  const learned = learnedFrom(baseUrl, gaps, secrets, [], leftOut.text);
  if (Object.keys(learned.answers).length > 0) return learned;
  const unread = leftOut.text === undefined ? '' : `; ${leftOut.text}`;
  throw new TransportError(`Nothing can be learned: ${file} shows no answer to a gap${unread}`);
}
