import { TransportError, UsageError } from '../errors.ts';
import { parseJson } from '../values/json.ts';
import { withoutUserInfo } from '../values/url.ts';
import { Client } from '../wire/client.ts';
import type { Pace } from '../wire/pace.ts';
import { readOnly } from '../wire/write-guard.ts';
import { checkTarget, type Target, withoutCommands } from './target-file.ts';

/** Where a mock describes itself. */
export const SELF_DESCRIPTION = '/_mock/target';

/**
 * Makes sure that the target answers at all, and reads a mock's description of itself when there is no target file. Only
 * actors, resources and profile come from that: never where requests go. Throws TransportError, in one line, when nothing
 * answers.
 */
export async function discoverTarget(target: Target, mayDescribeItself: boolean, pace?: Pace): Promise<Target> {
  const client = new Client(target, readOnly(), () => {}, pace);
  try {
    const answer = await client.send({ method: 'GET', path: mayDescribeItself ? SELF_DESCRIPTION : '/' });
    if (!mayDescribeItself || answer.response.status !== 200) return target;
    const described = parseJson(answer.response.body);
    if (described === undefined) return target;
    // Commands are of this machine, so no server may name any.
    const { target: fields } = withoutCommands(
      checkTarget(described, () => `${withoutUserInfo(target.baseUrl)}${SELF_DESCRIPTION}`),
    );
    const { actors, resources, profile } = fields;
    return { ...target, actors, resources, profile: typeof profile === 'object' ? profile : undefined };
  } catch (error) {
    // Not a target description: a deployment that answers every path with something.
    if (error instanceof UsageError) return target;
    if (!(error instanceof TransportError)) throw error;
    // A deployment may close the connection on an unknown path; the checks then show whether it answers.
    if (error.message.includes('closed before the response') && !mayDescribeItself) return target;
    // Without method and URL, which the message has already.
    const reason = error.message.replace(/^[A-Z]+ \S+: /, '');
    throw new TransportError(`${withoutUserInfo(target.baseUrl)} cannot be reached: ${reason}.`);
  } finally {
    client.close();
  }
}
