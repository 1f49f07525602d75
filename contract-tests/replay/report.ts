import { OPERATION_IDS } from '../api/operations.ts';
import { loadBaseline } from '../commands/baseline.ts';
import { countsOf, waiveKnown, withChecks } from '../commands/build-report.ts';
import type { Log } from '../log/entry.ts';
import type { CheckResult, GapResult, Gate, ReplayCounts, Report, Verdict } from '../model.ts';
import { allReaders } from '../readers/catalogue.ts';
import { agree, count, idsOf, listed } from '../report/text.ts';
import { EXIT_CODES, inOrder, judgeRequirements, verdictOf } from '../report/verdict.ts';
import type { Rule } from '../rules/rule.ts';
import { allRules } from '../rules/rules.ts';
import { gapResult } from '../run/gap-results.ts';
import { judgeLog } from '../run/judge.ts';
import { assumedIn } from '../session/gap-answers.ts';
import type { Session } from '../session/session.ts';
import { gapOf, loadRequirements, packageVersion } from '../spec-data.ts';
import { groupBy } from '../values/group.ts';
import { asText } from '../values/json.ts';
import { isMinor, KINDS } from './compare.ts';
import type { Cause } from './explain.ts';
import type { Recording } from './recording.ts';
import type { Replayed } from './replay.ts';

/** What gates besides documented statements. */
export interface Gating {
  /** Whether an answer that differs at a gap gates, too. */
  strict: boolean;
  /** How many interactions may stay unsent. */
  allowUnsent: number;
  baseline: string | undefined;
}

/** Rules that a verdict names. */
const MAX_NAMED = 8;

type Found = Replayed['differences'][number];

const causeText = (cause: Cause): string => {
  if (cause.kind === 'gap') return `gap ${cause.gap} (section ${cause.section})`;
  if (cause.kind === 'documented') return `documented (section ${cause.section})`;
  return cause.kind === 'limit'
    ? `a limit that the document does not show, or a broken statement (section ${cause.section})`
    : 'not named, since the recording is not of the mock';
};

/** Names a difference in any run: operation, kind and cause. */
const idOf = ({ interaction }: Replayed, { kind, cause }: Found): string =>
  [interaction.operation ?? 'other', kind, cause.kind, placeOf(cause)].join('/');

const placeOf = (cause: Cause): string =>
  cause.kind === 'gap' ? cause.gap : cause.kind === 'unnamed' ? 'none' : cause.section;

const textOf = ({ kind, cause }: Found): string => `${KINDS[kind]}: ${causeText(cause)}`;

/** Reads the known differences of a team. Throws UsageError. */
export const readKnown = (baseline: string | undefined) => {
  const places = [...OPERATION_IDS, 'other'].map((id) => ({ id }));
  return loadBaseline(baseline, [...places, ...allRules], loadRequirements());
};

export interface Ran {
  replayed: readonly Replayed[];
  recording: Recording;
  /** By which the answers are judged. */
  rules: readonly Rule[];
  session: Session;
  /** What the target answered. */
  log: Log;
  gating: Gating;
  startedAt: Date;
  overlaps: ReplayCounts['overlaps'];
  /** What is looked for, if it is one finding: the check where that is shown, and what else to say of it. */
  finding?: {
    id: string;
    fingerprint: string;
    check: CheckResult | undefined;
    /** Why that it does not show says nothing. */
    unjudged: string | undefined;
    notes: readonly string[];
    /** The exchanges, and the options that send them again. */
    file: string | undefined;
    options: string[];
  };
}

type Finding = NonNullable<Ran['finding']>;
type Known = ReturnType<typeof readKnown>;

