import { blocked, type CheckFailure, untested, violation } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, show } from '../wire/json.ts';
import { notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { CHECKED_OPERATIONS } from './operations.ts';
import {
  answersInTurn,
  answersToEachField,
  answersToSets,
  FIELDS,
  type Field,
  isWritten,
  type SetAnswer,
} from './recording-sets.ts';
import { bearerRequirement, firstAnswer, needs, SUBJECT, unrecorded } from './recording-updates.ts';
import { assertKnownResource, WRITES_TO_MADE_UP } from './unknown-resources.ts';

/** A check that the update accepts one field alone; an analysis may be replaced by an empty one, since its content is left open. */
export function acceptCheck(field: Field, requirements: string[]): Check {
  return {
    id: `recording-update-${field.replaceAll('_', '-')}`,
    requirements,
    title: `the update accepts ${field} alone${field === 'analysis' ? ', an object' : ''}`,
    needs,
    writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)', WRITES_TO_MADE_UP],
    async run(session) {
      const alone = await unrecorded(session, () => answersToEachField(session));
      const own = alone.find(({ sent }) => sent === field);
      if (!own) throw new Error(`no update of ${field} alone is sent`);
      const { body, answer } = own;
      const failure = await failureOf(
        session,
        `${field} alone${field === 'analysis' ? ', an object' : ''}`,
        body,
        answer,
      );
      session.recorder.record(answer);
      if (failure) throw failure.seenIn(answer);
    },
  };
}

/** A check that the update accepts several fields together: "any of" them (4.2) is more than each of them alone. */
function setCheck(id: string, title: string, isOne: (fields: readonly Field[]) => boolean): Check {
  return {
    id,
    requirements: ['REC-06'],
    title,
    needs,
    writes: [`PATCH of the disposable recording: ${FIELDS.join(', ')}, in up to 18 combinations`, WRITES_TO_MADE_UP],
    async run(session) {
      let untestable: CheckFailure | undefined;
      for (const set of (await answersToSets(session)).filter(({ fields }) => isOne(fields))) {
        const failure = await setFailure(session, set);
        // Credentials that were good for the set before are not refused for the sake of the fields (part 5).
        if (failure?.shownBy?.response?.status === 401) failure.of(bearerRequirement(failure.shownBy));
        if (failure && failure.outcome !== 'untested') throw failure;
        untestable ??= failure;
      }
      if (untestable) throw untestable;
    },
  };
}

export const acceptsSets: Check[] = [
  setCheck('recording-update-all', 'the update accepts all five fields together', ({ length }) => length === 5),
  setCheck(
    'recording-update-some',
    'the update accepts two, three and four of the five fields together',
    ({ length }) => length > 1 && length < 5,
  ),
];

/** Why a set does not count as accepted. Whether an unusual title may be refused, or comes back changed, is another matter. */
async function setFailure(
  session: Session,
  { fields, body, answer, carried, plain }: SetAnswer,
): Promise<CheckFailure | undefined> {
  session.recorder.record(plain?.answer ?? answer);
  const what = `${fields.join(', ')} together`;
  if (plain) {
    const failure = await failureOf(session, what, plain.body, plain.answer);
    return failure ?? failedOnce(session, what, body, answer);
  }
  if (!carried || isWritten(answer, body)) return failureOf(session, what, body, answer);
  const everyday = { ...body, title: `Title with ${fields.length - 1} others` };
  return failureOf(session, what, everyday, await firstAnswer(session, everyday));
}

/** The failure of an update that failed, and succeeds when it is sent again: what is in it is not to blame. */
async function failedOnce(
  session: Session,
  what: string,
  body: JsonObject,
  answer: Answer,
): Promise<CheckFailure | undefined> {
  if (answer.response.status < 500 || !isSuccess(await session.recording.update(body))) return undefined;
  return violation(
    `${SUBJECT} with ${what} failed with ${answer.response.status}, and succeeds when it is sent again.`,
    'a success (2xx)',
    `${describe(answer)}: ${show(answer.response.body)}`,
  ).seenIn(answer);
}

