import type { Command } from 'commander';
import type { Answers } from '../profiles/answers.ts';
import type { Gap } from '../spec/gaps.ts';

interface Flags {
  profile?: string;
  json?: boolean;
}

/** `gaps`: prints the gap ledger. */
export function registerGaps(program: Command): void {
  program
    .command('gaps')
    .description('list what the source document leaves open, and the answers in force')
    .option('--profile <file|name>', 'answers to gaps')
    .option('--json', 'as JSON')
    .action(async ({ profile, json }: Flags) => {
      const { loadProfile } = await import('../profiles/load.ts');
      const { gapLedger } = await import('../spec/gaps.ts');
      const answers = loadProfile(profile);
      const rows = await Promise.all(gapLedger().gaps.map((gap) => rowOf(gap, answers)));
      process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : await ledgerText(rows));
    });
}

async function rowOf(gap: Gap, answers: Answers) {
  const { answersToTry } = await import('../spec/gaps.ts');
  const origin = answers.originOf(gap.id);
  const inForce = answers.get(gap.id);
  return {
    id: gap.id,
    section: gap.section,
    question: gap.question,
    answer: inForce,
    meaning: gap.answers?.[String(inForce)],
    from: origin === 'default' ? 'default' : `profile ${origin.profile}`,
    alternatives: answersToTry(gap).filter((answer) => JSON.stringify(answer) !== JSON.stringify(inForce)),
    observable: gap.observable !== false,
    reason: gap.reason,
  };
}

type Row = Awaited<ReturnType<typeof rowOf>>;

async function ledgerText(rows: readonly Row[]): Promise<string> {
  const { default: colors } = await import('picocolors');
  const show = (value: unknown) => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value));
  const lines = rows.map((row) => {
    const meaning = row.meaning === undefined ? '' : ` (${row.meaning})`;
    const others = row.alternatives.length === 0 ? '' : `\n    or: ${row.alternatives.map(show).join(' | ')}`;
    const from = row.from === 'default' ? 'default' : colors.yellow(row.from);
    return `${colors.bold(row.id)}  ${colors.dim(`section ${row.section}`)}  ${row.question}\n    ${colors.green(show(row.answer))}${meaning}  ${colors.dim('from')} ${from}${others}`;
  });
  const differing = rows.filter((row) => row.from !== 'default').length;
  return `${lines.join('\n')}\n\n${rows.length} gaps, ${differing} answered by a profile, the others by default.\n`;
}
