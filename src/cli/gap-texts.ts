import colors from 'picocolors';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { memberOf } from '../../contract-tests/values/json.ts';
import { noSuchGap } from '../core/profiles/load.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import { isObject } from '../core/spec/document.ts';
import { allowedAnswers, gapLedger, type Json } from '../core/spec/gaps.ts';
import { evidenceIn } from '../server/files/profile-file.ts';
import { sourceDocument } from '../server/files/sections.ts';
import { type GapRow, originText, showAnswer } from './gap-rows.ts';

export { gapRows, questionsText } from './gap-rows.ts';

export type GapDetail = ReturnType<typeof gapDetail>;

/** A gap of the ledger in full; throws ConfigError with a suggestion for an unknown id. */
export function gapDetail(rows: readonly GapRow[], id: string, profile: string | undefined) {
  const row = rows.find((one) => one.id === id);
  const gap = gapLedger().gaps.find((one) => one.id === id);
  if (!row || !gap) throw new ConfigError([noSuchGap(id)]);
  const { openPoints, alsoOpen } = gapLedger();
  const names = new RegExp(`(?<![\\w-])${id}(?![\\w-])`);
  // `learn` repeats the question above its evidence.
  const comments = profile === undefined || profile === 'default' ? [] : evidenceIn(profile, gap.id);
  const isLearned = row.from !== 'default' && row.from.learned !== undefined;
  return {
    ...row,
    sectionTitle: memberOf(sourceDocument().sections, row.section) ?? '',
    openPoints: [...openPoints, ...alsoOpen]
      .filter(({ gaps }) => gaps.includes(gap.id))
      .map(({ section, point }) => ({ section, point })),
    /** Requirements that no check can cover because of this gap. */
    requirements: loadRequirements()
      .filter(({ excluded = '' }) => names.test(excluded))
      .map(({ id, statement }) => ({ id, statement })),
    allowed: allowedAnswers(gap),
    evidence: comments.filter((line) => line !== gap.question),
    /** The profile was learned, but not this answer: nothing that `learn` writes is above it. */
    addedByHand: isLearned && !comments.some((line) => line === gap.question || / -> (?:\d{3}|\w)/.test(line)),
  };
}

export function gapDetailText(detail: GapDetail): string {
  const { id, section, sectionTitle, question, openPoints, requirements, evidence } = detail;
  const others = detail.alternatives.map((one) => `    ${answerText(one)}`);
  const parts = [
    [`${colors.bold(id)}  ${colors.dim(`section ${section}: ${sectionTitle}`)}`, question],
    [
      'Answers',
      `  ${colors.green('>')} ${answerText(detail)}  ${colors.dim(`in force, ${originOf(detail)}`)}`,
      ...others,
      ...(detail.closed ? [] : [`    or any other: ${detail.allowed}`]),
    ],
    ['Evidence', ...(evidence.length > 0 ? evidence : [noEvidence(detail)]).map((line) => `  ${line}`)],
    ...(openPoints.length > 0
      ? [['The document', ...openPoints.map((open) => `  section ${open.section} leaves open: ${open.point}`)]]
      : []),
    ...(requirements.length > 0
      ? [['Requirements without a check', ...requirements.map((one) => `  ${one.id} ${one.statement}`)]]
      : []),
    ...detail.alternatives
      .slice(0, 1)
      .map(({ answer }) => ['To change the answer, in a profile', `  answers: { ${id}: ${JSON.stringify(answer)} }`]),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** An answer that was added by hand was not observed, even in a learned profile. */
const originOf = ({ from, addedByHand }: GapDetail): string =>
  addedByHand && from !== 'default' ? `profile ${from.profile}, added by hand` : originText(from);

const answerText = ({ answer, meaning }: { answer: Json; meaning?: string }): string =>
  `${showAnswer(answer)}${meaning === undefined ? '' : `: ${meaning}`}`;

function noEvidence({ observable, reason, from }: GapDetail): string {
  const why = from === 'default' ? 'none: the answer is assumed' : 'none in the profile';
  if (!observable) return `${why}; it cannot be observed over HTTP${reason === undefined ? '' : `: ${reason}`}`;
  return `${why}; \`platform-mock learn\` observes it at a deployment`;
}

export function ledgerText(rows: readonly GapRow[]): string {
  const lines = rows.map((row) => {
    const meaning = row.meaning === undefined ? '' : ` (${row.meaning})`;
    const isNamed = row.closed || row.alternatives.some(({ meaning }) => meaning !== undefined);
    const examples = isNamed ? 'or' : 'or e.g.';
    // `gaps ID` shows written-out shapes.
    const short = row.alternatives.filter(({ answer }) => !isObject(answer)).map(({ answer }) => showAnswer(answer));
    const others = [...short, ...(short.length < row.alternatives.length ? ['a value of your own'] : [])].join(' | ');
    const from = row.from === 'default' ? colors.dim(originText(row.from)) : colors.yellow(originText(row.from));
    return [
      `${colors.bold(row.id)}  ${colors.dim(`section ${row.section}`)}  ${row.question}`,
      `    ${colors.green(showAnswer(row.answer))}${meaning}  ${from}`,
      ...(others === '' ? [] : [`    ${examples}: ${others}`]),
    ].join('\n');
  });
  const given = rows.filter((row) => row.from !== 'default').length;
  return `${lines.join('\n')}\n\n${rows.length} gaps: ${given} answered by a profile, ${rows.length - given} assumed by default.\n`;
}
