import { CheckFailure, untested } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject } from '../wire/json.ts';
import { successesOf } from './run-answers.ts';

/** Maximum repetitions of a comparison whose lists changed meanwhile. */
const MAX_CHANGES = 4;

interface Listed {
  ids: unknown[];
  /** What identifies the API keys, and what filters match. */
  content: string;
}

function listedIn(answer: Answer): Listed | undefined {
  const json = jsonOf(answer);
  if (!isSuccess(answer) || !Array.isArray(json)) return undefined;
  const keys = json.filter(isObject);
  const content = keys.map(({ id, provider, status }) => JSON.stringify([id, provider, status])).toSorted();
  return { ids: keys.map(({ id }) => id), content: content.join('\n') };
}

/** Whether the list changed as people change it: some API keys stay, and it has not become what a filter listed. */
async function wasChanged(before: Answer, now: Answer, session: Session): Promise<boolean> {
  const [a, b] = [listedIn(before), listedIn(now)];
  if (!a || !b || a.content === b.content) return false;
  if (a.ids.length > 1 && !a.ids.some((id) => b.ids.includes(id))) return false;
  const lists = await successesOf('api-keys', session);
  return !lists.some((list) => list.request.url.includes('?') && listedIn(list)?.content === b.content);
}

/**
 * Judges lists of the tenant's API keys that were read one after the other. Other administrators may change them
 * meanwhile: so a violation counts only if the whole list is unchanged; else all lists are
 * read and judged anew, and `judge` is told how often that was. A list that keeps changing leaves the check untested.
 */
export async function whileUnchanged(session: Session, judge: (changes: number) => Promise<void>): Promise<void> {
  for (let changes = 0; changes < MAX_CHANGES; changes += 1) {
    const before = await session.apiKeys.all();
    try {
      return await judge(changes);
    } catch (error) {
      if (!(error instanceof CheckFailure) || error.outcome !== 'violation') throw error;
      const now = await session.apiKeys.of(session.resource('tenantId'));
      // The violation is not in the list that was requested only now.
      if (!(await wasChanged(before, now, session))) throw error.seenIn(before);
      session.recorder.forget((key) => !/^(all )?api keys/.test(key));
    }
  }
  throw untested(
    'the list of API keys kept changing while it was read, so filtered lists cannot be compared with it; name a tenant in resources.tenantId that nobody changes during the run',
  );
}
