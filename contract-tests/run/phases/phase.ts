import { apiKeysPath, SAMPLE_ID } from '../../api/operations.ts';
import { isRecording } from '../../api/records.ts';
import { type Asked, type Entry, isOk, jsonIn } from '../../log/entry.ts';
import { loadModel, type Model } from '../../plan/model.ts';
import { listedKeys } from '../../rules/documented.ts';
import type { Session } from '../../session/session.ts';
import type { JsonObject } from '../../values/json.ts';
import { markedTitle } from '../../values/run-mark.ts';
import type { ClientRequest } from '../../wire/exchange.ts';
import type { Asker, Caller } from '../asker.ts';

/** What a phase works with. */
export interface Run {
  asker: Asker;
  session: Session;
  /** How many requests the run may send. */
  budget: number;
  seed: number;
  /** Who may update each recording, where it is not admin. */
  editors: Map<Session['recording'], Caller>;
  /** Read-only fields that wait to be sent alone. */
  lones: string[];
}

/** Who may update a recording: admin, unless it was seen to be somebody else. */
export const editorOf = ({ editors }: Run, recording: Session['recording']): Caller =>
  editors.get(recording) ?? 'admin.jwt';

/** What the run asks by: ours, with the values and requests of `--model`. */
export const modelOf = ({ session }: Run): Model => session.config.model ?? loadModel();

export const isQuick = (run: Run): boolean => run.budget <= modelOf(run).budget.quick;
export const isLong = (run: Run): boolean => run.budget > modelOf(run).budget.default;

export const SUMMARY = 'Summary by the contract suite.';

/** Identifiers of so few characters are not cut: what is left may be another one. */
export const SHORT_ID = 4;

/** A title that names the run, so that another run at the same recording notices this one. */
export const titled = ({ session }: Run, text: string): string => markedTitle(text, session.mark);

/** What a mild request of a phase is asked for. */
export const mild = (what: string): Asked => ({ for: what, odd: [] });

/** A list of API keys, as a caller gets it. */
export async function list(
  { asker, session }: Run,
  caller: Caller,
  query: readonly (readonly [string, string])[] = [],
  asked: Asked = mild('lists'),
  tenantId = session.target.resources?.tenantId,
): Promise<Entry | undefined> {
  const headers = await asker.as(caller);
  if (!headers || tenantId === undefined) return undefined;
  return asker.ask({ ...listOf(tenantId, query), headers }, asked);
}

/** A text with every character percent-encoded, which is the same in a URL (RFC 3986, 6.2.2.2). */
export const percentEncoded = (id: string): string =>
  [...Buffer.from(id)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** The request of a list of API keys. */
export function listOf(
  tenantId: string,
  query: readonly (readonly [string, string])[],
): Pick<ClientRequest, 'method' | 'path'> {
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString().replaceAll('+', '%20');
  return { method: 'GET', path: `${apiKeysPath(tenantId)}${search ? `?${search}` : ''}` };
}

export async function scopesOf(
  { asker }: Run,
  caller: Caller,
  asked: Asked = mild('scopes'),
  more: Record<string, string> = {},
): Promise<Entry | undefined> {
  const path = await asker.findScopes();
  const own = path === undefined ? undefined : await asker.as(caller);
  const headers = { ...own, ...more };
  return path !== undefined && own ? asker.ask({ method: 'GET', path, headers }, asked) : undefined;
}

/** The disposable recordings that the target file names. */
export const recordingsOf = ({ session }: Run): readonly Session['recording'][] => [
  ...(session.target.resources?.recordingId === undefined ? [] : [session.recording]),
  ...(session.target.resources?.otherRecordingId === undefined ? [] : [session.otherRecording]),
];

/** An update of a disposable recording by a caller. */
export async function update(
  { asker }: Run,
  recording: Session['recording'],
  caller: Caller,
  body: JsonObject,
  asked: Asked,
  more: Partial<ClientRequest> = {},
): Promise<Entry | undefined> {
  const headers = await asker.as(caller);
  if (!headers) return undefined;
  const request = await asker.attempt('recording', () => recording.prepared(body, headers));
  if (!request) return undefined;
  const entry = await asker.ask({ ...request, ...more, headers: { ...headers, ...more.headers } }, asked);
  if (entry && isOk(entry)) recording.noteWritten(body);
  return entry;
}

/** The recording as an update answered it. */
export const recordIn = (entry: Entry | undefined): JsonObject | undefined => {
  const record = entry && isOk(entry) ? jsonIn(entry) : undefined;
  return isRecording(record) ? record : undefined;
};

/** Good requests after those of a phase: they look before they write. */
export async function control(run: Run, what: string): Promise<void> {
  const [recording] = recordingsOf(run);
  if (recording && run.session.config.allowWrites)
    await update(run, recording, 'admin.jwt', { summary: SUMMARY }, mild(`control after ${what}`));
  await list(run, 'admin.jwt', [], mild(`control after ${what}`));
}

/** The keys of the first whole list of the run. */
export function knownKeys({ asker, session }: Run): JsonObject[] {
  const { tenantId } = session.target.resources ?? {};
  const whole = asker.log.entries.find(
    (entry) => entry.operation === 'api-keys' && entry.query.length === 0 && isOk(entry) && entry.resource === tenantId,
  );
  return whole ? listedKeys(whole) : [];
}

export { SAMPLE_ID };
