import type { Command } from 'commander';
import type { Fault } from '../core/faults/index.ts';

/** `faults`: lists the fault catalogue. */
export function registerFaults(program: Command): void {
  program
    .command('faults')
    .description('list the faults that `serve --fault ID` arms, and their parameters')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { faults, families } = await import('../core/faults/index.ts');
      const { generalTerms, schemaAt } = await import('../core/faults/terms.ts');
      const { allowedBy } = await import('../control/explain.ts');
      const described: Described = (name) => {
        const schema = schemaAt([name]) ?? {};
        const members = Object.keys((schema.properties ?? {}) as object).map((member) => `${name}.${member}`);
        return `${[name, ...members].join(', ')}: ${allowedBy(schema)}`;
      };
      if (json) {
        const rows = faults.map(({ id, family, description, requirements, parameters }) => ({
          id,
          kind: family === 'variation' ? 'variation' : 'fault',
          family,
          description,
          requirements,
          parameters: Object.fromEntries(parameters.map((name) => [name, schemaAt([name])])),
        }));
        process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
        return;
      }
      const groups = families.map((family) =>
        group(
          family,
          faults.filter((fault) => fault.family === family),
          described,
        ),
      );
      const terms = generalTerms.map((name) => `  ${described(name)}`);
      process.stdout.write(
        `${groups.join('\n')}\nterms of every fault\n${terms.join('\n')}\n\n${faults.length} faults; ${usage}\n`,
      );
    });
}

const notes: Readonly<Record<string, string>> = {
  environment: 'these violate no requirement: they can happen to any service',
  variation: 'these violate nothing: other conforming implementations',
};

const usage = `\`serve --fault ID\` arms one, \`--fault 'ID:NAME=VALUE;NAME=VALUE'\` with terms, as in \`delay:ms=800;operation=ssoLogin\`; may be repeated.`;

/** A term in words, by its name. */
type Described = (name: string) => string;

/** The faults of a family, one per line, each with its parameters below it. */
function group(family: string, faults: readonly Fault[], described: Described): string {
  const width = Math.max(...faults.map(({ id }) => id.length));
  const note = notes[family];
  const lines = faults.map(({ id, description, requirements, parameters }) => {
    const violated = requirements.length > 0 ? ` (${requirements.join(', ')})` : '';
    const own = parameters.map((name) => `\n  ${''.padEnd(width)}    ${described(name)}`);
    return `  ${id.padEnd(width)}  ${description}${violated}${own.join('')}`;
  });
  return `${family}${note ? `: ${note}` : ''}\n${lines.join('\n')}\n`;
}
