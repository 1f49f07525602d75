import { recordingPath, SAMPLE_ID } from '../api/operations.ts';
import { CARRIED, readPath, storedIn } from '../api/reading.ts';
import { isRecording } from '../api/records.ts';
import { untested } from '../failure.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { markIn } from '../values/run-mark.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import type { Connection } from './connection.ts';
import type { SigningIn } from './signing-in.ts';

/** The disposable recordings that a target file can name. */
export type RecordingField = 'recordingId' | 'otherRecordingId';

const CALLED: Record<RecordingField, string> = {
  recordingId: 'the recording',
  otherRecordingId: 'the other recording',
};

const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');

const writesLeft = (field: RecordingField, names: readonly string[], why: string): string =>
  `${listed(names)} of ${CALLED[field]} hold what the suite wrote last: ${why}`;
const NOT_READ = 'no documented operation reads them back';
const WERE_EMPTY = 'before, they held nothing that could be put back';

/** An analysis; what is inside of one is not shown, so it is replaced by the one that the target file gives. */
export const SAMPLE_ANALYSIS: JsonObject = { key_topics: ['contract'], action_items: ['verify'] };

/** The request that restores the recording's title; there is one while a check has written another title. */
export interface Undo {
  path: string;
  json: JsonObject;
  headers: Record<string, string>;
}

