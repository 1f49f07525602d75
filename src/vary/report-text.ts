import { inline, inlineCode, table } from '../../contract-tests/report/markdown-text.ts';
import { agree, count, showDuration, visible } from '../../contract-tests/report/text.ts';
import { groupBy } from '../../contract-tests/values/group.ts';
import { type GapRow, letterOf, questionLines, showAnswer } from '../cli/gap-rows.ts';
import type { Json } from '../core/spec/gaps.ts';
import {
  type Finding,
  findingsIn,
  leftOut,
  otherLearned,
  otherPath,
  type RestedGap,
  type TriedAnswer,
} from './model.ts';
import type { VaryReport } from './vary.ts';

/** Answers to one gap that break the same tests. */
type Break = ReturnType<typeof breaksOf>[number][number];

/** The gaps that break something, most tests first, each with its breaks. */
export function breaksOf({ gaps }: VaryReport) {
  const testsOf = ({ answers }: RestedGap): number => new Set(answers.flatMap(({ tests }) => tests)).size;
  return gaps
    .filter(({ answers }) => answers.some(({ outcome }) => outcome === 'breaks'))
    .sort((a, b) => testsOf(b) - testsOf(a))
    .map((gap) => {
      const breaking = gap.answers.filter((tried) => tried.outcome === 'breaks');
      const groups = groupBy(breaking, ({ tests, accepted }) => JSON.stringify([tests, accepted]));
      return [...groups.values()].map((answers) => ({ gap, answers, tests: answers[0]?.tests ?? [] }));
    });
}

/** Whether any other answer to a gap was tried. */
export const isTried = ({ answers }: RestedGap): boolean => answers.some(({ outcome }) => outcome !== 'untried');

/** The tests that an answer breaks, alone or together with others. */
export const dependentTests = ({ gaps, together }: VaryReport): Set<string> =>
  new Set([
    ...gaps.flatMap(({ answers }) => answers.flatMap(({ tests }) => tests)),
    ...together.map(({ test }) => test),
  ]);

/** How many tests depend on a guess; without names of tests, whether the command does. */
export function headline(report: VaryReport): string {
  const broken = dependentTests(report).size;
  const all = report.tests.length;
  if (broken === 0 && report.exitCode === 4)
    return 'Inconclusive: nothing breaks so far, but not everything could be tried';
  if (all === 0) return `Your command depends on ${broken === 0 ? 'no' : 'a'} guess`;
  return broken === 0
    ? 'No test depends on a guess'
    : `${broken} of ${all} tests ${agree(broken, 'depends', 'depend')} on a guess`;
}

/** Names a gap on which at least half of them depend, and on nothing else: it hides what else there is. */
export function mainGapText(report: VaryReport): string {
  const broken = dependentTests(report);
  for (const { id } of report.gaps) {
    const others = dependentTests({ ...report, gaps: report.gaps.filter((gap) => gap.id !== id) });
    const only = broken.size - others.size;
    if (only > 1 && only >= broken.size / 2) return `${only} of them depend on ${id} only.`;
  }
  return '';
}

/** A test's name; the command's failure has none. */
export const nameOf = ({ tests }: VaryReport, id: string): string => tests.find((test) => test.id === id)?.name ?? id;

/** A written-out shape by its members: for a line of text. */
export const shortAnswer = (answer: Json): string => {
  const text = showAnswer(answer);
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
};

const asWanted = [otherLearned, otherPath, leftOut];

/** The gaps of which not every answer was tried, and why. */
function untriedOf({ gaps }: VaryReport): string[] {
  return gaps.flatMap(({ id, answers }) => {
    if (answers.length === 0) return [`${id} (no other example)`];
    const untried = answers.flatMap((tried) =>
      (tried.outcome === 'untried' || tried.outcome === 'error') && !asWanted.includes(tried.reason) ? [tried] : [],
    );
    const reasons = [...new Set(untried.map(({ reason }) => reason))].join('; ');
    return untried.length === 0 ? [] : [`${untried.length} of ${answers.length} answers of ${id} (${reasons})`];
  });
}

const stops = {
  'max-runs': 'the maximum number of runs (--max-runs) was reached',
  'time-limit': 'the time limit (--time-limit) was reached',
  interruption: 'it was interrupted',
  error: 'an error ended it',
};

/** What there is to say besides the answers, a sentence each; `name` shows a test. */
export function notesOf(report: VaryReport, name = (id: string) => nameOf(report, id)): string[] {
  const noteOf = (finding: Finding): string | undefined => {
    switch (finding.kind) {
      case 'answer':
        return undefined;
      case 'together': {
        const { test, answers } = finding.together;
        const pairs = answers.map(({ gap, answer }) => `${gap}: ${shortAnswer(answer)}`);
        return `only together break ${name(test)}: ${pairs.join(', ')}`;
      }
      case 'unexplained':
        return `Failed so far, with answers that were not told apart: ${name(finding.test)}`;
      case 'flaky':
        return `Flaky, so nothing is said of it: ${name(finding.test)}`;
      case 'error':
        return `Error: ${finding.text}`;
      case 'stale':
        return `Accepted, but it breaks nothing any more; remove the entry: ${finding.text}`;
      case 'stop':
        return `The search ended early: ${stops[finding.by]}.`;
    }
  };
  const untried = untriedOf(report);
  const notes = [
    ...findingsIn(report).map(noteOf),
    untried.length > 0 ? `Not tried: ${untried.join('; ')}.` : undefined,
  ];
  return notes.filter((note) => note !== undefined);
}

