import { blocked } from '../failure.ts';
import { UNKNOWN_KEY } from '../session/disposable-recording.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, parseJson } from '../wire/json.ts';
import type { Finding } from './findings.ts';
import { look } from './looks.ts';
import { ALL_FIVE, CONTRACT_TITLE, firstAnswer, SUBJECT, SUMMARY, unrecorded } from './recording-updates.ts';
import { successesOf } from './run-answers.ts';
import { CARRIED_TITLES, type CarriedTitle } from './title-texts.ts';
import { updateFindings } from './updates.ts';

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

/** The fields that are sent alone after the title is, each of them after a set with a title. */
const ALONE: readonly Field[] = ['kb_folder_id', 'kb_document_id', 'analysis'];

/** A set with a title, and the fields that are sent after it without one; none where anything will do that shows the title. */
type Turn = [titled: Field[], next: Field[] | undefined];

/** What a run sends in turn: all five fields first, then each set, and each field alone that is not the title. */
function turnsOf({ isQuick }: Session): Turn[] {
  const sets: Field[][] = isQuick ? FEW : [['title', 'kb_folder_id', 'summary'], ...EVEN, ...ODD];
  const most = isQuick ? sets.length : CARRIED_TITLES.length;
  const titled = [FIELDS, ...sets.filter((set) => set.includes('title')).slice(0, most)];
  const others = [...ALONE.map((field) => [field]), ...(isQuick ? FEW : EVEN).filter((set) => !set.includes('title'))];
  const turns = titled.map((set, at): Turn => [set, others[at]]);
  return [...turns, ...others.slice(titled.length).map((set): Turn => [[], set])];
}

/** Longer than a column of 255 characters. Limits of a summary are not shown, so that it may be refused. */
export const LONG_SUMMARY = 'A summary that is as long as summaries of meetings are. '.repeat(7);
/**
 * Results as the document describes them: key topics and action items (part 2). What is inside is not shown, so that it may be
 * refused. It has small integers only: what JSON readers make of 1.0, -0 and integers above 2^53 differs (RFC 8259, 6), as
 * does the order of members (4), and nothing shows an analysis again.
 */
export const NESTED_ANALYSIS: JsonObject = {
  key_topics: [{ topic: 'contract', mentions: [12, 48] }],
  action_items: [{ task: 'verify', owner: { name: 'suite' }, done: false, due: null }],
};
/** The same with another key: whether that is accepted is a gap, whose probe need not ask any more. */
export const WIDER_ANALYSIS: JsonObject = { ...NESTED_ANALYSIS, [UNKNOWN_KEY]: { nested: [1] } };
/** What is sent in a set beside its title; where that is refused, the set is sent with everyday values. */
const UNUSUAL: Record<string, JsonObject> = {
  'title,summary': { summary: LONG_SUMMARY },
  'kb_folder_id,analysis': { analysis: WIDER_ANALYSIS },
};

