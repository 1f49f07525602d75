import { apiKeysPath, SAMPLE_ID } from '../api/operations.ts';
import { ifAnswered, TransportError, UsageError } from '../errors.ts';
import { checkBySchema } from '../files/schema-check.ts';
import { type Answer, jsonOf } from '../values/answer.ts';
import { isObject } from '../values/json.ts';
import { Client } from '../wire/client.ts';
import type { Pace } from '../wire/pace.ts';
import { readOnly } from '../wire/write-guard.ts';
import { readsOf, type Target, withoutCommands } from './target-file.ts';

const INFO = '/_mock/info';
const SELF_DESCRIPTION = '/_mock/target';

async function get(target: Target, path: string, pace?: Pace): Promise<Answer> {
  const client = new Client(target, readOnly(), () => {}, pace);
  return client.send({ method: 'GET', path }).finally(() => client.close());
}

const successOf = (answer: Answer): unknown => (answer.response.status === 200 ? jsonOf(answer) : undefined);

/** Versions that do not say whether an upstream on their own machine is written to. */
const SILENT = /^0\.[01]\./;

/** Whether the target says that it is this mock, and that nothing behind it is written to: then it may be, unasked. */
export async function isMock(target: Target, pace?: Pace): Promise<boolean> {
  const answer = await ifAnswered(get(target, INFO, pace));
  const info = answer && successOf(answer);
  if (!isObject(info) || info.name !== 'platform-mock') return false;
  const { version, upstream } = info;
  if (upstream === undefined) return true;
  return isObject(upstream) && upstream.allowsWrites === false && typeof version === 'string' && !SILENT.test(version);
}

/** Makes sure that the target answers; without a target file reads what a mock says of itself, but never where requests go. */
export async function discoverTarget(target: Target, pace?: Pace): Promise<Target> {
  const mayDescribeItself = target.folder === undefined;
  const shown = target.baseUrl;
  try {
    const described = successOf(await get(target, mayDescribeItself ? SELF_DESCRIPTION : '/', pace));
    if (!mayDescribeItself || described === undefined) return target;
    // Commands are of this machine, so no server may name any.
    const fields = checkBySchema<Target>('target', described, () => `${shown}${SELF_DESCRIPTION}`);
    const { actors, resources, profile, reads } = withoutCommands(fields).target;
    const own = { actors, resources, profile: typeof profile === 'object' ? profile : undefined };
    return { ...target, ...own, ...(reads && { reads: readsOf(reads) }) };
  } catch (error) {
    // Not a target description: a deployment that answers every path with something.
    if (error instanceof UsageError) return target;
    if (!(error instanceof TransportError)) throw error;
    // A deployment may close the connection on an unknown path; the checks then show whether it answers.
    if (error.message.includes('closed before the response') && !mayDescribeItself) return target;
    // Without method and URL, which the message has already.
    throw new TransportError(`${shown} cannot be reached: ${error.message.replace(/^[A-Z]+ \S+: /, '')}.`);
  }
}

/** Throws UsageError where the base URL ends in the `/v1` of all documented paths (9), and the API answers only without it. */
export async function assertVersionNotInBase(target: Target, pace?: Pace): Promise<void> {
  const root = target.baseUrl.replace(/\/v1\/*$/, '');
  if (root === target.baseUrl) return;
  // The run itself reports whether the target answers.
  const isThere = async (baseUrl: string): Promise<boolean> => {
    const answer = await ifAnswered(get({ ...target, baseUrl }, apiKeysPath(SAMPLE_ID), pace));
    return answer !== undefined && answer.response.status !== 404;
  };
  if ((await isThere(target.baseUrl)) || !(await isThere(root))) return;
  const why = 'all paths of the API start with /v1 themselves, and the operations are there only without this one';
  throw new UsageError(`baseUrl ${target.baseUrl}: ${why}. Leave /v1 out: ${root}`);
}
