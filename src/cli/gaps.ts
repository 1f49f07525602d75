import { type Command, Option } from 'commander';
import { UsageError } from '../../contract-tests/errors.ts';
import type { GapRow } from './gap-rows.ts';

interface Flags {
  profile?: string;
  json?: boolean;
  questions?: boolean;
}

export function registerGaps(program: Command): void {
  program
    .command('gaps')
    .description('list the gaps of the source document and the answers in force, or print one gap in full')
    .argument('[id]', 'the gap to print in full')
    .option('--profile <file|name>', 'answers to gaps')
    .addOption(
      new Option('--questions', 'print the assumed gaps as questions to the API owner (Markdown)').conflicts('json'),
    )
    .option('--json', 'as JSON')
    .action(async (id: string | undefined, { profile, json, questions }: Flags) => {
      const { loadProfile } = await import('../server/files/profile-file.ts');
      const { gapRows } = await import('./gap-rows.ts');
      const rows = gapRows(loadProfile(profile));
      if (id !== undefined) {
        if (questions) throw new UsageError(`gaps ${id} --questions: the questions cover all gaps; omit ${id}.`);
        const { gapDetail, gapDetailText } = await import('./gap-detail.ts');
        const detail = gapDetail(rows, id, profile);
        process.stdout.write(json ? `${JSON.stringify(detail, null, 2)}\n` : await gapDetailText(detail));
        return;
      }
      process.stdout.write(
        questions ? await questionsOf(rows) : json ? `${JSON.stringify(rows, null, 2)}\n` : await ledgerText(rows),
      );
    });
}

async function questionsOf(rows: readonly GapRow[]): Promise<string> {
  const { questionsText } = await import('./gap-questions.ts');
  const { sourceDocument } = await import('../server/files/sections.ts');
  return questionsText(rows, sourceDocument());
}

async function ledgerText(rows: readonly GapRow[]): Promise<string> {
  const { default: colors } = await import('picocolors');
  const { isObject } = await import('../core/spec/document.ts');
  const { originText, showAnswer } = await import('./gap-rows.ts');
  const lines = rows.map((row) => {
    const meaning = row.meaning === undefined ? '' : ` (${row.meaning})`;
    const isNamed = row.closed || row.alternatives.some(({ meaning }) => meaning !== undefined);
    const examples = isNamed ? 'or' : 'or e.g.';
    // `gaps ID` shows written-out shapes.
    const short = row.alternatives.filter(({ answer }) => !isObject(answer)).map(({ answer }) => showAnswer(answer));
    const others = [...short, ...(short.length < row.alternatives.length ? ['written out'] : [])].join(' | ');
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
