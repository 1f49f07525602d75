import colors from 'picocolors';
import type { Requirement } from '../../contract-tests/model.ts';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import type { Fault } from '../core/faults/index.ts';

export const violatedBy = ({ requirements }: Fault): Pick<Requirement, 'id' | 'section' | 'statement'>[] =>
  requirements.flatMap((id) => {
    const violated = loadRequirements().filter((one) => one.id === id);
    return violated.map(({ section, statement }) => ({ id, section, statement }));
  });

/** A fault as text: what it does and violates, its parameters in words, and how it is armed. */
export function faultDetailText(fault: Fault, described: (name: string) => string): string {
  const { id, family, description, parameters } = fault;
  const violated = violatedBy(fault).map((one) => `  ${one.id} (section ${one.section}) ${one.statement}`);
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
