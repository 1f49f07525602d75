import { type CheckFailure, untested, violation } from '../failure.ts';
import type { Exchange } from '../model.ts';
import { SAMPLE_ANALYSIS } from '../session/disposable-recording.ts';
import type { Session } from '../session/session.ts';
import { isPatForm } from '../session/token-forms.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, show } from '../wire/json.ts';
import { notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { CHECKED_OPERATIONS } from './operations.ts';
import { ALL_FIVE, answersToEachField, needs, SUBJECT } from './recording-updates.ts';
import { assertKnownResource, WRITES_TO_MADE_UP } from './unknown-resources.ts';

/** A check that the update accepts `body`; an analysis may be replaced by an empty one, since its content is left open. */
export function acceptCheck(id: string, requirements: string[], fields: string, body: JsonObject): Check {
  return {
    id,
    requirements,
    title: `the update accepts ${fields}`,
    needs,
    writes: [`PATCH of the disposable recording: ${Object.keys(body).join(', ')}`, WRITES_TO_MADE_UP],
    async run(session) {
      const failure = await refusal(session, fields, body);
      if (failure) throw failure;
    },
  };
}

type Field = keyof typeof ALL_FIVE;
const FIELDS = Object.keys(ALL_FIVE) as Field[];

/**
 * Sets of two to four fields. Those of even size contain every combination of any four fields, present or not, so
 * that a fault which depends on up to four of them shows with half of the sets; the three represent the sets of odd size.
 */
const SETS: readonly Field[][] = [
  ...subsets(FIELDS).filter(({ length }) => length === 2 || length === 4),
  ['title', 'kb_folder_id', 'summary'],
];

function subsets<T>([first, ...others]: readonly T[]): T[][] {
  if (first === undefined) return [[]];
  const rest = subsets(others);
  return [...rest, ...rest.map((set) => [first, ...set])];
}

/** "Any of" the fields (4.2) is more than each of them and all of them. */
export const acceptsSets: Check = {
  id: 'recording-update-some',
  requirements: ['REC-06'],
  title: 'the update accepts two, three and four of the five fields together',
  needs,
  writes: [
    `PATCH of the disposable recording: ${FIELDS.join(', ')}, in ${SETS.length} combinations`,
    WRITES_TO_MADE_UP,
  ],
  async run(session) {
    let untestable: CheckFailure | undefined;
    for (const [at, set] of SETS.entries()) {
      const values: JsonObject = { ...ALL_FIVE, title: `Title of set ${at + 1}` };
      const body = Object.fromEntries(set.map((field) => [field, values[field]]));
      const failure = await refusal(session, `${set.join(', ')} together`, body);
      // Credentials that were good for the set before are not refused for the sake of the fields (part 5).
      if (failure?.shownBy?.response?.status === 401) failure.of(bearerRequirement(failure.shownBy));
      if (failure && failure.outcome !== 'untested') throw failure;
      untestable ??= failure;
    }
    if (untestable) throw untestable;
  },
};

/** The requirement that bearer tokens of the kind that was sent are accepted. */
function bearerRequirement({ request }: Exchange): string {
  return isPatForm(request.headers.Authorization?.slice('Bearer '.length)) ? 'AUT-02' : 'AUT-01';
}

/** Why an update of these fields does not count as accepted; undefined where it does. */
async function refusal(session: Session, fields: string, body: JsonObject): Promise<CheckFailure | undefined> {
  const answer = await firstAnswer(session, body);
  if (isSuccess(answer)) return titleFailure(answer, body);
  const { status } = answer.response;
  const others = isSuccess(await session.recording.original());
  const invented = inventedIds(session, body);
  if (others && status === 404 && invented.length > 0) {
    // What unknown identifiers get is not shown (part 7): 404 says that it looked this one up.
    return untested(
      `${SUBJECT} answered 404 to an invented knowledge-base identifier; name existing ones in ${invented.join(' and ')}`,
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
      `${SUBJECT} refuses ${fields}, and accepts another writable field.${await analysisHint(session, answer, body)}`,
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

/** What to do where the target accepts none of the suite's analyses, for a message. */
async function analysisHint(session: Session, { response }: Answer, body: JsonObject): Promise<string> {
  if (!('analysis' in body) || response.status >= 500 || session.target.resources?.analysis) return '';
  if (isSuccess(await firstAnswer(session, { analysis: SAMPLE_ANALYSIS }))) return '';
  return ' If it wants a shape of its own inside of analysis, which is left open, name an analysis that it accepts in resources.analysis of the target file.';
}

/** The first success, else the answer to the original body. */
async function firstAnswer(session: Session, body: JsonObject): Promise<Answer> {
  const answer = await session.recording.update(body);
  if (isSuccess(answer) || body.analysis !== SAMPLE_ANALYSIS) return answer;
  const second = await session.recording.update({ ...body, analysis: {} });
  return isSuccess(second) ? second : answer;
}

/** A title sent with other fields is written as well as one sent alone. */
function titleFailure(answer: Answer, body: JsonObject): CheckFailure | undefined {
  const json = jsonOf(answer);
  if (!isObject(json) || !('title' in body) || json.title === body.title) return undefined;
  return violation(
    `An update of ${Object.keys(body).join(', ')} answered another title than was sent.`,
    { title: body.title },
    { title: json.title },
  ).seenIn(answer);
}

/** Whether a title was missing: no other field was ever accepted alone, and the body is accepted with a title. */
async function demandsTitle(session: Session, body: JsonObject): Promise<boolean> {
  const alone = await answersToEachField(session);
  if (!alone.every(({ sent, answer }) => isSuccess(answer) === (sent === 'title'))) return false;
  return isSuccess(await firstAnswer(session, { title: 'With a title', ...body }));
}

/** The fields of the target file that would replace a made-up identifier by an existing one. */
function inventedIds({ target }: Session, body: JsonObject): string[] {
  return [
    ...('kb_folder_id' in body && !target.resources?.kbFolderId ? ['resources.kbFolderId'] : []),
    ...('kb_document_id' in body && !target.resources?.kbDocumentId ? ['resources.kbDocumentId'] : []),
  ];
}
