import type { Command } from 'commander';
import type { Fault } from '../core/faults/index.ts';

/** `faults`: lists the fault catalogue. */
export function registerFaults(program: Command): void {
  program
    .command('faults')
    .description('list the faults that `serve --fault ID` arms')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { faults, families } = await import('../core/faults/index.ts');
      if (json) {
        const rows = faults.map(({ id, family, description, requirements }) => ({
          id,
          kind: family === 'variation' ? 'variation' : 'fault',
          family,
          description,
          requirements,
        }));
        process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
        return;
      }
      const groups = families.map((family) =>
        group(
          family,
          faults.filter((fault) => fault.family === family),
        ),
      );
      process.stdout.write(
        `${groups.join('\n')}\n${faults.length} faults; \`serve --fault ID\` arms one and may be repeated.\n`,
      );
    });
}

const notes: Readonly<Record<string, string>> = {
  environment: 'these violate no requirement: they can happen to any service',
  variation: 'these violate nothing: other conforming implementations',
};

/** The faults of a family, one per line. */
function group(family: string, faults: readonly Fault[]): string {
  const width = Math.max(...faults.map(({ id }) => id.length));
  const note = notes[family];
  const lines = faults.map(({ id, description, requirements }) => {
    const violated = requirements.length > 0 ? ` (${requirements.join(', ')})` : '';
    return `  ${id.padEnd(width)}  ${description}${violated}`;
  });
  return `${family}${note ? `: ${note}` : ''}\n${lines.join('\n')}\n`;
}