/** A recording that the suite may update (4.2), and its title, which is restored. */
export class DisposableRecording {
  /** The request that restores the title, from before another one is written until it is restored. */
  undo: Undo | undefined;
  /** Whether another run of the suite writes it, too. */
  isShared = false;
  /** The identifier; undefined where the target file names none. */
  readonly givenId: string | undefined;
  #titleDirty = false;
  /** Whether the target ever accepted a title: otherwise there is none to restore. */
  #titleWritten = false;
  #originalTitle: unknown;
  /** What `reads` of the target file shows of the other fields, before they are written; empty where it shows nothing. */
  #before: JsonObject = {};
  /** Removes the leftover about written fields, once they are put back. */
  #putBackAll: (() => void) | undefined;
  /** The Authorization header under which the recording was found, where it is not admin's own. */
  #foundBy: Record<string, string> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly signIn: SigningIn,
    private readonly field: RecordingField = 'recordingId',
  ) {
    this.givenId = connection.target.resources?.[field];
  }

  get id(): string {
    if (!this.givenId) throw untested(`the target file has no resources.${this.field}`);
    return this.givenId;
  }

  /** Another run writes it, too: the title of that run, which this one found, is not the one to put back. */
  share(): void {
    this.isShared = true;
    if (markIn(this.#originalTitle) === undefined || !this.undo) return;
    const { title: _, ...json } = this.undo.json;
    this.undo = Object.keys(json).length > 0 ? { ...this.undo, json } : undefined;
  }

  /** The request of an update; where it writes a title, the one that was found is known from now on, to put it back. */
  async prepared(body: JsonObject, headers: Record<string, string>): Promise<ClientRequest> {
    if ('title' in body) {
      // The other one may be that of another user than admin: of the one who updates it first.
      await this.original(this.field === 'otherRecordingId' ? headers : undefined);
      this.#titleDirty = true;
      const title = this.#originalTitle;
      const isOfOther = this.isShared && markIn(title) !== undefined;
      if (typeof title === 'string' && !isOfOther) await this.#mayUndo({ title });
    }
    return this.#request(body, headers);
  }

  /** Notes that an update was accepted. */
  noteWritten(body: JsonObject): void {
    this.#titleWritten ||= 'title' in body;
    this.#putBackAll ??= this.connection.leftovers.expect(writesLeft(this.field, CARRIED, NOT_READ));
  }

  /** Prepares what puts back these fields, and those that were read. */
  async #mayUndo(json: JsonObject): Promise<void> {
    this.undo = {
      path: recordingPath(this.id),
      json: { ...this.#before, ...json },
      headers: await this.#restoringHeaders(),
    };
  }

  /** Reads what updates do not answer, where the target file names an operation for that. */
  async #readBefore(headers: Record<string, string>): Promise<void> {
    const reading = this.connection.target.reads?.recording;
    if (!reading) return;
    const path = readPath(reading, this.id);
    const answer = await this.connection.send({ method: 'GET', path, headers });
    const { fields = {} } = (isSuccess(answer) && storedIn(reading, path, jsonOf(answer))) || {};
    this.#before = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
    if (Object.keys(this.#before).length > 0) await this.#mayUndo({});
  }

  /** Admin may update the recording; the caller that found it may, too, where admin may not. */
  #restoringHeaders(): Promise<Record<string, string>> {
    return this.#foundBy ? Promise.resolve(this.#foundBy) : this.signIn.authorization('admin');
  }

  async #sendUpdate(json: JsonObject, headers?: Record<string, string>): Promise<Answer> {
    const by = headers ?? (await this.signIn.authorization('admin'));
    const answer = await this.connection.send(this.#request(json, by));
    if (isSuccess(answer)) this.noteWritten(json);
    return answer;
  }

  /** An update, made-up values replaced by those of the target file: knowledge-base identifiers, the analysis. */
  #request(body: JsonObject, headers: Record<string, string>): ClientRequest {
    const { kbFolderId, kbDocumentId, analysis } = this.connection.target.resources ?? {};
    const json = {
      ...body,
      ...(kbFolderId && body.kb_folder_id === SAMPLE_ID && { kb_folder_id: kbFolderId }),
      ...(kbDocumentId && body.kb_document_id === SAMPLE_ID && { kb_document_id: kbDocumentId }),
      ...(analysis && body.analysis === SAMPLE_ANALYSIS && { analysis }),
    };
    return { method: 'PATCH', path: recordingPath(this.id), json, headers };
  }

  /**
   * The recording as it was found: what the first update answers that leaves the title alone. Without `headers` it is sent
   * as admin; with those of somebody else, that is who puts the title back.
   */
  async original(headers?: Record<string, string>): Promise<Answer> {
    return this.connection.once(`original ${this.field}`, async () => {
      this.#foundBy = headers;
      await this.#readBefore(headers ?? (await this.signIn.authorization('admin')));
      let first: Answer | undefined;
      // The emptiest update first: what any other one might change by mistake, it must not have changed already.
      for (const body of [
        {},
        { kb_document_id: SAMPLE_ID },
        { summary: 'Summary by the contract suite.' },
        { kb_folder_id: SAMPLE_ID },
        ...(this.connection.target.resources?.analysis ? [{ analysis: SAMPLE_ANALYSIS }] : []),
        { analysis: {} },
      ]) {
        const answer = await this.#sendUpdate(body, headers);
        first ??= answer;
        if (!isSuccess(answer)) continue;
        const record = jsonOf(answer);
        // What an update of nothing answers is not documented: one that succeeds without the recording is as good as none.
        if (Object.keys(body).length === 0 && !isRecording(record)) continue;
        this.#originalTitle ??= isObject(record) ? record.title : undefined;
        return answer;
      }
      return first as Answer;
    });
  }

  /** Puts back the title that the recording had, and the other fields where they were read; does nothing when none was written. */
  async restore(): Promise<void> {
    const { undo } = this;
    const isTitle = this.#titleDirty;
    this.#titleDirty = false;
    if (!undo || !(isTitle || this.#putBackAll)) return this.#tellTitle(isTitle);
    let restored = false;
    try {
      const headers = await this.#restoringHeaders();
      restored = isSuccess(await this.connection.send({ method: 'PATCH', ...undo, headers }, true));
    } finally {
      if (!restored) this.#tellTitle(isTitle);
      else {
        this.undo = undefined;
        const { title } = undo.json;
        if (title === undefined) this.#tellTitle(isTitle);
        else if (markIn(title) !== undefined)
          this.connection.leftovers.add(
            `the title of ${CALLED[this.field]}: ${JSON.stringify(title)}, which another run of the suite wrote`,
          );
        this.#tellFields(undo.json);
      }
    }
  }

  /** Says of a title that it stays. */
  #tellTitle(isTitle: boolean): void {
    if (isTitle && this.#titleWritten)
      this.connection.leftovers.add(`the title of ${CALLED[this.field]}: it could not be put back`);
  }

  /** Says which of the other fields stay, now that these were put back. */
  #tellFields(restored: JsonObject): void {
    const left = CARRIED.filter((name) => !(name in restored));
    if (left.length === CARRIED.length) return;
    this.#putBackAll?.();
    if (left.length > 0) this.connection.leftovers.add(writesLeft(this.field, left, WERE_EMPTY));
  }
}
