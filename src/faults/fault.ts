import type { Answer, Behaviour } from '../operations/behaviour.ts';
import type { OperationId } from '../spec/document.ts';

/** A named, deliberate deviation of the mock. */
export interface Fault {
  readonly id: string;
  readonly description: string;
  /** Ids of the requirements that it breaks. */
  readonly requirements: readonly string[];
  /** The behaviour with this fault in it. */
  readonly wrap: (behaviour: Behaviour) => Behaviour;
}

/** A successful body that can be written to. */
export type Body = Record<string, unknown>;

/** A fault that changes the bodies of an operation's successes, after they were found to keep the spec. */
export function bodyFault(
  fault: Omit<Fault, 'wrap'> & { readonly operation: OperationId; readonly change: (body: Body) => unknown },
): Fault {
  const changed = (answer: Answer): Answer => ({ ...answer, body: fault.change(structuredClone(answer.body) as Body) });
  return {
    ...fault,
    wrap: (behaviour) => ({
      ...behaviour,
      present: (answer, context) => {
        const presented = behaviour.present(answer, context);
        const bites = context.operation === fault.operation && presented.status < 300;
        return bites ? changed(presented) : presented;
      },
    }),
  };
}
