import colors from 'picocolors';
import { jsonText } from '../../contract-tests/report/text.ts';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { groupBy } from '../../contract-tests/values/group.ts';
import { asText, memberOf } from '../../contract-tests/values/json.ts';
import { allowedBy } from '../control/explain.ts';
import { faultPresets } from '../control/fault-presets.ts';
import { generalTerms, termSchema } from '../core/faults/arms.ts';
import { checkFaultIds, type Fault, faultOf, faults } from '../core/faults/index.ts';

const rowOf = ({ id, family, description, requirements, parameters }: Fault) => ({
  id,
  kind: family === 'variation' ? 'variation' : 'fault',
  family,
  description,
  requirements,
  parameters: Object.fromEntries(parameters.map((name) => [name, termSchema([name])])),
});

function described(name: string): string {
  const schema = termSchema([name]) ?? {};
  const members = Object.keys((schema.properties ?? {}) as object).map((member) => `${name}.${member}`);
  return `${[name, ...members].join(', ')}: ${allowedBy(schema)}`;
}

export function faultText(id: string, isJson: boolean): string {
  checkFaultIds([id]);
  const fault = faultOf(id) as Fault;
  const { family, description, parameters, requirements } = fault;
  const violates = requirements.flatMap((violated) =>
    loadRequirements()
      .filter((one) => one.id === violated)
      .map(({ section, statement }) => ({ id: violated, section, statement })),
  );
  if (isJson) return jsonText({ ...rowOf(fault), violates });
  const violated = violates.map((one) => `  ${one.id} (section ${one.section}) ${one.statement}`);
  const sections = [
    [`${colors.bold(id)}  ${colors.dim(family)}`, description],
    ['Violates', ...(violated.length > 0 ? violated : ['  no requirement'])],
    ...(parameters.length > 0 ? [['Parameters', ...parameters.map((name) => `  ${described(name)}`)]] : []),
    [
      'To arm it',
      `  platform-mock serve --fault ${id}`,
      `  curl -X PUT http://127.0.0.1:4010/_mock/faults/${id} -H 'Content-Type: application/json' -d '{"times":1}'`,
      `  or the header X-Mock-Fault: ${id}, for one request`,
    ],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** All faults by family, after the presets and before the terms of every fault. */
export function listText(isJson: boolean): string {
  if (isJson) return jsonText(faults.map(rowOf));
  const groups = [...groupBy(faults, ({ family }) => family)].map(([family, own]) => group(family, own));
  const terms = generalTerms.map((name) => `  ${described(name)}`);
  const presets = Object.entries(faultPresets).map(
    ([name, preset]) => `  ${name.padEnd(13)} ${preset.about}: --fault '${writtenFault(preset)}'`,
  );
  return `presets: names on the dashboard, and of presetFault() in tests\n${presets.join('\n')}\n\n${groups.join('\n')}\nterms of every fault\n${terms.join('\n')}\n\n${faults.length} faults; ${usage}\n`;
}

const notes: Readonly<Record<string, string>> = {
  environment: 'these violate no requirement: they can happen to any service',
  variation: 'these violate nothing: other conforming implementations',
};

const usage = `\`serve --fault ID\` arms one, \`--fault 'ID:NAME=VALUE;NAME=VALUE'\` with terms, as in \`delay:ms=800;operation=ssoLogin\`; may be repeated.`;

function writtenFault({ fault, terms }: { readonly fault: string; readonly terms: object }): string {
  const written = Object.entries(terms).flatMap(([name, value]) =>
    typeof value === 'object'
      ? Object.entries(value as object).map(([member, each]) => `${name}.${member}=${asText(each)}`)
      : `${name}=${asText(value)}`,
  );
  return [fault, written.join(';')].filter(Boolean).join(':');
}

function group(family: string, faults: readonly Fault[]): string {
  const width = Math.max(...faults.map(({ id }) => id.length));
  const note = memberOf(notes, family);
  const lines = faults.map(({ id, description, requirements, parameters }) => {
    const violated = requirements.length > 0 ? ` (${requirements.join(', ')})` : '';
    const own = parameters.map((name) => `\n  ${''.padEnd(width)}    ${described(name)}`);
    return `  ${id.padEnd(width)}  ${description}${violated}${own.join('')}`;
  });
  return `${family}${note ? `: ${note}` : ''}\n${lines.join('\n')}\n`;
}
