import { type Command, Option } from 'commander';
import type { GapRow } from './gap-rows.ts';

interface Flags {
  profile?: string;
  json?: boolean;
  questions?: boolean;
}

/** `gaps`: prints the gap ledger, or the questions that it leaves to the API's owner. */
export function registerGaps(program: Command): void {
  program
    .command('gaps')
    .description('list what the source document leaves open, and the answers in force')
    .option('--profile <file|name>', 'answers to gaps')
    .addOption(
      new Option('--questions', 'what is only assumed, as questions to send to the API owner (Markdown)').conflicts(
        'json',
      ),
    )
    .option('--json', 'as JSON')
    .action(async ({ profile, json, questions }: Flags) => {
      const { loadProfile } = await import('../profiles/load.ts');
      const { gapRows } = await import('./gap-rows.ts');
      const rows = gapRows(loadProfile(profile));
      process.stdout.write(
        questions ? await questionsOf(rows) : json ? `${JSON.stringify(rows, null, 2)}\n` : await ledgerText(rows),
      );
    });
}

async function questionsOf(rows: readonly GapRow[]): Promise<string> {
  const { questionsText } = await import('./gap-questions.ts');
  const { sourceDocument } = await import('../spec/sections.ts');
  return questionsText(rows, sourceDocument());
}

async function ledgerText(rows: readonly GapRow[]): Promise<string> {
  const { default: colors } = await import('picocolors');
  const { showAnswer } = await import('./gap-rows.ts');
  const lines = rows.map((row) => {
    const meaning = row.meaning === undefined ? '' : ` (${row.meaning})`;
    const examples = row.closed ? 'or' : 'or e.g.';
    const others = row.alternatives.map(({ answer }) => showAnswer(answer)).join(' | ');
    const from = row.from === 'default' ? colors.dim('assumed by default') : colors.yellow(originText(row.from));
    return [
      `${colors.bold(row.id)}  ${colors.dim(`section ${row.section}`)}  ${row.question}`,
      `    ${colors.green(showAnswer(row.answer))}${meaning}  ${from}`,
      ...(others === '' ? [] : [`    ${examples}: ${others}`]),
    ].join('\n');
  });
  const given = rows.filter((row) => row.from !== 'default').length;
  return `${lines.join('\n')}\n\n${rows.length} gaps: ${given} answered by a profile, ${rows.length - given} assumed by default.\n`;
}

function originText({ profile, learned }: Exclude<GapRow['from'], 'default'>): string {
  if (!learned) return `profile ${profile}`;
  const { from, at } = learned;
  return `profile ${profile}, learned${from === undefined ? '' : ` from ${from}`}${at === undefined ? '' : ` at ${at}`}`;
}
