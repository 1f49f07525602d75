import { recordingPath, SAMPLE_ID } from '../api/operations.ts';
import { CARRIED, readPath } from '../api/reading.ts';
import { isRecording } from '../api/records.ts';
import { CannotAsk } from '../errors.ts';
import { type Entry, isOk, jsonIn, sentObject } from '../log/entry.ts';
import { isSuccess } from '../values/answer.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { markIn } from '../values/run-mark.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import type { SignedIn } from './signing-in.ts';

type Headers = Record<string, string>;

const CALLED = { recordingId: 'the recording', otherRecordingId: 'the other recording' };

/** An analysis; what is inside of one is not shown, so it is replaced by the one that the target file gives. */
export const SAMPLE_ANALYSIS: JsonObject = { key_topics: ['contract'], action_items: ['verify'] };

/** A recording that the suite may update (4.2), and its title, which is restored: the log says what was found and written. */
export class DisposableRecording {
  /** Whether another run writes it, too: a title of that run, found by this one, is not the one to put back. */
  isShared = false;
  readonly givenId: string | undefined;
  /** Whether a title was sent, which may be written before it is answered. */
  #isTitleSent = false;
  #restored: JsonObject | undefined;
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
  get #before(): JsonObject {
    const [first] = this.session.entries.filter(({ stored }) => stored?.recordingId === this.givenId);
    const { n = 0, stored } = first ?? {};
    if (this.#accepted.some((entry) => entry.n < n)) return {};
    const held = Object.entries(stored?.fields ?? {}).filter(([, value]) => value !== null && value !== '');
    return Object.fromEntries(held);
  }

  /** The request that restores the recording, from before something is written until it is restored. */
  get undo(): { path: string; json: JsonObject } | undefined {
    const found = this.#found && jsonIn(this.#found);
    const title = isObject(found) ? found.title : undefined;
    const isOfOther = this.isShared && markIn(title) !== undefined;
    const json = { ...this.#before, ...(this.#isTitleSent && !isOfOther && typeof title === 'string' && { title }) };
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
          const { response } = await this.session.send(this.#request(body, await this.#headers()));
          if (this.#found || (headers && [401, 403, 404].includes(response.status))) return;
        }
      });
    return this.#found !== undefined;
  }

  /** Puts back the title, and the other fields where they were read; gives whether nothing had to be put back that was not. */
  async restore(): Promise<boolean> {
    const { undo } = this;
    try {
      if (!undo) return true;
      const request = { method: 'PATCH' as const, ...undo, headers: await this.#headers() };
      if (isSuccess(await this.session.send(request, true))) this.#restored = undo.json;
      return this.#restored === undo.json;
    } finally {
      this.#restored ??= {};
    }
  }

  get isTitleRestored(): boolean {
    return this.#restored?.title !== undefined;
  }

  get left(): string[] {
    const accepted = this.#accepted;
    const what = CALLED[this.field];
    const { title } = this.#restored ?? {};
    const isWritten = this.#restored === undefined || accepted.some((entry) => 'title' in sentObject(entry));
    const lines: string[] = [];
    // Not every title has a mark. The last update put it back; an earlier one with it says that the suite writes it.
    const isOfSuite = title !== undefined && accepted.filter((entry) => sentObject(entry).title === title).length > 1;
    if (isOfSuite || markIn(title) !== undefined)
      lines.push(`the title of ${what}: ${JSON.stringify(title)}, which another run of the suite may have written`);
    if (this.#isTitleSent && title === undefined && isWritten) lines.push(`the title of ${what}: it was not put back`);
    const written = CARRIED.filter((name) => accepted.some((entry) => name in sentObject(entry)));
    const left = written.filter((name) => !(name in (this.#restored ?? {}))).join(', ');
    if (left !== '')
      lines.push(`${left} of ${what}: what the suite wrote last, since nothing showed what was there before`);
    return lines;
  }
}
