import { asText, memberOf } from '../../contract-tests/values/json.ts';
import type { Answers } from '../core/profiles/answers.ts';
import { isObject } from '../core/spec/document.ts';
import { answersToTry, type Gap, gapLedger, type Json } from '../core/spec/gaps.ts';
import type { SourceDocument } from '../server/files/sections.ts';

export type GapRow = ReturnType<typeof rowOf>;

export const gapRows = (answers: Answers): GapRow[] => gapLedger().gaps.map((gap) => rowOf(gap, answers));

function rowOf(gap: Gap, answers: Answers) {
  const inForce = answers.get(gap.id) as Json;
  const withMeaning = (answer: Json) => {
    const meaning = memberOf(gap.answers, asText(answer));
    return { answer, ...(meaning !== undefined && { meaning }) };
  };
  return {
    id: gap.id,
    section: gap.section,
    question: gap.question,
    ...withMeaning(inForce),
    from: answers.originOf(gap.id),
    /** The other answers, or examples if they are not enumerable. */
    alternatives: answersToTry(gap)
      .filter((answer) => JSON.stringify(answer) !== JSON.stringify(inForce))
      .map(withMeaning),
    closed: gap.schema === undefined || gap.schema.enum !== undefined,
    /** Whether it can be observed over HTTP; `reason` says why not. */
    observable: gap.unobservable === undefined,
    ...(gap.unobservable !== undefined && { reason: gap.unobservable }),
  };
}

export function showAnswer(answer: Json): string {
  if (isObject(answer)) return JSON.stringify(answer);
  if (!Array.isArray(answer)) return String(answer);
  return answer.length === 0 ? 'none' : answer.map(asText).join(', ');
}

export function originText(from: GapRow['from']): string {
  if (from === 'default') return 'assumed by default';
  const { profile, learned } = from;
  if (!learned) return `profile ${profile}`;
  const { from: place, at } = learned;
  return `profile ${profile}, learned${place === undefined ? '' : ` from ${place}`}${at === undefined ? '' : ` at ${at}`}`;
}

/** The assumed gaps as questions to the API's owner, in Markdown for an e-mail: a number and a letter answer one. */
export function questionsText(rows: readonly GapRow[], { title, sections }: SourceDocument): string {
  const open = rows
    .filter((row) => row.from === 'default')
    .sort((a, b) => a.section.localeCompare(b.section, 'en', { numeric: true }));
  if (open.length === 0) return '# Open questions about the Platform API\n\nNone: the profile answers all gaps.\n';
  const groups = [...new Set(open.map(({ section }) => section))].map((section) => {
    const questions = open.flatMap((row, at) =>
      row.section === section ? [questionLines(row, at + 1).join('\n')] : [],
    );
    return `## Section ${section}: ${memberOf(sections, section) ?? ''}\n\n${questions.join('\n\n')}\n`;
  });
  const known = rows.length - open.length;
  const asked = known === 0 ? '' : ` We know ${known} of the answers and ask for the other ${open.length}.`;
  const example = open.findIndex(({ closed, alternatives }) => closed && alternatives.length > 0);
  const short = example < 0 ? '' : ` ("${example + 1}b")`;
  return `# Open questions about the Platform API

We build against the Platform API from the document "${title}". It leaves ${rows.length} points open.${asked} Until we know better, we work with answer a) of each question.

If a) is right, no reply is needed. If not, the number and the letter are enough${short}, or the number and the right value.

${groups.join('\n')}`;
}

/** The answers that have a letter; a) is the one in force. */
const lettered = (row: GapRow): Pick<GapRow, 'answer' | 'meaning'>[] => [
  row,
  ...row.alternatives.filter(({ meaning }) => row.closed || meaning !== undefined),
];

/** An answer by its letter in the question, or written out where it has none. */
export function letterOf(row: GapRow, answer: Json): string {
  const at = lettered(row).findIndex((one) => JSON.stringify(one.answer) === JSON.stringify(answer));
  return at < 0 ? `\`${showAnswer(answer)}\`` : `${letters[at]})`;
}

export function questionLines(row: GapRow, number: number): string[] {
  const indent = ' '.repeat(`${number}. `.length);
  const options = [...lettered(row).map(answerText), ...(row.closed ? [] : [elseText(row)])];
  // A single option is not a question: ask for others.
  if (options.length === 1) options.push('something else: what?');
  return [`${number}. ${row.question}`, ...options.map((option, at) => `${indent}- ${letters[at] ?? '?'}) ${option}`)];
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

function answerText({ answer, meaning }: Pick<GapRow, 'answer' | 'meaning'>): string {
  const text = meaning ?? showAnswer(answer);
  return text.startsWith('{') ? `\`${text}\`` : text;
}

function elseText({ alternatives }: GapRow): string {
  // Written-out shapes would not help the reader.
  const examples = alternatives.filter(({ answer, meaning }) => meaning === undefined && !isObject(answer));
  if (examples.length === 0) return 'something else: what?';
  return `something else: what? For example ${examples.map(({ answer }) => showAnswer(answer)).join('; ')}`;
}
