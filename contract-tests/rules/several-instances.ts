import { type Entry, isOk, type Log, overlappingIn, sentObject, statusOf } from '../log/entry.ts';
import { groupBy } from '../values/group.ts';
import { recordOf } from './documented.ts';
import { of } from './rule.ts';

/** What findings add where several instances without a common store would explain them. */
export const SEVERAL_INSTANCES =
  'Answers alternate between two states: several instances that share no store answer so; if the target has several, look there first.';

/** Whether the answers to the same question alternate, although nothing in between changes what they tell. */
export function alternates(log: Log): boolean {
  const good = log.entries.filter(({ credential }) => credential.token !== undefined && !credential.flaw);
  const uses = groupBy(
    good.filter((entry) => isOk(entry) || statusOf(entry) === 401),
    ({ operation, credential }) => `${operation} ${credential.token}`,
  );
  if ([...uses.values()].some((own) => returns(own.map((entry) => String(isOk(entry)))))) return true;
  const overlapping = overlappingIn(of(log, 'recording'));
  const looks = new Map<string | undefined, Entry[][]>();
  for (const entry of of(log, 'recording')) {
    const parts = looks.get(entry.resource) ?? [[]];
    looks.set(entry.resource, parts);
    if ('title' in sentObject(entry)) parts.push([]);
    else parts.at(-1)?.push(entry);
  }
  return [...looks.values()].flat().some((part) => {
    const alone = part.filter((entry) => !overlapping.has(entry));
    return returns(alone.flatMap((entry) => recordOf(entry)?.title ?? []).map(String));
  });
}

/** Whether a list goes from one value to another, and back. */
function returns(values: readonly string[]): boolean {
  const changes = values.filter((value, at) => value !== values[at - 1]);
  return changes.some((value, at) => at >= 2 && changes[at - 2] === value);
}
