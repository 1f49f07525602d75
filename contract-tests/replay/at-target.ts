import { interruptible } from '../commands/interruption.ts';
import { whilePrepared } from '../commands/preparation.ts';
import { planRun, type RunInput } from '../commands/run-input.ts';
import { TransportError } from '../errors.ts';
import { isMock } from '../session/discover.ts';
import { Session } from '../session/session.ts';

/** Works with a session at a target. Throws TransportError where none is described. @param isCommand whether signals end this process */
export function atTarget<T>(
  input: RunInput,
  work: (session: Session, isMock: boolean) => Promise<T>,
  isCommand = false,
): Promise<T> {
  return whilePrepared(input, async (ready) => {
    const plan = await planRun(ready);
    const mock = await isMock(plan.target, plan.pace);
    if (!mock && plan.target.actors === undefined)
      throw new TransportError(
        `${plan.target.baseUrl} does not describe itself: name actors and resources in a target file (--target)`,
      );
    const session = new Session(plan);
    const run = () => work(session, mock);
    try {
      return await (isCommand ? interruptible(session, run) : run());
    } finally {
      session.client.close();
    }
  });
}
