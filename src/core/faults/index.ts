import { didYouMean } from '../profiles/did-you-mean.ts';
import { ConfigError } from '../spec/config-error.ts';
import type { FaultArm } from '../world/fault-arms.ts';
import { authenticationFaults } from './authentication.ts';
import { collectionFaults } from './collections.ts';
import { environmentFaults, faultsWithParameters } from './environment.ts';
import { type Fault, families } from './fault.ts';
import { requestHandlingFaults } from './request-handling.ts';
import { responseShapeFaults } from './response-shape.ts';
import { stateFaults } from './state.ts';
import { statusAndProtocolFaults } from './status-and-protocol.ts';
import { armOf, problemsOf } from './terms.ts';
import { timeFaults } from './time.ts';
import { variations } from './variations.ts';
import { readFault, splitFaults } from './written.ts';

export { type Fault, families };

/** The fault catalogue, in the order of families: first what apps meet most. */
export const faults: readonly Fault[] = [
  ...faultsWithParameters,
  ...environmentFaults,
  ...statusAndProtocolFaults,
  ...responseShapeFaults,
  ...requestHandlingFaults,
  ...stateFaults,
  ...authenticationFaults,
  ...collectionFaults,
  ...timeFaults,
  ...variations,
];

/** Refuses unknown ids, in one line with suggestions, by a ConfigError. */
export function checkFaultIds(ids: readonly string[]): void {
  const known = faults.map((fault) => fault.id);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  const listed = unknown.slice(0, 5).map((id) => id.slice(0, 100));
  const more = unknown.length > listed.length ? ` and ${unknown.length - listed.length} more` : '';
  throw new ConfigError([
    `there is no fault ${listed.join(', ')}${more}; \`platform-mock faults\` or GET /_mock/faults lists all ${known.length}${didYouMean(unknown, known)}`,
  ]);
}

/** The fault of that id. */
export const faultOf = (id: string): Fault | undefined => byId.get(id);
const byId = new Map(faults.map((fault) => [fault.id, fault]));

/** Terms that count requests, of which a header has one. */
const counting = ['times', 'every'] as const;

/** Faults as options write them: `delay:ms=800;times=3`; throws ConfigError for unknown faults and unusable terms. */
export function armsFrom(written: readonly string[], isHeader = false): FaultArm[] {
  const read = written.map(readFault);
  checkFaultIds(read.map(({ id }) => id));
  const arms = new Map<string, FaultArm>();
  for (const { id, terms } of read) {
    const fault = faultOf(id) as Fault;
    const refuse = (problem: string): never => {
      throw new ConfigError([`the fault ${id}${problem}`]);
    };
    const counts = isHeader && counting.find((name) => name in terms);
    if (counts) refuse(`: ${counts} counts requests, and a header is for this one only`);
    const problems = problemsOf(fault, terms);
    if (problems.length > 0) refuse(`: ${problems.slice(0, 5).join('; ')}`);
    if (arms.has(id) && Object.keys(terms).length > 0) refuse(' is given twice; it can be armed once');
    arms.set(id, arms.get(id) ?? armOf(fault, terms));
  }
  return [...arms.values()];
}

/** The faults in a header X-Mock-Fault: `latency, delay;ms=800`; throws as armsFrom, and for terms that count requests. */
export const armsInHeader = (header: string): FaultArm[] => armsFrom(splitFaults(header), true);
