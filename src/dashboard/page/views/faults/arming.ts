import { control, perform, type Schemas } from '../../api/client.ts';
import type { BodyOf } from '../../api/document.ts';
import { displayed } from '../../ui/failure-note.tsx';

export type Terms = NonNullable<BodyOf<'armFault'>>;

const path = (fault: string) => ({ params: { path: { fault } } });

/** Arms a fault; returns the message that reports it. */
export const arm = (fault: string, body: Terms): Promise<string> =>
  perform(control.PUT('/faults/{fault}', { ...path(fault), body }), `Armed: ${fault}`);

/** Disarms a fault; returns the message that reports it. */
export const disarm = (fault: string): Promise<string> =>
  perform(control.DELETE('/faults/{fault}', path(fault)), `Disarmed: ${fault}`);

export const allOperations = 'all operations';

/** The conditions and parameters with which a fault is armed, in one line. */
export function conditionsOf(armed: NonNullable<Schemas['Fault']['armed']>): string {
  const { operation, request, left, every, probability, parameters = {} } = armed;
  const parts = [
    operation ?? (request ? undefined : allOperations),
    request && JSON.stringify(request),
    left === undefined ? undefined : `next ${left}`,
    every === undefined ? undefined : `every ${every}`,
    probability < 1 ? `${Math.round(probability * 1000) / 10} %` : undefined,
    ...Object.entries(parameters).map(([name, value]) => `${name} ${displayed(value)}`),
  ];
  return parts.filter(Boolean).join(' · ');
}
