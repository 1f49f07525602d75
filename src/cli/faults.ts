import type { Command } from 'commander';

/** `faults`: lists the fault catalogue. */
export function registerFaults(program: Command): void {
  program
    .command('faults')
    .description('list the faults that `serve --fault ID` arms')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { faults } = await import('../faults/index.ts');
      const rows = faults.map(({ id, description, requirements }) => ({ id, description, requirements }));
      const text = rows
        .map((row) => `${row.id.padEnd(26)} ${row.description} (${row.requirements.join(', ')})`)
        .join('\n');
      process.stdout.write(`${json ? JSON.stringify(rows, null, 2) : text}\n`);
    });
}
