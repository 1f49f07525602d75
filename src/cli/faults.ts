import type { Command } from 'commander';
import type { Fault } from '../core/faults/index.ts';

export function registerFaults(program: Command): void {
  program
    .command('faults')
    .description('list the faults that `serve --fault ID` arms, and their parameters, or print one fault in full')
    .argument('[id]', 'the fault to print in full')
    .option('--json', 'as JSON')
    .action(async (id: string | undefined, { json }: { json?: boolean }) => {
      const { checkFaultIds, faultOf, faults } = await import('../core/faults/index.ts');
      const { generalTerms, termSchema } = await import('../core/faults/arms.ts');
      const { allowedBy } = await import('../control/explain.ts');
      const described: Described = (name) => {
        const schema = termSchema([name]) ?? {};
        const members = Object.keys((schema.properties ?? {}) as object).map((member) => `${name}.${member}`);
        return `${[name, ...members].join(', ')}: ${allowedBy(schema)}`;
      };
      const rowOf = ({ id, family, description, requirements, parameters }: Fault) => ({
        id,
        kind: family === 'variation' ? 'variation' : 'fault',
        family,
        description,
        requirements,
        parameters: Object.fromEntries(parameters.map((name) => [name, termSchema([name])])),
      });
      const printJson = (value: object) => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
      if (id !== undefined) {
        checkFaultIds([id]);
        const fault = faultOf(id) as Fault;
        const { faultDetailText, violatedBy } = await import('./fault-detail.ts');
        if (json) printJson({ ...rowOf(fault), violates: violatedBy(fault) });
        else process.stdout.write(faultDetailText(fault, described));
        return;
      }
      if (json) {
        printJson(faults.map(rowOf));
        return;
      }
      const { groupBy } = await import('../../contract-tests/values/group.ts');
      const byFamily = groupBy(faults, ({ family }) => family);
      const groups = [...byFamily].map(([family, own]) => group(family, own, described));
      const terms = generalTerms.map((name) => `  ${described(name)}`);
      const { faultPresets } = await import('../control/fault-presets.ts');
      const presets = Object.entries(faultPresets).map(
        ([name, preset]) => `  ${name.padEnd(13)} ${preset.about}: --fault '${writtenFault(preset)}'`,
      );
      process.stdout.write(
        `presets: names on the dashboard, and of presetFault() in tests\n${presets.join('\n')}\n\n${groups.join('\n')}\nterms of every fault\n${terms.join('\n')}\n\n${faults.length} faults; ${usage}\n`,
      );
    });
}

const notes: Readonly<Record<string, string>> = {
  environment: 'these violate no requirement: they can happen to any service',
  variation: 'these violate nothing: other conforming implementations',
};

const usage = `\`serve --fault ID\` arms one, \`--fault 'ID:NAME=VALUE;NAME=VALUE'\` with terms, as in \`delay:ms=800;operation=ssoLogin\`; may be repeated.`;

function writtenFault({ fault, terms }: { readonly fault: string; readonly terms: object }): string {
  const written = Object.entries(terms).flatMap(([name, value]) =>
    typeof value === 'object'
      ? Object.entries(value as object).map(([member, each]) => `${name}.${member}=${each}`)
      : `${name}=${value}`,
  );
  return [fault, written.join(';')].filter(Boolean).join(':');
}

type Described = (name: string) => string;

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
