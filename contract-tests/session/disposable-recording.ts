import { isDeepStrictEqual } from 'node:util';
import { isUpdate, recordingPath, SAMPLE_ID } from '../api/operations.ts';
import { CARRIED, readPath } from '../api/reading.ts';
import { isRecording } from '../api/records.ts';
import { CannotAsk } from '../errors.ts';
import { type Entry, isOk, jsonIn, sentObject, statusOf } from '../log/entry.ts';
import { isSuccess } from '../values/answer.ts';
import { hasMember, isObject, type JsonObject, memberOf } from '../values/json.ts';
import { markIn } from '../values/run-mark.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import type { SignedIn } from './signing-in.ts';

type Headers = Record<string, string>;

const CALLED = { recordingId: 'the recording', otherRecordingId: 'the other recording' };

/** An analysis; what is inside of one is not shown, so it is replaced by the one that the target file gives. */
export const SAMPLE_ANALYSIS: JsonObject = { key_topics: ['contract'], action_items: ['verify'] };

/** A recording that the suite may update (4.2), and its title, which is restored, as the log has its original and written values. */
export class DisposableRecording {
  /** Whether another run writes it, too: a title of that run, found by this one, is not the one to put back. */
  isShared = false;
  readonly givenId: string | undefined;
  /** Whether a title was sent, which may be written before it is answered. */
  #isTitleSent = false;
  #isWritten = false;
  #restored: JsonObject | undefined;
  /** Values that were there before and could not be put back, and why. */
  #refused: { json: JsonObject; why: string } | undefined;
  /** The Authorization header under which the recording was found, where it is not admin's own. */
  #foundBy: Headers | undefined;

  constructor(
    private readonly session: SignedIn,
    private readonly field: keyof typeof CALLED = 'recordingId',
  ) {
    this.givenId = session.target.resources?.[field];
  }

  get id(): string {
    if (!this.givenId) throw new CannotAsk(`the target file has no resources.${this.field}`);
    return this.givenId;
  }

