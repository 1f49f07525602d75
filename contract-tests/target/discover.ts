import { parseJson } from '../checks/formats.ts';
import { TransportError, UsageError } from '../errors.ts';
import { Client } from './client.ts';
import { checkTarget, type Target } from './target-file.ts';

/** Whether a base URL is on this machine, where writing is taken as allowed. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Where a mock describes itself. */
export const SELF_DESCRIPTION = '/_mock/target';

/**
 * Makes sure that the target answers at all, and lets a mock describe itself when no target file does. What it says of
 * itself is taken for actors, resources and profile only: never for where requests go. Throws TransportError with one
 * clear line when nothing answers.
 */
export async function discoverTarget(target: Target, mayDescribeItself: boolean): Promise<Target> {
  const client = new Client(
    target,
    { allowWrites: false, recordingPaths: new Set(), signInPaths: new Set(), refreshPaths: new Set() },
    () => {},
  );
  try {
    const answer = await client.send({ method: 'GET', path: mayDescribeItself ? SELF_DESCRIPTION : '/' });
    if (!mayDescribeItself || answer.response.status !== 200) return target;
    const described = parseJson(answer.response.body);
    if (described === undefined) return target;
    const { actors, resources, profile } = checkTarget(described, () => `${target.baseUrl}${SELF_DESCRIPTION}`);
    return {
      ...target,
      ...(actors ? { actors } : {}),
      ...(resources ? { resources } : {}),
      ...(typeof profile === 'object' ? { profile } : {}),
    };
  } catch (error) {
    // A page at that path that is no target: a deployment which answers everything with something.
    if (error instanceof UsageError) return target;
    // A deployment may hang up on a path that it does not have; what is asked of it then shows whether it is there.
    if (error instanceof TransportError && hangsUp(error) && !mayDescribeItself) return target;
    if (error instanceof TransportError)
      throw new TransportError(`${target.baseUrl} cannot be reached: ${reasonOf(error)}.`);
    throw error;
  } finally {
    client.close();
  }
}

function hangsUp(error: TransportError): boolean {
  return error.message.includes('closed before the response');
}

/** The transport's reason without method and URL, which the message has already. */
function reasonOf(error: TransportError): string {
  return error.message.replace(/^[A-Z]+ \S+: /, '');
}
