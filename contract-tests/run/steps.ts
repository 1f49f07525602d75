import { isDeepStrictEqual } from 'node:util';
import { recordingPath } from '../api/operations.ts';
import { isRecording } from '../api/records.ts';
import { GARBAGE_TOKENS } from '../api/token-forms.ts';
import { userOfUnknown } from '../api/unknown-identity.ts';
import { type Asked, type Entry, isOk, jsonIn, sentObject, sentOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import type { Actor } from '../model.ts';
import { type Caller, loadModel, type Model, type QuestionRow, type Step, type Value } from '../plan/model.ts';
import { requestOf } from '../readers/questions.ts';
import { listedKeys } from '../rules/documented.ts';
import type { Session } from '../session/session.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { markedTitle } from '../values/run-mark.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import type { Asker } from './asker.ts';

/** What a phase works with. */
export interface Run {
  asker: Asker;
  session: Session;
  /** How many requests the run may send. */
  budget: number;
  seed: number;
  /** Members that no update writes are refused, so that they are sent alone. */
  isStrict?: boolean;
  /** A written title did not show up although it was waited for: waiting is in vain. */
  isInVain?: boolean;
}

export type Recording = Session['recording'];

/** What the run asks by: ours, with the values and requests of `--model`. */
export const modelOf = ({ session }: Run): Model => session.config.model ?? loadModel();
export const isQuick = (run: Run): boolean => run.budget <= modelOf(run).budget.quick;
export const isLong = (run: Run): boolean => run.budget > modelOf(run).budget.default;

/** What is left of the budget where so many requests are to follow; `reads` come on top, and only where the target file names some. */
export function spareIn({ asker, budget, session }: Run, following: number): number {
  const reads = asker.log.entries.filter(({ asked }) => asked?.for === 'reads');
  return budget + reads.length - session.sent.length - following;
}

export const SUMMARY = 'Summary by the contract suite.';

/** A title that names the run, so that another run at the same recording notices this one. */
export const titled = ({ session }: Run, text: string): string => markedTitle(text, session.mark);

/** The title of the model that a part of the run other than the updates sends. */
export function elsewhereIn(run: Run, part: Value['elsewhere']): unknown {
  const value = modelOf(run).recording.dimensions.title?.find(({ elsewhere }) => elsewhere === part);
  run.asker.covered.add(`recording.title.${value?.id}`);
  return value?.value;
}

/** What a request is asked for that every conforming target accepts. */
export const mild = (what: string): Asked => ({ for: what, odd: [] });

/** The disposable recordings that the target file names. */
export const recordingsOf = ({ session }: Run): readonly Recording[] => [
  ...(session.target.resources?.recordingId === undefined ? [] : [session.recording]),
  ...(session.target.resources?.otherRecordingId === undefined ? [] : [session.otherRecording]),
];

/** Whether an actor was seen to update a recording. */
export const mayUpdate = ({ asker }: Run, { id }: Recording, actor: Actor): boolean =>
  asker.log.entries.some(
    (entry) => entry.resource === id && entry.credential.who === actor && !entry.credential.flaw && isOk(entry),
  );

/** Who updates a recording: admin, unless it was seen that only member may. */
export const editorOf = (run: Run, recording: Recording): Caller =>
  mayUpdate(run, recording, 'member') && !mayUpdate(run, recording, 'admin') ? 'member.jwt' : 'admin.jwt';

/** Whether an exchange is an update of exactly these fields. */
export const isUpdateOf = (entry: Entry) => {
  const sent = Object.keys(sentObject(entry)).toSorted();
  return (fields: readonly string[]): boolean =>
    entry.operation === 'recording' && isDeepStrictEqual(sent, fields.toSorted());
};

/** The recording as an update answered it. */
export const recordIn = (entry: Entry | undefined): JsonObject | undefined => {
  const record = entry && isOk(entry) ? jsonIn(entry) : undefined;
  return isRecording(record) ? record : undefined;
};

/** The keys of the first whole list of the run. */
export function knownKeys({ asker, session }: Run): JsonObject[] {
  const { tenantId } = session.target.resources ?? {};
  const whole = asker.log.entries
    .filter(isOk)
    .find(
      ({ operation, query, resource, asked }) =>
        operation === 'api-keys' && query.length === 0 && resource === tenantId && !asked?.odd.length,
    );
  return whole ? listedKeys(whole) : [];
}

export type Row = Omit<QuestionRow, 'as'> & Pick<Step, 'on' | 'title' | 'headers' | 'isChunked'>;
/** Who sends a request; a token as it is need not be of anybody. */
type Sender = Caller | 'nobody' | 'garbage' | `Bearer ${string}`;

/** The request of a row by a caller; undefined where the target file or the target lacks something for it. */
export async function requestBy(run: Run, row: Row, caller: Sender): Promise<ClientRequest | undefined> {
  const { asker } = run;
  if (row.of === 'scopes') await asker.findScopes();
  const own = await headersOf(asker, caller);
  const request = own && requestOf(row, asker.log);
  if (!request) return undefined;
  const headers = { ...own, ...row.headers };
  const { method, query, raw } = request;
  const json = row.title === undefined ? request.json : { title: titled(run, row.title) };
  const search = searchOf(query);
  const recordings = recordingsOf(run);
  const recording = row.on ? recordings[1] : recordings.find(({ id }) => request.path === recordingPath(id));
  if (method === 'PATCH' && recording && !raw && row.id === undefined) {
    const prepared = await asker.attempt('recording', () => recording.prepared(json as JsonObject, own));
    return prepared && { ...prepared, path: prepared.path + search, headers };
  }
  if (row.on) return undefined;
  return { method, path: request.path + search, headers, json, raw, isChunked: row.isChunked };
}

export function searchOf(query: Record<string, string>): string {
  const parameters = new URLSearchParams(query).toString().replaceAll('+', '%20');
  return parameters && `?${parameters}`;
}

async function headersOf(asker: Asker, caller: Sender): Promise<Record<string, string> | undefined> {
  if (caller === 'nobody') return {};
  if (caller.startsWith('Bearer ')) return { Authorization: caller };
  return caller === 'garbage' ? { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` } : asker.as(caller as Caller);
}

/** Sends a request as the model writes it down; the write guard lets it through where it updates another path. */
export async function ask(
  run: Run,
  row: Row,
  caller: Sender,
  asked: Asked,
  more: Partial<ClientRequest> = {},
): Promise<Entry | undefined> {
  const { asker, session } = run;
  const request = await requestBy(run, row, caller);
  if (!request) return undefined;
  const sending = () => asker.ask({ ...request, ...more, headers: { ...request.headers, ...more.headers } }, asked);
  const entry = await (request.method === 'PATCH' ? session.allowingUpdate(request.path, sending) : sending());
  if (entry) note(run, entry);
  return entry;
}

/** Notes what an accepted sign-in with other claims than an actor's may have left behind: a user. */
function note({ session, asker }: Run, entry: Entry): void {
  const { target, told } = session;
  if (!isOk(entry) || entry.operation !== 'sso') return;
  const sent = sentObject(entry);
  if (asker.isOfActor(sent)) return;
  const claims = target.actors?.admin?.sso ?? {};
  if (sent.oid !== undefined && sent.oid === target.actors?.member?.sso?.oid) return;
  const missing = Object.keys(claims).filter((claim) => !(claim in sent));
  if (missing.length === 0 && sent.oid !== claims.oid) told.add(userOfUnknown(String(sent.upn)));
  const known = asker.log.entries.find(({ answer }) => answer.request.body === JSON.stringify(claims));
  if (missing.length === 1 && !(known && userIdIn(entry) === userIdIn(known)))
    told.add(`a user that the SSO login without ${missing[0]} may have made`);
}

/** Whether an exchange is a successful sign-in of an actor. */
export const isSignInOf = ({ session }: Run, actor: Actor, way: 'sso' | 'login' = 'sso') => {
  const given = session.credentials(actor)[way];
  return (entry: Entry): boolean =>
    given !== undefined && entry.operation === way && isOk(entry) && canonical(sentOf(entry)) === canonical(given);
};

/** The id of the user whom a sign-in answered. */
export function userIdIn(signIn: Entry): unknown {
  const grant = jsonIn(signIn);
  return isObject(grant) && isObject(grant.user) ? grant.user.id : undefined;
}

/** A list of the API keys of the tenant, as a caller gets it. */
export const list = (run: Run, caller: Caller, query: Record<string, string> = {}, asked: Asked = mild('lists')) =>
  ask(run, { of: 'api-keys', query }, caller, asked);

/** An update of a disposable recording by a caller. */
export const update = (
  run: Run,
  recording: Recording,
  caller: Caller,
  json: JsonObject,
  asked: Asked,
  more?: Partial<ClientRequest>,
): Promise<Entry | undefined> =>
  ask(
    run,
    { of: 'recording', json, on: recording === recordingsOf(run)[1] ? 'second' : undefined },
    caller,
    asked,
    more,
  );

/** Sends the steps of a phase, by each of their callers; `code` has those that are no plain requests. */
export async function sendSteps(
  run: Run,
  steps: readonly Step[],
  code: Readonly<Record<string, (run: Run, step: Step) => Promise<unknown>>>,
): Promise<void> {
  for (const step of steps) {
    if (isQuick(run) ? step.runs !== 'always' : step.runs === 'long' && !isLong(run)) continue;
    const last = run.asker.log.entries.at(-1);
    if (step.when === 'accepted' && last && !isOk(last)) continue;
    if (step.do !== undefined) await code[step.do]?.(run, step);
    else if (step.overlap) await sendTogether(run, step.overlap, step);
    else for (let time = 0; time < (step.times ?? 1); time += 1) await sendStep(run, step);
  }
}

async function sendStep(run: Run, step: Step): Promise<void> {
  const { asker, session } = run;
  const isWrite = step.writes === true || step.of === 'recording';
  if (isWrite && !session.config.allowWrites) return void asker.problems.set('writes', 'writes are not allowed');
  const asked = { for: step.for ?? step.covers ?? asker.purpose.for, odd: step.odd ?? [] };
  for (const caller of callersOf(run, step)) {
    const headers = await headersOf(asker, caller);
    if (!headers) continue;
    if (step.of === 'scopes') asker.covered.add(`scopes.caller.${caller}`);
    if (step.once && wasAsked(run, step, headers)) continue;
    if ((await ask(run, step, caller, asked)) && step.covers !== undefined) asker.covered.add(step.covers);
  }
}

function callersOf(run: Run, { of, on, as }: Step): readonly Caller[] {
  const [second] = on === 'second' ? recordingsOf(run).slice(1) : [];
  const usual = second ? editorOf(run, second) : of === 'sso' ? ('nobody' as Caller) : 'admin.jwt';
  return [as ?? usual].flat() as readonly Caller[];
}

/** Whether the log has what the same credentials were answered: a success, or a refusal where that may be. */
const wasAsked = ({ asker }: Run, { of, odd }: Step, { Authorization }: Record<string, string>): boolean =>
  asker.log.entries.some(
    (entry) =>
      entry.operation === of &&
      (odd !== undefined || isOk(entry)) &&
      entry.query.length === 0 &&
      entry.answer.request.headers.Authorization === Authorization,
  );

/** By how much later the second one of two updates is sent, in milliseconds: the first one arrives first, and is under way. */
const APART_MS = 3;

/** Requests under way at the same time: what one of them does must not reach another. */
async function sendTogether(run: Run, rows: readonly Step[], step: Step): Promise<void> {
  const isUpdate = rows.some(({ of }) => of === 'recording');
  if (isUpdate && !run.session.config.allowWrites) return;
  const requests: ClientRequest[] = [];
  for (const row of rows) {
    // One of several is enough.
    if (requests.length > 0 && row !== rows.at(-1)) continue;
    const [caller = 'admin.jwt'] = callersOf(run, row);
    const request = await requestBy(run, row, caller);
    if (request) requests.push(request);
  }
  if (requests.length < 2 || run.asker.concurrency < 2) return;
  const asked = mild(step.for ?? run.asker.purpose.for);
  for (const entry of await run.asker.together(requests, asked, isUpdate ? APART_MS : 0)) note(run, entry);
}