/** Why an update of these fields, answered so, does not count as accepted; undefined where it does. */
async function failureOf(
  session: Session,
  fields: string,
  body: JsonObject,
  answer: Answer,
): Promise<CheckFailure | undefined> {
  if (isSuccess(answer)) return titleFailure(session, answer, body);
  const { status } = answer.response;
  const others = isSuccess(await session.recording.original());
  const unnamed = others && isClientError(answer) ? await unnamedValues(session, body) : [];
  if (unnamed.length > 0) {
    return untested(
      `${SUBJECT} with ${fields} answered ${status}, and it accepted no value of the suite's own there, which the document leaves open; name one that it accepts in ${unnamed.join(' and ')}`,
    );
  }
  const actual = `${describe(answer)}: ${show(answer.response.body)}`;
  if (!('title' in body) && status !== 429 && (await demandsTitle(session, body))) {
    return violation(
      `${SUBJECT} refuses ${fields}, as any update without a title, and accepts the same with one. The document leaves open which fields are required (4.2); the suite reads its "any of" as documented: none is.`,
      'a success (2xx)',
      actual,
    ).seenIn(answer);
  }
  if (others && status !== 429) {
    return violation(
      `${SUBJECT} refuses ${fields}, and accepts another writable field.`,
      'a success (2xx)',
      actual,
    ).seenIn(answer);
  }
  await assertKnownResource('recordingId', session);
  return notSuccessful(
    answer,
    `${SUBJECT} with ${fields}`,
    CHECKED_OPERATIONS.recording.hint,
    await session.isProven(),
  );
}

/** A title sent with other fields is written as well as one sent alone; whether that is has a check of its own. */
async function titleFailure(session: Session, answer: Answer, body: JsonObject): Promise<CheckFailure | undefined> {
  if (isWritten(answer, body)) return undefined;
  const json = jsonOf(answer);
  const alone = (await answersToEachField(session)).find(({ sent }) => sent === 'title');
  if (alone && !isWritten(alone.answer, alone.body))
    return blocked('recording-title-exact', 'The update answered another title than was sent');
  return violation(
    `An update of ${Object.keys(body).join(', ')} answered another title than was sent.`,
    { title: body.title },
    { title: isObject(json) ? json.title : undefined },
  )
    .of('REC-22')
    .seenIn(answer);
}

/** Whether a title was missing: no other field was ever accepted alone, and the body is accepted with a title. */
async function demandsTitle(session: Session, body: JsonObject): Promise<boolean> {
  const alone = await answersToEachField(session);
  if (!alone.every(({ sent, answer }) => isSuccess(answer) === (sent === 'title'))) return false;
  return isSuccess(await firstAnswer(session, { title: 'With a title', ...body }));
}

/** Refused for what was sent, rather than for who sent it or how often. */
const isClientError = ({ response: { status } }: Answer): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 429;

/** Where the target file can name a value: identifiers are looked up or have a form (7), an analysis has a structure (4.2), neither of them shown. */
const NAMED_BY = { kb_folder_id: 'kbFolderId', kb_document_id: 'kbDocumentId', analysis: 'analysis' } as const;

/** The fields of the target file that would replace a value of the suite which no update of its own was accepted with. */
async function unnamedValues(session: Session, body: JsonObject): Promise<string[]> {
  const { resources = {} } = session.target;
  const unnamed = Object.entries(NAMED_BY).filter(([field, name]) => field in body && resources[name] === undefined);
  if (unnamed.length === 0) return [];
  const accepted = (await answersInTurn(session)).filter(({ answer }) => isSuccess(answer));
  return unnamed
    .filter(([field]) => !accepted.some((update) => field in update.body))
    .map(([, name]) => `resources.${name}`);
}
