import { type Command, Option } from 'commander';
import { UsageError } from '../../contract-tests/errors.ts';

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
      const { gapDetail, gapDetailText, gapRows, ledgerText, questionsText } = await import('./gap-texts.ts');
      const { sourceDocument } = await import('../server/files/sections.ts');
      const rows = gapRows(loadProfile(profile));
      if (id !== undefined && questions)
        throw new UsageError(`gaps ${id} --questions: the questions cover all gaps; omit ${id}.`);
      const shown = id === undefined ? rows : gapDetail(rows, id, profile);
      const text = (): string => {
        if (questions) return questionsText(rows, sourceDocument());
        return 'allowed' in shown ? gapDetailText(shown) : ledgerText(shown);
      };
      process.stdout.write(json ? `${JSON.stringify(shown, null, 2)}\n` : text());
    });
}
