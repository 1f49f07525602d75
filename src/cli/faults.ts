import type { Command } from 'commander';

export function registerFaults(program: Command): void {
  program
    .command('faults')
    .description('list the faults that `serve --fault ID` arms, and their parameters, or print one fault in full')
    .argument('[id]', 'the fault to print in full')
    .option('--json', 'as JSON')
    .action(async (id: string | undefined, { json = false }: { json?: boolean }) => {
      const { faultText, listText } = await import('./fault-texts.ts');
      process.stdout.write(id === undefined ? listText(json) : faultText(id, json));
    });
}
