import { violation } from '../failure.ts';
import { apiKeysPath } from '../session/operations.ts';
import { overlapped } from '../session/overlapping.ts';
import type { Session } from '../session/session.ts';
import { type Answer, type ClientRequest, describe, isSuccess } from '../wire/exchange.ts';
import type { JsonObject } from '../wire/json.ts';
import { whileUnchanged } from './changing-lists.ts';
import type { Check } from './check.ts';
import { allKeys, keysOf, needs, subjectOf } from './key-lists.ts';
import { distinct, missingFrom } from './listed-keys.ts';
import { isPaged, mayBePage } from './pages.ts';

type Query = Record<string, string>;

/** A list to ask for, and what it must hold. */
interface Asked {
  query: Query;
  /** Whether somebody else asks, whose answer is not judged. */
  isOfOther?: true;
  /** The requirement that is broken where it holds anything else. */
  requirement: string;
  request: ClientRequest;
}

/** A status that no API key has: the document has no list of them, so it is long and made up. */
const UNUSED_STATUS = 'status-that-the-contract-suite-made-up';

/** The value of a field that divides the keys best: neither all nor none of them have it. */
function dividing(keys: JsonObject[], field: 'provider' | 'status'): string {
  const count = (value: string): number => keys.filter((key) => key[field] === value).length;
  const distance = (value: string): number => Math.abs(count(value) - keys.length / 2);
  return distinct(keys, field).toSorted((a, b) => distance(a) - distance(b))[0] ?? '';
}

const asOther = (list: Asked, headers: Record<string, string>): Asked => ({
  ...list,
  isOfOther: true,
  request: { ...list.request, headers },
});

async function listsToAsk(session: Session, keys: JsonObject[]): Promise<Asked[]> {
  const headers = await session.signIn.authorization('admin');
  const others = await session.signIn.authorization('member').catch(() => undefined);
  const [provider, status] = [dividing(keys, 'provider'), dividing(keys, 'status')];
  const of = (query: Query, requirement: string): Asked => {
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const path = `${apiKeysPath(session.resource('tenantId'))}${search ? `?${search}` : ''}`;
    return { query, requirement, request: { method: 'GET', path, headers } };
  };
  return [
    of({ provider }, 'KEY-11'),
    of({ status }, 'KEY-13'),
    of({}, 'KEY-16'),
    of({ provider, status: UNUSED_STATUS }, 'KEY-15'),
    // Once more without a filter, after those with one and beside somebody else, who may be refused.
    ...(others ? [asOther(of({}, 'KEY-16'), others)] : []),
    of({}, 'KEY-16'),
    of({ provider, status }, 'KEY-15'),
  ];
}

function assertList({ query, requirement, answer }: Asked & { answer: Answer }, keys: JsonObject[]): void {
  const isMadeUp = query.status === UNUSED_STATUS;
  const subject = subjectOf(query);
  if (!isSuccess(answer)) {
    if (isMadeUp) return; // what an unknown filter value gets is not shown
    throw violation(
      `${subject} was refused beside another list, and is answered alone.`,
      'a success (2xx)',
      describe(answer),
    )
      .of(answer.response.status === 401 ? 'AUT-01' : requirement === 'KEY-16' ? 'KEY-01' : requirement)
      .seenIn(answer);
  }
  const expected = keys.filter((key) => Object.entries(query).every(([field, value]) => key[field] === value));
  const listed = keysOf(answer, 'keys-every-list');
  const [more, missing] = [missingFrom(listed, expected), missingFrom(expected, listed)];
  if (more.length === 0 && missing.length === 0) return;
  if (missing.length === 0 && (isPaged(answer, keys) || mayBePage(keys, more, [listed]))) return;
  throw violation(
    `${subject}, asked beside and after lists with other filters, holds other API keys than match it.`,
    expected.map(({ id }) => id),
    { more, missing },
  )
    .of(requirement)
    .seenIn(answer);
}

/** A list depends on its own filters alone: not on those of a request before it, nor of one at the same time (4.3). */
export const overlappingLists: Check = {
  id: 'keys-overlapping',
  requirements: ['KEY-15'],
  isThorough: true,
  title: 'lists of API keys that one caller asks for at the same time each hold what matches their own filters',
  needs,
  run: (session) =>
    whileUnchanged(session, async () => {
      const keys = await allKeys(session);
      const asked = await listsToAsk(session, keys);
      for (const list of await overlapped(session, asked)) if (!list.isOfOther) assertList(list, keys);
    }),
};
