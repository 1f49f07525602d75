import { recordingPath, SAMPLE_ID } from '../api/operations.ts';
import { CARRIED, readPath, storedIn } from '../api/reading.ts';
import { isRecording } from '../api/records.ts';
import { untested } from '../errors.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { markIn } from '../values/run-mark.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import type { Connection } from './connection.ts';
import type { SigningIn } from './signing-in.ts';

type Headers = Record<string, string>;

/** The disposable recordings that a target file can name, and what messages call them. */
const CALLED = { recordingId: 'the recording', otherRecordingId: 'the other recording' };

const NOT_READ = 'no documented operation reads them back';
const WERE_EMPTY = 'before, they held nothing that could be put back';

/** An analysis; what is inside of one is not shown, so it is replaced by the one that the target file gives. */
export const SAMPLE_ANALYSIS: JsonObject = { key_topics: ['contract'], action_items: ['verify'] };

/** The request that restores the recording's title; there is one while a check has written another title. */
export interface Undo {
  path: string;
  json: JsonObject;
  headers: Headers;
}

/** A recording that the suite may update (4.2), and its title, which is restored. */
export class DisposableRecording {
  /** Whether another run writes it, too: a title of that run, found by this one, is not the one to put back. */
  isShared = false;
  /** The identifier; undefined where the target file names none. */
  readonly givenId: string | undefined;
  /** Whether a title was sent since the last one was put back, and whether any was accepted. */
  #isTitleSent = false;
  #isTitleWritten = false;
  #title: unknown;
  /** What `reads` of the target file shows of the other fields, before they are written; empty where it shows nothing. */
  #before: JsonObject = {};
  /** Removes the leftover about written fields, once they are put back. */
  #putBackAll: (() => void) | undefined;
  /** The Authorization header under which the recording was found, where it is not admin's own. */
  #foundBy: Headers | undefined;
  #lastBy: Headers = {};
  /** What showed it as it was found. */
  #found: Answer | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly signIn: SigningIn,
    private readonly field: keyof typeof CALLED = 'recordingId',
  ) {
    this.givenId = connection.target.resources?.[field];
  }

  get id(): string {
    if (!this.givenId) throw untested(`the target file has no resources.${this.field}`);
    return this.givenId;
  }

  /** The request that restores the recording, from before something is written until it is restored. */
  get undo(): Undo | undefined {
    const isOfOther = this.isShared && markIn(this.#title) !== undefined;
    const title = this.#isTitleSent && !isOfOther && typeof this.#title === 'string' && { title: this.#title };
    const json = { ...this.#before, ...title };
    return Object.keys(json).length === 0 ? undefined : { path: recordingPath(this.id), json, headers: this.#lastBy };
  }

  /** The request of an update; where it writes a title, the one that was found is known from now on, to put it back. */
  async prepared(body: JsonObject, headers: Headers): Promise<ClientRequest> {
    if ('title' in body) {
      // The other one may be that of another user than admin: of the one who updates it first.
      await this.original(this.field === 'otherRecordingId' ? headers : undefined);
      await this.#restoringHeaders();
      this.#isTitleSent = true;
    }
    return this.#request(body, headers);
  }

  /** Notes that an update was accepted. */
  noteWritten(body: JsonObject): void {
    this.#isTitleWritten ||= 'title' in body;
    this.#putBackAll ??= this.#addLeft(CARRIED, NOT_READ);
  }

  /** Reads what updates do not answer, where the target file names an operation for that. */
  async #readBefore(headers: Headers): Promise<void> {
    const reading = this.connection.target.reads?.recording;
    if (!reading) return;
    const path = readPath(reading, this.id);
    const answer = await this.connection.send({ method: 'GET', path, headers });
    const { fields = {} } = (isSuccess(answer) && storedIn(reading, path, jsonOf(answer))) || {};
    this.#before = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
  }

  /** Admin may update the recording; the caller that found it may, too, where admin may not. */
  async #restoringHeaders(): Promise<Headers> {
    this.#lastBy = this.#foundBy ?? (await this.signIn.authorization('admin'));
    return this.#lastBy;
  }

  /** An update, made-up values replaced by those of the target file: knowledge-base identifiers, the analysis. */
  #request(body: JsonObject, headers: Headers): ClientRequest {
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
   * as admin; with those of somebody else, that is who puts the title back. Who is refused may be followed by somebody else.
   */
  async original(headers?: Headers): Promise<Answer> {
    return (
      this.#found ??
      this.connection.once(`original ${this.field} ${headers?.Authorization}`, async () => {
        this.#foundBy = headers;
        await this.#readBefore(await this.#restoringHeaders());
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
          const answer = await this.connection.send(this.#request(body, await this.#restoringHeaders()));
          first ??= answer;
          if (headers && [401, 403, 404].includes(answer.response.status)) break;
          if (!isSuccess(answer)) continue;
          this.noteWritten(body);
          const record = jsonOf(answer);
          // What an update of nothing answers is not documented: one that succeeds without the recording is as good as none.
          if (Object.keys(body).length === 0 && !isRecording(record)) continue;
          this.#title ??= isObject(record) ? record.title : undefined;
          this.#found = answer;
          return answer;
        }
        return first as Answer;
      })
    );
  }

  /**
   * Puts back the title that the recording had, and the other fields where they were read; says what stays. Gives whether
   * nothing had to be put back that was not.
   */
  async restore(): Promise<boolean> {
    const { undo } = this;
    let restored: JsonObject = {};
    try {
      const headers = undo && (await this.#restoringHeaders());
      if (undo && isSuccess(await this.connection.send({ method: 'PATCH', ...undo, headers }, true)))
        restored = undo.json;
      return undo === undefined || restored === undo.json;
    } finally {
      this.#tellLeft(restored);
      this.#isTitleSent = false;
      this.#before = {};
    }
  }

  #tellLeft(restored: JsonObject): void {
    const { title } = restored;
    const called = `the title of ${CALLED[this.field]}`;
    if (markIn(title) !== undefined)
      this.connection.leftovers.add(`${called}: ${JSON.stringify(title)}, which another run of the suite wrote`);
    if (title === undefined && this.#isTitleSent && this.#isTitleWritten)
      this.connection.leftovers.add(`${called}: it could not be put back`);
    const left = CARRIED.filter((name) => !(name in restored));
    if (left.length === CARRIED.length) return;
    this.#putBackAll?.();
    if (left.length > 0) this.#addLeft(left, WERE_EMPTY);
  }

  #addLeft(names: readonly string[], why: string): () => void {
    const listed = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
    return this.connection.leftovers.add(`${listed} of ${CALLED[this.field]} hold what the suite wrote last: ${why}`);
  }
}
