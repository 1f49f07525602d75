import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { ALL_FIVE, answersToEachField, CONTRACT_TITLE, firstAnswer, unrecorded } from './recording-updates.ts';
import { CARRIED_TITLES, type CarriedTitle } from './title-texts.ts';

export type Field = keyof typeof ALL_FIVE;
export const FIELDS = Object.keys(ALL_FIVE) as Field[];

function subsets<T>([first, ...others]: readonly T[]): T[][] {
  if (first === undefined) return [[]];
  const rest = subsets(others);
  return [...rest, ...rest.map((set) => [first, ...set])];
}

/**
 * Sets of two to four fields. Those of even size contain every combination of any four fields, present or not, so
 * that a fault which depends on up to four of them shows with half of the sets; those of three carry more titles.
 */
const EVEN = subsets(FIELDS).filter(({ length }) => length === 2 || length === 4);
const ODD = subsets(FIELDS).filter(({ length }) => length === 3);
/** Each of the five fields is in one of these, in turn with a title and without. */
const FEW: Field[][] = [
  ['title', 'analysis'],
  ['kb_document_id', 'summary'],
  ['title', 'kb_folder_id'],
  ['kb_folder_id', 'analysis'],
];

/** The sets that a run sends: all five fields first, then one with a title and one without in turn. */
function setsOf({ isQuick }: Session): Field[][] {
  const sets: Field[][] = isQuick ? FEW : [['title', 'kb_folder_id', 'summary'], ...EVEN, ...ODD];
  const most = isQuick ? sets.length : CARRIED_TITLES.length;
  const titled = [FIELDS, ...sets.filter((set) => set.includes('title')).slice(0, most)];
  const others = sets.filter((set) => !set.includes('title'));
  return titled.flatMap((set, at) => [set, others[at] ?? ['summary']]);
}

/** An update of several fields, and what was answered. */
export interface SetAnswer {
  fields: Field[];
  body: JsonObject;
  answer: Answer;
  /** The title that was sent with it to see what becomes of it; none with an everyday title. */
  carried?: CarriedTitle;
  /** The same set with an everyday title, where the carried one was refused. */
  plain?: { body: JsonObject; answer: Answer };
}

/**
 * One update of each set, and what it answered; sent once a run. Those with a title carry unusual ones: a title is judged by
 * the answer, and by that to the set after it, which sends none. None of it is evidence yet.
 */
export function answersToSets(session: Session): Promise<SetAnswer[]> {
  const send = async (): Promise<SetAnswer[]> => {
    const answers: SetAnswer[] = [];
    const carried = (session.isQuick ? CARRIED_TITLES.slice(0, 3) : CARRIED_TITLES).values();
    for (const [at, fields] of setsOf(session).entries()) {
      // The first one sends the title that the recording has already, which leaves it as it is.
      const plain = bodyOf(fields, at === 0 ? CONTRACT_TITLE : `Title of set ${at + 1}`);
      const own = fields.includes('title') && at > 0 ? carried.next().value : undefined;
      const body = own ? { ...plain, title: own.text } : plain;
      const answer = await firstAnswer(session, body);
      const isRefused = own !== undefined && !isSuccess(answer);
      answers.push({
        fields,
        body,
        answer,
        ...(own ? { carried: own } : {}),
        ...(isRefused ? { plain: { body: plain, answer: await firstAnswer(session, plain) } } : {}),
      });
    }
    return answers;
  };
  return unrecorded(session, () => session.recorder.once('answers to sets', send));
}

function bodyOf(fields: readonly Field[], title: string): JsonObject {
  const values: JsonObject = { ...ALL_FIVE, title };
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

/** Whether an update was accepted, and answered the title that was sent, where one was. */
export function isWritten(answer: Answer, body: JsonObject): boolean {
  const json = jsonOf(answer);
  return isSuccess(answer) && (!('title' in body) || !isObject(json) || json.title === body.title);
}

/** Every update of the five fields that the run sends by itself, in order: each field alone, then the sets. */
export async function answersInTurn(session: Session): Promise<{ body: JsonObject; answer: Answer }[]> {
  const alone = await unrecorded(session, () => answersToEachField(session));
  const sets = await answersToSets(session);
  return [
    ...alone.map(({ body, answer }) => ({ body, answer })),
    ...sets.flatMap(({ body, answer, plain }) => [{ body, answer }, ...(plain ? [plain] : [])]),
  ];
}

/** A body for messages, by the names of its fields. */
export const namesOf = (body: JsonObject): string =>
  Object.keys(body).length === 1 ? `${Object.keys(body).join()} alone` : Object.keys(body).join(', ');
