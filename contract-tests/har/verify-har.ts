import { buildReport } from '../commands/build-report.ts';
import type { RunInput } from '../commands/run-input.ts';
import type { Report } from '../model.ts';
import { count } from '../report/text.ts';
import { noneProbed } from '../run/gap-results.ts';
import { TrafficJudge } from '../run/traffic.ts';
import { candidatePaths, NO_ANSWERS } from '../session/gap-answers.ts';
import { readHar } from './read-har.ts';

/** Judges a recording by the rules of a run: nothing is sent, and what it does not show is untested. Throws UsageError. */
export async function verifyHar(file: string, input: RunInput): Promise<Report> {
  const startedAt = new Date();
  const { target, given = NO_ANSWERS } = input;
  const judge = new TrafficJudge(
    { scopesPaths: candidatePaths('scopes-path', given.answers), ...target },
    input.checks,
  );
  const entries = await readHar(file);
  for (const recorded of entries) judge.see(recorded);
  const baseUrl = judge.base(file);
  const reason = 'gaps are observed by separate requests; learn --har takes from a recording what it shows of them';
  return buildReport({
    ...{ ...input, startedAt, target: { ...target, baseUrl } },
    found: { checks: judge.results(), gaps: noneProbed(given.answers, reason) },
    remark: `${count(judge.count, 'exchange')} of the API among ${count(entries.length, 'answered entry', 'answered entries')} of ${file}; nothing was sent.`,
  });
}