/** The report of a replay: a check an interaction, and one for each rule that the answers violate; of a finding, whether that shows again. */
export function replayReport(ran: Ran): Report {
  const { replayed, recording, session, log, gating, startedAt, overlaps, finding } = ran;
  const known = readKnown(gating.baseline);
  const all = replayed.map((one) => checkOf(one, gating.strict, known));
  const violations = finding ? [finding.check ?? []].flat() : judgeLog(ran.rules, log);
  const rules = violations
    .filter(({ outcome }) => outcome === 'violation')
    .map((check) => waiveKnown(check, known.findings));
  // The server that was recorded had the defect: another answer is what is hoped for.
  const interactions = finding ? [] : all;
  const checks = [...rules, ...(finding ? all.filter(({ outcome }) => outcome === 'untested') : all)];
  const violated = new Set(rules.flatMap((rule) => rule.requirements));
  const counts = countsIn(replayed, overlaps);
  const stale = finding ? [] : staleIn(known, replayed, rules);
  const gates = gatesOf(replayed, { rules, interactions, counts, gating, stale });
  if (finding?.unjudged !== undefined) gates.push({ cause: 'untested', text: `${finding.unjudged}.` });
  const verdict = verdictOf(gates);
  const { leftovers, requests, secrets } = session.left;
  // Recordings of browsers hold credentials as they are.
  for (const { interaction } of replayed) secrets.learnFrom(interaction.recorded);
  const { leftOut, source } = recording;
  const first = finding ? textOfFinding(finding, counts, session) : [textOfCounts(counts)];
  const said = gates.filter(({ cause }) => !finding || cause !== 'violation').map((gate) => gate.text);
  const text = [...first, ...said, leftOut && `${leftOut}.`, ...known.expired];
  const report = {
    schemaVersion: 1 as const,
    tool: { name: 'platform-mock', version: packageVersion },
    target: { baseUrl: session.target.baseUrl },
    profile: 'of the recording',
    ...{ verdict, exitCode: EXIT_CODES[verdict], gates, startedAt: startedAt.toISOString() },
    durationMs: Math.max(0, Date.now() - startedAt.getTime()),
    requirements: judgeRequirements(
      loadRequirements().filter(({ id }) => violated.has(id)),
      rules,
    ),
    ...{ gaps: finding ? [] : gapsIn(replayed, log, source.answers), leftovers, requests },
    ...(finding ? resultOf(finding, verdict) : { replay: counts }),
    ...(stale.length > 0 && { staleBaseline: stale }),
    summary: { checks: checks.length, ...countsOf(checks), text: text.filter(Boolean).join(' ') },
  };
  return withChecks(report, checks, secrets);
}

/** Whether it shows again, and by which file. */
function resultOf({ id, check, file, options }: Finding, verdict: Verdict): Partial<Report> {
  const outcome = check ? 'shown' : verdict === 'conforms' ? 'gone' : 'undecided';
  return { finding: { id, outcome }, ...(file !== undefined && { recording: file, replayOptions: options }) };
}

/** Entries of the baseline that nothing shows any more. */
function staleIn({ findings }: Known, replayed: readonly Replayed[], rules: readonly CheckResult[]): string[] {
  const seen = new Set([
    ...replayed.flatMap((one) => one.differences.map((each) => idOf(one, each))),
    ...rules.flatMap(({ id, fingerprint, also = [] }) => [id, fingerprint, ...also.map((each) => each.fingerprint)]),
  ]);
  return [...findings.keys()].filter((id) => !seen.has(id));
}

interface Judged {
  rules: readonly CheckResult[];
  interactions: readonly CheckResult[];
  counts: ReplayCounts;
  gating: Gating;
  stale: readonly string[];
}

/** What decides the verdict: a broken statement, with `strict` any other answer, unsent entries, and the baseline. */
function gatesOf(replayed: readonly Replayed[], { rules, interactions, counts, gating, stale }: Judged): Gate[] {
  const gates: Gate[] = [];
  const isOpen = ({ outcome, known }: CheckResult): boolean => outcome === 'violation' && known === undefined;
  const isDocumented = (one: Replayed): boolean => one.differences.some(({ cause }) => cause.kind === 'documented');
  const otherwise = (number: number): string =>
    `${count(number, 'interaction')} ${agree(number, 'is', 'are')} answered otherwise`;
  const differing = replayed.filter((_, at) => interactions[at] !== undefined && isOpen(interactions[at]));
  const documented = differing.filter(isDocumented).length;
  const broken = rules.filter(isOpen);
  const statements = broken.length > 0 ? [`Violated: ${listed(idsOf(broken), MAX_NAMED, ', ')}.`] : [];
  if (documented > 0) statements.unshift(`${otherwise(documented)} than documented.`);
  if (statements.length > 0) gates.push({ cause: 'violation', text: statements.join(' ') });
  const atGaps = differing.length - documented;
  if (atGaps > 0)
    gates.push({ cause: 'strict-differs', text: `${otherwise(atGaps)} at gaps, which --strict does not allow.` });
  if (stale.length > 0)
    gates.push({ cause: 'stale-baseline', text: `The baseline names what is seen no more: ${stale.join(', ')}.` });
  const unsent = counts.recorded - counts.sent;
  if (counts.sent === 0)
    gates.push({ cause: 'unreachable', text: `Nothing was sent: ${replayed[0]?.unsent ?? 'the recording is empty'}.` });
  else if (unsent > gating.allowUnsent) {
    const waiver = `--allow-unsent ${unsent} waives that`;
    gates.push({ cause: 'untested', text: `${count(unsent, 'interaction')} could not be sent; ${waiver}.` });
  }
  return inOrder(gates);
}

