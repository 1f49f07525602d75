import { didYouMean } from '../profiles/did-you-mean.ts';
import { ConfigError } from '../spec/config-error.ts';
import { authenticationFaults } from './authentication.ts';
import { collectionFaults } from './collections.ts';
import { environmentFaults, faultsWithParameters } from './environment.ts';
import type { Fault } from './fault.ts';
import { requestHandlingFaults } from './request-handling.ts';
import { responseShapeFaults } from './response-shape.ts';
import { stateFaults } from './state.ts';
import { statusAndProtocolFaults } from './status-and-protocol.ts';
import { timeFaults } from './time.ts';
import { variations } from './variations.ts';

export type { Fault };

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

export const faultOf = (id: string): Fault | undefined => byId.get(id);
const byId = new Map(faults.map((fault) => [fault.id, fault]));