function unusualIn(session: Session, fields: readonly Field[]): JsonObject {
  return session.isQuick ? {} : (UNUSUAL[fields.join()] ?? {});
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

/** The updates of a part of the run, and all that were sent, in order. */
interface Sent {
  alone: { sent: string; body: JsonObject; answer: Answer }[];
  sets: SetAnswer[];
  inTurn: { body: JsonObject; answer: Answer }[];
}

/** Sends some of the turns: those with a title carry unusual ones, which the update after them shows once more. */
async function sendTurns(session: Session, from: number, to?: number): Promise<Sent> {
  const sent: Sent = { alone: [], sets: [], inTurn: [] };
  for (const [at, [titled, next]] of [...turnsOf(session).entries()].slice(from, to)) {
    if (titled.length > 0) await sendSet(session, titled, sent, at);
    if (next?.length === 1) await sendAlone(session, bodyOf(next, ''), sent);
    else if (next) await sendSet(session, next, sent, at);
    else await look(session, sent.inTurn);
  }
  return sent;
}

async function sendAlone(session: Session, body: JsonObject, { alone, inTurn }: Sent): Promise<void> {
  const answer = await firstAnswer(session, body);
  alone.push({ sent: Object.keys(body).join(), body, answer });
  inTurn.push({ body, answer });
}

async function sendSet(session: Session, fields: Field[], { sets, inTurn }: Sent, at: number): Promise<void> {
  const isTitled = fields.includes('title');
  // The first one sends the title that the recording has already, which leaves it as it is.
  const plain = bodyOf(fields, at === 0 ? CONTRACT_TITLE : `Title of set ${at + 1}`);
  const own = isTitled && at > 0 ? CARRIED_TITLES[at - 1] : undefined;
  const unusual = unusualIn(session, fields);
  const body = { ...plain, ...(own ? { title: own.text } : {}), ...unusual };
  const answer = await firstAnswer(session, body);
  const isUnusual = own !== undefined || Object.keys(unusual).length > 0;
  const set: SetAnswer = { fields, body, answer, ...(own ? { carried: own } : {}) };
  inTurn.push({ body, answer });
  if (isUnusual && !isSuccess(answer)) {
    set.plain = { body: plain, answer: await firstAnswer(session, plain) };
    inTurn.push(set.plain);
  }
  sets.push(set);
}

const first = (session: Session): Promise<Sent> =>
  session.recorder.once('recording after each field', async () => {
    const sent: Sent = { alone: [], sets: [], inTurn: [] };
    for (const body of [{ title: CONTRACT_TITLE }, { summary: SUMMARY }]) await sendAlone(session, body, sent);
    const more = await sendTurns(session, 0, ALONE.length);
    return {
      alone: [...sent.alone, ...more.alone],
      sets: more.sets,
      inTurn: [...sent.inTurn, ...more.inTurn],
    };
  });

const rest = (session: Session): Promise<Sent> =>
  unrecorded(session, async () => {
    await first(session);
    return session.recorder.once('answers to sets', () => sendTurns(session, ALONE.length));
  });

/** One update of each writable field alone, and what it answered; sent once a run, for all checks of the recording's fields. */
export const answersToEachField = async (session: Session): Promise<Sent['alone']> => (await first(session)).alone;

/**
 * One update of each set, and what it answered; sent once a run. Those with a title carry unusual ones: a title is judged by
 * the answer, and by that to the update after it, which sends none. None of it is evidence yet.
 */
export async function answersToSets(session: Session): Promise<SetAnswer[]> {
  const { sets } = await unrecorded(session, () => first(session));
  return [...sets, ...(await rest(session)).sets];
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

/** Every update of the five fields that the run sends by itself, in order. */
export async function answersInTurn(session: Session): Promise<Sent['inTurn']> {
  const { inTurn } = await unrecorded(session, () => first(session));
  return [...inTurn, ...(await rest(session)).inTurn];
}

/** A body for messages, by the names of its fields. */
export const namesOf = (body: JsonObject): string =>
  Object.keys(body).length === 1 ? `${Object.keys(body).join()} alone` : Object.keys(body).join(', ');

/**
 * What is wrong with the successes of the run so far of updates that the document shows, at least one of each field that
 * is accepted. Where nothing is, those of one field each are the evidence. Blocked where nothing succeeded.
 */
export async function judgeUpdates(session: Session): Promise<Finding[]> {
  await unrecorded(session, () => answersToEachField(session));
  const successes = await successesOf('recording', session);
  const findings = successes.flatMap((answer) => updateFindings(sentIn(answer), answer));
  if (findings.length === 0) await answersToEachField(session);
  if (successes.length === 0) throw blocked('recording-update-summary', 'No update succeeded');
  return findings;
}

/** An update with the names of the fields that it sent. */
function sentIn({ request }: Answer): string {
  const body = parseJson(request.body ?? '');
  return `${SUBJECT} (${Object.keys(isObject(body) ? body : {}).join(', ')})`;
}