function checkOf(one: Replayed, isStrict: boolean, { findings }: Known): CheckResult {
  const { interaction, answer, unsent, differences } = one;
  const { number, path, recorded, actor } = interaction;
  const as = actor === undefined ? '' : ` as ${actor}`;
  const title = `${recorded.request.method} ${path}${as} → ${recorded.response.status}`;
  const check = { id: `entry-${number}`, requirements: [], title };
  const exchanges = answer ? [{ ...answer, decisive: true as const }] : [];
  if (unsent !== undefined) return { ...check, outcome: 'untested', message: unsent, exchanges };
  if (differences.length === 0) return { ...check, outcome: 'pass', message: '', exchanges };
  const gating = differences.filter(({ cause }) => isStrict || cause.kind === 'documented');
  const unknown = gating.find((each) => !findings.has(idOf(one, each)));
  const main = unknown ?? gating[0] ?? differences[0];
  const known = main && unknown === undefined && gating.length > 0 ? findings.get(idOf(one, main)) : undefined;
  return {
    ...check,
    outcome: gating.length > 0 ? 'violation' : 'differs',
    message: [...new Set(differences.map(textOf))].join('; '),
    ...(main && {
      expected: placed(main, main.expected),
      actual: placed(main, main.actual),
      fingerprint: idOf(one, main),
    }),
    ...(known !== undefined && { known }),
    exchanges: [...exchanges, recorded],
  };
}

const placed = ({ at }: Found, value: unknown): unknown => (at === '' ? value : `${at}: ${asText(value ?? 'nothing')}`);

function countsIn(replayed: readonly Replayed[], overlaps: ReplayCounts['overlaps']): ReplayCounts {
  const sent = replayed.filter(({ unsent }) => unsent === undefined);
  const found = replayed.flatMap((one) =>
    one.differences.map((each) => ({ id: idOf(one, each), text: textOf(each), one })),
  );
  const groups = [...groupBy(found, ({ id }) => id)].map(([id, own]) => ({
    id,
    text: own[0]?.text ?? '',
    entries: [...new Set(own.map(({ one }) => one.interaction.number))],
  }));
  return {
    recorded: replayed.length,
    sent: sent.length,
    alike: sent.filter(({ differences }) => differences.length === 0).length,
    tolerant: sent.filter(({ differences }) => differences.every(isMinor)).length,
    overlaps,
    groups: groups.toSorted((a, b) => b.entries.length - a.entries.length),
  };
}

function textOfCounts({ recorded, sent, alike, tolerant, overlaps }: ReplayCounts): string {
  const more =
    tolerant > alike ? ` (${tolerant} for a client that ignores further members and the codes of errors)` : '';
  const unsent = recorded > sent ? ` ${recorded - sent} of ${recorded} not sent.` : '';
  const kept = overlaps.recorded > 0 ? ` ${overlaps.here} of ${count(overlaps.recorded, 'overlap')} kept.` : '';
  return `${alike} of ${count(sent, 'interaction')} answered alike${more}.${unsent}${kept}`;
}

function textOfFinding(
  { id, fingerprint, check, notes }: Finding,
  { sent, overlaps }: ReplayCounts,
  { target }: Session,
): string[] {
  const kept = overlaps.recorded > 0 ? `, ${overlaps.here} of ${count(overlaps.recorded, 'overlap')} kept` : '';
  const other = check?.fingerprint === fingerprint ? '' : ` (as ${check?.fingerprint})`;
  const verb = check ? `shows again${other}` : 'does not show again';
  return [`${id} ${verb} at ${target.baseUrl} (${count(sent, 'exchange')} sent${kept}).`, ...notes];
}

/** The gaps that decided a difference, with the answer that the target gives, as a profile would have it. */
function gapsIn(replayed: readonly Replayed[], log: Log, answers: Record<string, unknown> = {}): GapResult[] {
  const ids = replayed.flatMap(({ differences }) =>
    differences.flatMap(({ cause }) => (cause.kind === 'gap' ? [cause.gap] : [])),
  );
  return [...new Set(ids)].map((id) => {
    const reading = allReaders.find(({ gap }) => gap === id)?.read(log);
    return gapResult(gapOf(id), reading ?? 'no exchange of the replay shows it', assumedIn(answers, gapOf(id)));
  });
}