  get #accepted(): Entry[] {
    const isOwn = ({ operation, resource }: Entry): boolean => operation === 'recording' && resource === this.givenId;
    return this.session.entries.filter((entry) => isOwn(entry) && isOk(entry));
  }

  /** What showed the recording as it was found: an update before any that writes a title. */
  get #found(): Entry | undefined {
    const accepted = this.#accepted;
    const written = accepted.findIndex((entry) => 'title' in sentObject(entry));
    const before = written === -1 ? accepted : accepted.slice(0, written);
    // What an update of nothing answers is not documented: one that succeeds without the recording is as good as none.
    return before.find((entry) => Object.keys(sentObject(entry)).length > 0 || isRecording(jsonIn(entry)));
  }

  /** What `reads` of the target file showed of the other fields before they were written. */
  get #before(): Record<'full' | 'empty', JsonObject> {
    const [first] = this.session.entries.filter(({ stored }) => stored?.recordingId === this.givenId);
    const { n = 0, stored } = first ?? {};
    const isLate = this.#accepted.some((entry) => entry.n < n);
    const fields = isLate ? [] : Object.entries(stored?.fields ?? {});
    const isEmpty = ([, value]: [string, unknown]): boolean => value === null || value === '';
    const emptied = fields.filter(
      (field) => isEmpty(field) && this.#accepted.some((entry) => hasMember(sentObject(entry), field[0])),
    );
    return {
      full: Object.fromEntries(fields.filter((field) => !isEmpty(field))),
      empty: Object.fromEntries(emptied),
    };
  }

  /** The request that restores the recording, from before something is written until it is restored. */
  get undo(): { path: string; json: JsonObject } | undefined {
    const found = this.#found && jsonIn(this.#found);
    const title = isObject(found) ? found.title : undefined;
    const isOfOther = this.isShared && markIn(title) !== undefined;
    const json = {
      ...(this.#isWritten && this.#before.full),
      ...(this.#isTitleSent && !isOfOther && typeof title === 'string' && { title }),
    };
    const isNothing = this.#restored !== undefined || Object.keys(json).length === 0;
    return isNothing ? undefined : { path: recordingPath(this.id), json };
  }

  /** The request of an update; where it writes a title, the one that was found is known from now on, to put it back. */
  async prepared(body: JsonObject, headers: Headers): Promise<ClientRequest> {
    if ('title' in body) {
      // The other one may be that of another user than admin: of the one who updates it first.
      await this.original(this.field === 'otherRecordingId' ? headers : undefined);
      this.#isTitleSent = true;
    }
    return this.#request(body, headers);
  }

  /** Admin may update the recording; the caller that found it may, too, where admin may not. */
  async #headers(): Promise<Headers> {
    return this.#foundBy ?? this.session.signIn.authorization('admin');
  }

  /** An update, made-up values replaced by those of the target file: knowledge-base identifiers, the analysis. */
  #request(body: JsonObject, headers: Headers): ClientRequest {
    this.#isWritten ||= Object.keys(body).length > 0;
    const { kbFolderId, kbDocumentId, analysis } = this.session.target.resources ?? {};
    const json = {
      ...body,
      ...(kbFolderId && body.kb_folder_id === SAMPLE_ID && { kb_folder_id: kbFolderId }),
      ...(kbDocumentId && body.kb_document_id === SAMPLE_ID && { kb_document_id: kbDocumentId }),
      ...(analysis && body.analysis === SAMPLE_ANALYSIS && { analysis }),
    };
    return { method: 'PATCH', path: recordingPath(this.id), json, headers };
  }

  /** Looks at the recording by an update without a title, as admin; with `headers`, as who also puts the title back. Gives success. */
  async original(headers?: Headers): Promise<boolean> {
    if (!this.#found)
      await this.session.once(`original ${this.field} ${headers?.Authorization}`, async () => {
        this.#foundBy = headers;
        const reading = this.session.target.reads?.recording;
        const own = await this.#headers();
        if (reading) await this.session.send({ method: 'GET', path: readPath(reading, this.id), headers: own });
        // The emptiest update first: what any other one might change by mistake, it must not have changed already.
        for (const body of [
          {},
          { kb_document_id: SAMPLE_ID },
          { summary: 'Summary by the contract suite.' },
          { kb_folder_id: SAMPLE_ID },
          ...(this.session.target.resources?.analysis ? [{ analysis: SAMPLE_ANALYSIS }] : []),
          { analysis: {} },
        ]) {
          if (this.#wasRefused(body)) continue;
          const { response } = await this.session.send(this.#request(body, await this.#headers()));
          if (this.#found || (headers && [401, 403, 404].includes(response.status))) return;
        }
      });
    return this.#found !== undefined;
  }

  /** Whether an update of the same fields was refused at the other recording for what it holds. */
  #wasRefused(body: JsonObject): boolean {
    const fields = Object.keys(body);
    return this.session.entries.some(
      (entry) =>
        entry.resource !== this.givenId &&
        isUpdate(entry.operation) &&
        [400, 422].includes(statusOf(entry)) &&
        isDeepStrictEqual(Object.keys(sentObject(entry)), fields),
    );
  }

  /** Puts back the title, and the other fields where they were read; gives whether nothing had to be put back that was not. */
  async restore(): Promise<boolean> {
    const { undo } = this;
    const { empty } = this.#before;
    const isFirst = this.#restored === undefined;
    try {
      const isPutBack = !undo || (await this.#putBack(undo.json));
      // By itself: a target may refuse null.
      const hasEmptied = isFirst && Object.keys(empty).length > 0;
      const isEmptied = !hasEmptied || ((await this.#putBack(empty)) && (await this.#isShown(empty)));
      return isPutBack && isEmptied;
    } finally {
      this.#restored ??= {};
    }
  }

  async #putBack(json: JsonObject): Promise<boolean> {
    const request = { method: 'PATCH' as const, path: recordingPath(this.id), json, headers: await this.#headers() };
    const answer = await this.session.send(request, true);
    if (isSuccess(answer)) this.#restored = { ...this.#restored, ...json };
    else this.#refused = { json, why: `the target answered ${answer.response.status}` };
    return isSuccess(answer);
  }

  /** Whether `reads` shows that fields are empty again: a target may accept null and ignore it. */
  async #isShown(empty: JsonObject): Promise<boolean> {
    const reading = this.session.target.reads?.recording;
    if (!reading) return true;
    const headers = await this.#headers();
    const answer = await this.session.send({ method: 'GET', path: readPath(reading, this.id), headers }, true);
    const fields = this.session.entryOf(answer)?.stored?.fields ?? {};
    const kept = Object.keys(empty).filter((name) => (memberOf(fields, name) ?? '') !== '');
    if (kept.length === 0) return true;
    this.#restored = Object.fromEntries(Object.entries(this.#restored ?? {}).filter(([name]) => !kept.includes(name)));
    this.#refused = { json: empty, why: 'the target accepted that and kept what was there' };
    return false;
  }

  get isTitleRestored(): boolean {
    return this.#restored?.title !== undefined;
  }

  #shown(value: unknown): string {
    return this.session.config.withoutBodies ? '(a value that --without-bodies leaves out)' : JSON.stringify(value);
  }

  get left(): string[] {
    const accepted = this.#accepted;
    const what = CALLED[this.field];
    const { title } = this.#restored ?? {};
    const isWritten = this.#restored === undefined || accepted.some((entry) => 'title' in sentObject(entry));
    const lines: string[] = [];
    // Not every title has a mark: the suite writes one that it replaced later. A replay puts back what its recording did before.
    const titles = accepted.map((entry) => sentObject(entry).title).filter((each) => each !== undefined);
    const isOfSuite = titles.some((each, at) => each === title && titles.slice(at).some((later) => later !== title));
    if (title !== undefined && (isOfSuite || markIn(title) !== undefined))
      lines.push(`the title of ${what}: ${this.#shown(title)}, which another run of the suite may have written`);
    if (this.#isTitleSent && title === undefined && isWritten) lines.push(`the title of ${what}: it was not put back`);
    const written = CARRIED.filter((name) => accepted.some((entry) => name in sentObject(entry)));
    const { json = {}, why } = this.#refused ?? {};
    const kept = written.filter((name) => !hasMember(this.#restored ?? {}, name));
    const refused = kept
      .filter((name) => hasMember(json, name))
      .map((name) => `${name}: ${this.#shown(memberOf(json, name))}`);
    if (refused.length > 0) lines.push(`${refused.join(', ')} of ${what} could not be put back: ${why}`);
    const left = kept.filter((name) => !hasMember(json, name)).join(', ');
    if (left !== '') lines.push(`${left} of ${what}: what was sent last, since nothing showed what was there before`);
    return lines;
  }
}
