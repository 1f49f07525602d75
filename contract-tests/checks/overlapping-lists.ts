import { isDeepStrictEqual } from 'node:util';
import { violation } from '../failure.ts';
import { apiKeysPath, UNUSED_STATUS } from '../session/operations.ts';
import { concurrencyOf, overlapped } from '../session/overlapping.ts';
import type { Session } from '../session/session.ts';
import { type Answer, type ClientRequest, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import type { JsonObject } from '../wire/json.ts';
import { whileUnchanged } from './changing-lists.ts';
import type { Check } from './check.ts';
import { allKeys, filteredAnswer, keysOf, needs, subjectOf } from './key-lists.ts';
import { isMatching, type Query, queriesOf, valuesOf } from './key-queries.ts';
import { missingFrom } from './listed-keys.ts';
import { isPaged, mayBePage } from './pages.ts';
import { unrecorded } from './recording-updates.ts';

/** A list to ask for. */
interface Asked {
  query: Query;
  /** Whether somebody else asks, whose answer is not judged. */
  isOfOther?: true;
  request: ClientRequest;
}

/** The requirement that is broken where a list holds anything else than what matches its filters. */
function requirementOf(query: Query): string {
  const [field, other] = Object.keys(query);
  if (other !== undefined) return 'KEY-15';
  return field === undefined ? 'KEY-16' : field === 'provider' ? 'KEY-11' : 'KEY-13';
}

/**
 * Those of the filters that no other check asks for alone, beside a status that nobody has, and no filter at all: beside
 * somebody else, who may be refused.
 */
async function listsToAsk(session: Session, keys: JsonObject[]): Promise<Asked[]> {
  const headers = await session.signIn.authorization('admin');
  const members = await session.signIn.authorization('member').catch(() => undefined);
  const alone = (['provider', 'status'] as const).map((field) => ({ [field]: valuesOf(session, keys, field)[0] }));
  const queries = queriesOf(session, keys).filter((query) => !alone.some((one) => isDeepStrictEqual(one, query)));
  const [first = {}, ...others] = queries;
  const madeUp = { ...(first.provider ? { provider: first.provider } : {}), status: UNUSED_STATUS };
  const of = (query: Query): Asked => {
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const path = `${apiKeysPath(session.resource('tenantId'))}${search ? `?${search}` : ''}`;
    return { query, request: { method: 'GET', path, headers } };
  };
  const whole = of({});
  const asMember = { ...whole, isOfOther: true as const, request: { ...whole.request, headers: members ?? {} } };
  return [of(madeUp), of(first), ...(members ? [asMember] : []), whole, ...others.map(of)];
}

/** Maximum lists where they change meanwhile: those without a filter, and with a few. */
const FEW = 6;

const isWhole = ({ query, isOfOther }: Asked): boolean => !isOfOther && Object.keys(query).length === 0;

/** Lists with all filters of the run, several at the same time; asked once a run. None of it is evidence yet. */
async function listsAtOnce(
  session: Session,
  keys: JsonObject[],
  most?: number,
): Promise<(Asked & { answer: Answer })[]> {
  const ask = async () => {
    const asked = (await listsToAsk(session, keys)).slice(0, most);
    const answered: (Asked & { answer: Answer })[] = [];
    // A few at a time, since a token may be renewed in between.
    const step = 2 * concurrencyOf(session);
    for (let from = 0; from < asked.length; from += step) {
      const own = await session.signIn.authorization('admin');
      const some = asked.slice(from, from + step).map((list) => ({
        ...list,
        request: list.isOfOther ? list.request : { ...list.request, headers: own },
      }));
      answered.push(...(await overlapped(session, some)));
      const whole = answered.find(isWhole);
      if (whole && !differences(whole, keys).isRight) break; // it changes meanwhile, or is wrong: more would tell nothing
    }
    return answered;
  };
  // Those of a later try are read anew with the list that they are compared with.
  const key = most === undefined ? 'lists at once' : 'api keys at once';
  return unrecorded(session, () => session.recorder.once(key, ask));
}

/** What a list that was asked beside others holds otherwise than its filters say. */
function differences({ query, answer }: Asked & { answer: Answer }, keys: JsonObject[]) {
  const expected = keys.filter((key) => isMatching(key, query));
  const listed = isSuccess(answer) ? keysOf(answer, 'keys-every-list') : [];
  const [more, missing] = [missingFrom(listed, expected), missingFrom(expected, listed)];
  const isPage = missing.length === 0 && (isPaged(answer, keys) || mayBePage(keys, more, [listed]));
  return { expected, more, missing, isRight: isSuccess(answer) && more.length + missing.length === 0, isPage };
}

/** Asks for the lists of all filters at once, so that those which are right need not be asked for alone. */
export async function askAtOnce(session: Session): Promise<void> {
  if (session.isQuick) return;
  const keys = await allKeys(session);
  const lists = await listsAtOnce(session, keys);
  const whole = lists.find(isWhole);
  if (whole && !differences(whole, keys).isRight) {
    // What changes is read anew, right before what is compared with it.
    session.recorder.forget((key) => !/^(all )?api keys/.test(key));
    return;
  }
  for (const list of lists) {
    const { query, answer } = list;
    if (list.isOfOther) await session.recorder.once('api keys of member', async () => answer);
    if (Object.keys(query).length === 0 || query.status === UNUSED_STATUS) continue;
    if (!Array.isArray(jsonOf(answer)) || !differences(list, keys).isRight) continue;
    await unrecorded(session, () =>
      filteredAnswer(session, query, async () => {
        session.recorder.record(answer);
        return answer;
      }),
    );
  }
}

async function assertList(session: Session, list: Asked & { answer: Answer }, keys: JsonObject[]): Promise<void> {
  const { query, answer } = list;
  const isMadeUp = query.status === UNUSED_STATUS;
  const subject = subjectOf(query);
  if (!isSuccess(answer) && isMadeUp) return; // what an unknown filter value gets is not shown
  const { expected, more, missing, isRight, isPage } = differences(list, keys);
  if (isRight || isPage) return;
  const hasFilter = Object.keys(query).length > 0;
  const alone = isMadeUp || !hasFilter ? undefined : { ...list, answer: await filteredAnswer(session, query) };
  if (alone && !differences(alone, keys).isRight) return; // what it answers alone is judged by the check of the filter
  if (!isSuccess(answer)) {
    throw violation(
      `${subject} was refused beside another list, and is answered alone.`,
      'a success (2xx)',
      describe(answer),
    )
      .of(answer.response.status === 401 ? 'AUT-01' : hasFilter ? requirementOf(query) : 'KEY-01')
      .seenIn(answer);
  }
  throw violation(
    `${subject}, asked beside and after lists with other filters, holds other API keys than match it.`,
    expected.map(({ id }) => id),
    { more, missing },
  )
    .of(requirementOf(query))
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
    whileUnchanged(session, async (changes) => {
      const keys = await allKeys(session);
      for (const list of await listsAtOnce(session, keys, changes > 0 ? FEW : undefined)) {
        session.recorder.record(list.answer);
        if (!list.isOfOther) await assertList(session, list, keys);
      }
    }),
};