/** The result for a terminal. */
export function renderText(report: VaryReport): string {
  const { tests, unexplained, flaky } = report;
  const broken = dependentTests(report);
  const all = tests.length;
  const name = (id: string): string => {
    const test = tests.find((each) => each.id === id);
    return test ? `"${visible(test.name)}"` : id;
  };
  const holding = tests.filter(({ id }) => ![...broken, ...unexplained, ...flaky].includes(id)).length;
  const isAnyTried = report.gaps.some(isTried);
  const breakLines = ({ answers, tests: hit }: Break): (string | false)[] => [
    `    ${answers.map(({ answer }) => shortAnswer(answer)).join(', ')}  ${agree(answers.length, 'breaks', 'break')}  ${hit.map(name).join(', ')}`,
    answers.some(({ isObserved }) => isObserved) && `      and ${report.target} does answer so`,
    answers[0]?.accepted !== undefined && `      accepted: ${answers[0].accepted}`,
  ];
  const gapLine = ({ gap: { id, section, question, assumed } }: Break): string =>
    `  ${id} (section ${section}): ${question}  assumed: ${shortAnswer(assumed)}`;
  const lines = [
    report.exitCode !== 0 && broken.size === 0 ? headline(report) : broken.size > 0 && `${headline(report)}:`,
    mainGapText(report) !== '' && `  (${mainGapText(report)})`,
    ...breaksOf(report).flatMap((breaks) => [...breaks.slice(0, 1).map(gapLine), ...breaks.flatMap(breakLines)]),
    ...notesOf(report, name),
    '',
    !isAnyTried && unexplained.length === 0 && 'No other answer was tried.',
    all > 0 && isAnyTried && `${holding} of ${all} tests ${agree(holding, 'holds', 'hold')} under every answer tried.`,
    `${count(report.runs, 'run')} in ${showDuration(report.durationMs)}.`,
    broken.size > 0 && 'What a deployment answers instead: platform-mock replay FILE.har --target FILE',
  ];
  return `${lines
    .filter((line) => typeof line === 'string')
    .join('\n')
    .trimStart()}\n`;
}

/** Questions to the API's owner, those that break most first: Markdown. */
export function renderQuestions(report: VaryReport, rows: readonly GapRow[]): string {
  const breaks = breaksOf(report);
  if (breaks.length === 0)
    return '# Questions about the Platform API\n\nNone: no answer that was tried breaks our tests.\n';
  const questions = breaks.map((list, at) => {
    const gap = list[0]?.gap as RestedGap;
    const row = rows.find(({ id }) => id === gap.id) as GapRow;
    const letters = (answers: readonly TriedAnswer[]): string =>
      answers.map(({ answer }) => letterOf(row, answer)).join(', ');
    const tried = (outcome: TriedAnswer['outcome']) => gap.answers.filter((each) => each.outcome === outcome);
    const lines = [
      `Section ${row.section}.`,
      ...list.map(({ answers, tests }) => {
        const names = tests.map((id) => `\`${nameOf(report, id).replaceAll('`', "'")}\``);
        return `With ${letters(answers)} our ${agree(tests.length, 'test fails', 'tests fail')}: ${names.join(', ')}.`;
      }),
      `With ${['a)', letters(tried('holds'))].filter(Boolean).join(', ')} all tests pass.`,
      ...(tried('untried').length > 0 ? [`Not tried: ${letters(tried('untried'))}.`] : []),
    ];
    const indent = ' '.repeat(`${at + 1}. `.length);
    return `${questionLines(row, at + 1).join('\n')}\n\n${indent}${lines.join(' ')}`;
  });
  return `# Questions about the Platform API\n\nOur tests assume answer a) to these questions, and some fail with other answers. The first question is the most important. The number and the letter are enough as an answer ("1b").\n\n${questions.join('\n\n')}\n`;
}

/** The summary of a GitHub Actions step. */
export function renderSummary(report: VaryReport): string {
  const rows = breaksOf(report)
    .flat()
    .map(({ gap, answers, tests }) => {
      const accepted = answers[0]?.accepted;
      const note = accepted === undefined ? '' : ` (accepted: ${inline(accepted)})`;
      return [
        inlineCode(gap.id),
        answers.map(({ answer }) => inlineCode(shortAnswer(answer))).join(' '),
        `${tests.map((id) => inline(nameOf(report, id))).join('<br>')}${note}`,
      ];
    });
  const parts = [rows.length > 0 && table(['Gap', 'Answers', 'Break'], rows), ...notesOf(report).map(inline)].filter(
    Boolean,
  );
  return [`### vary: ${headline(report)}`, ...parts, ''].join('\n\n');
}
