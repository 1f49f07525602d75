import { CheckFailure, untested } from '../failure.ts';
import type { Session } from '../target/session.ts';
import { isSuccess, jsonOf } from './answers.ts';
import { isObject } from './formats.ts';

/** As often lists are compared anew, where the whole list was seen to change between them. */
const MAX_CHANGES = 3;

/** What filters go by, and what tells one API key from another; undefined where there is no list. */
function contentOf(json: unknown): string | undefined {
  if (!Array.isArray(json)) return undefined;
  const records = json.map((key) => (isObject(key) ? JSON.stringify([key.id, key.provider, key.status]) : ''));
  return records.toSorted().join('\n');
}

/**
 * Judges lists of the tenant's API keys that were read one after the other. Other administrators may change them
 * meanwhile, which nothing forbids: so a violation counts only if the whole list still is what it was; else all lists are
 * read and judged anew. A list that never stands still leaves the check untested.
 */
export async function whileUnchanged(session: Session, judge: () => Promise<void>): Promise<void> {
  for (let changes = 0; changes < MAX_CHANGES; changes += 1) {
    const before = await session.apiKeys.all();
    try {
      return await judge();
    } catch (error) {
      if (!(error instanceof CheckFailure) || error.outcome !== 'violation') throw error;
      const now = await session.apiKeys.of(session.resource('tenantId'));
      const isSame = contentOf(jsonOf(before)) === contentOf(jsonOf(now));
      if (isSame || !isSuccess(now)) throw error;
      session.recorder.forget((key) => !/^(all )?api keys/.test(key));
    }
  }
  throw untested(
    'the list of API keys changed again and again while it was read, so filtered lists cannot be compared with it; name a tenant in resources.tenantId that nobody changes during the run',
  );
}
