import fc from 'fast-check';
import { fieldFindings, sameValue } from '../checks/field-rules.ts';
import { assertNoFinding } from '../checks/findings.ts';
import { sameInstant } from '../checks/formats.ts';
import { mustBeKept } from '../checks/title-texts.ts';
import { blocked, CheckFailure, untested, violation } from '../failure.ts';
import { isRecording, READ_ONLY_FIELDS, UNFINISHED } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, show } from '../wire/json.ts';
import { anyQuery, anyUpdate, harmlessHeaders, validUpdate } from './arbitraries.ts';

import type { Exploration } from './explore.ts';

const breaks = (requirement: string, message: string, expected: unknown, actual: unknown): CheckFailure =>
  violation(message, expected, actual).of(requirement);

/**
 * Runs a property and reports the smallest input that breaks it. Only what the document states breaks one: a refusal never
 * does, whatever its status.
 */
async function explore<T>(
  { runs, seed }: Exploration,
  session: Session,
  inputs: fc.Arbitrary<T>,
  holds: (input: T) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  const property = fc.asyncProperty(inputs, async (input) => {
    try {
      await holds(input);
    } catch (error) {
      failure = error;
      throw error;
    }
  });
  // Evidence is what the smallest finding rests on, not the hundred requests before it.
  const { result, exchanges } = await session.recorder.scope(() =>
    fc.check(property, { numRuns: runs, seed, interruptAfterTimeLimit: 120_000 }),
  );
  if (result.status === 'rejected') throw result.reason;
  const { failed, counterexample, numRuns, numShrinks } = result.value;
  if (!failed) return;
  if (!(failure instanceof CheckFailure)) throw failure;
  for (const exchange of exchanges.slice(-2)) session.recorder.record(exchange);
  failure.message += ` Found after ${numRuns} requests of seed ${seed}, made smaller ${numShrinks} times: ${show(counterexample?.[0])}`;
  throw failure;
}

async function before(session: Session): Promise<JsonObject> {
  const answer = await session.recording.update({ summary: 'Explored by the contract suite.' });
  const record = jsonOf(answer);
  if (!isSuccess(answer) || !isObject(record))
    throw blocked('recording-answered', 'The update did not answer a recording');
  return record;
}

function assertUntouched(record: JsonObject, after: JsonObject, sent: JsonObject): void {
  for (const [field, requirement] of Object.entries(READ_ONLY_FIELDS)) {
    if (UNFINISHED.includes(record.status as string) && (field === 'status' || field === 'language')) continue;
    const written =
      field === 'updated_at'
        ? field in sent && sameInstant(after[field], sent[field])
        : !sameValue(field, record[field], after[field]);
    if (written)
      throw breaks(
        requirement,
        `An update changed ${field}, which is not writable.`,
        { [field]: record[field] },
        { [field]: after[field] },
      );
  }
}

/** Valid updates answer the recording, with the title as it was sent. */
export async function exploreValidUpdates(session: Session, exploration: Exploration): Promise<void> {
  const record = await before(session);
  await explore(exploration, session, fc.tuple(validUpdate, harmlessHeaders), async ([body, headers]) => {
    const answer = await session.recording.update(body, {
      ...(await session.signIn.authorization('admin')),
      ...headers,
    });
    if (!isSuccess(answer)) return; // limits of values are not shown
    const after = jsonOf(answer);
    if (!isObject(after))
      throw breaks('REC-07', 'The update did not answer a recording.', 'an object', show(answer.response.body));
    assertNoFinding(fieldFindings('The recording answered', 'Recording', after, answer));
    if (mustBeKept(body.title) && after.title !== body.title)
      throw breaks('REC-22', 'A title came back changed.', body.title, after.title);
    assertUntouched(record, after, body);
  });
}

/** No update writes a field that is not writable. */
export async function exploreAnyUpdates(session: Session, exploration: Exploration): Promise<void> {
  const record = await before(session);
  await explore(exploration, session, anyUpdate, async (body) => {
    const answer = await session.recording.update(body);
    const own = jsonOf(answer);
    // What a body without any writable field is answered is not shown, not even where it succeeds.
    const after = isSuccess(answer) && isRecording(own) ? own : await before(session);
    assertUntouched(record, after, body);
  });
}

/** Whatever the query, a list of API keys holds API keys that match its filters. */
export async function exploreKeyQueries(session: Session, exploration: Exploration): Promise<void> {
  const all = jsonOf(await session.apiKeys.all());
  if (!Array.isArray(all)) throw blocked('keys-array', 'The list of API keys is not an array');
  if (all.length === 0) throw untested('the tenant has no API keys; name one that has in resources.tenantId');
  const seen = (field: string): string[] => [...new Set(all.map((key) => (isObject(key) ? String(key[field]) : '')))];
  await explore(exploration, session, anyQuery(seen('provider'), seen('status')), async (query) => {
    const answer = await session.apiKeys.of(session.resource('tenantId'), query);
    if (!isSuccess(answer)) return; // what an unknown filter value or parameter gives is not shown
    const keys = jsonOf(answer);
    const isShown = Object.entries(query).every(
      ([name, value]) => (name === 'provider' || name === 'status') && seen(name).includes(value),
    );
    if (!Array.isArray(keys) && !isShown) return;
    if (!Array.isArray(keys))
      throw breaks('KEY-02', 'The list of API keys is not an array.', 'an array', show(answer.response.body));
    for (const key of keys) {
      if (!isObject(key)) throw breaks('KEY-02', 'The list holds something that is not an object.', 'objects', key);
      assertNoFinding(fieldFindings('An API key', 'TenantApiKey', key, answer));
      assertMatches(key, query, { provider: seen('provider'), status: seen('status') });
    }
  });
}

/** A filter by a value that exists must hold; what one by any other value means is not shown. */
function assertMatches(
  key: JsonObject,
  query: Record<string, string>,
  seen: Record<'provider' | 'status', string[]>,
): void {
  const requirements = { provider: 'KEY-11', status: 'KEY-13' };
  for (const field of ['provider', 'status'] as const) {
    const wanted = query[field];
    if (wanted !== undefined && seen[field].includes(wanted) && key[field] !== wanted) {
      throw breaks(requirements[field], `A list filtered by ${field} holds another ${field}.`, wanted, key[field]);
    }
  }
}
