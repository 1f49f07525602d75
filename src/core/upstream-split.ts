import { readyApi } from './api.ts';
import { candidatesFor } from './custom-routes/compile.ts';
import { isLike } from './message.ts';
import { didYouMean } from './profiles/did-you-mean.ts';
import { ConfigError } from './spec/config-error.ts';
import type { Split, World } from './world/world.ts';

/** A checked split; throws ConfigError for a path without a leading slash, or an unknown operation. */
export function splitOf(
  world: World,
  { only = [], mockOnly }: Split,
  says = { only: 'only: ', mockOnly: 'mockOnly: ' },
): Split {
  const relative = only.find((path) => !path.startsWith('/'));
  if (relative !== undefined) throw new ConfigError([`${says.only}${relative}: a path starts with /`]);
  const known = readyApi(world.answers)?.plans.map(({ id }) => id as string) ?? [];
  const unknown = mockOnly?.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new ConfigError([
      `${says.mockOnly}${unknown}: unknown operation${didYouMean(unknown, known)}; the mock has ${known.join(', ')}`,
    ]);
  return { only, ...(mockOnly && { mockOnly }) };
}

/** Whether the service behind the mock answers. Custom routes belong to the mock, under any conditions. */
export function goesUpstream(world: World, { only = [], mockOnly }: Split, sent: string, path: string): boolean {
  if (only.some((pattern) => isLike(path, pattern))) return true;
  const method = sent === 'HEAD' ? 'GET' : sent;
  const isCustom = ({ route }: { route: { method: string } }): boolean => route.method === method || sent === 'OPTIONS';
  if (world.hasRoutes && candidatesFor(world, path).some(isCustom)) return false;
  const api = readyApi(world.answers);
  // A preflight is about the request that follows, and the mock decides about pages.
  if (sent === 'OPTIONS' && api?.find(method, path) !== undefined && mockOnly === undefined) return false;
  const operation = api?.operationAt(method, path)?.id;
  return operation === undefined || (mockOnly !== undefined && !mockOnly.includes(operation));
}
