/** The two operations on resources: update of a recording, list of a tenant's API keys. */
import { authenticate } from './access.ts';
import {
  type App,
  type Call,
  isObject,
  type JsonObject,
  type Operation,
  Refusal,
  type Reply,
  readJson,
  refuse,
  reorder,
} from './http.ts';
import { type ApiKey, type Recording, timestamp } from './store.ts';

const STRINGS = ['title', 'kb_folder_id', 'kb_document_id', 'summary'] as const;
/** The folder and the document of the knowledge base. */
export const KNOWN_KB = { kbFolderId: 'folder-1', kbDocumentId: 'document-1' };
const READ_ONLY = [
  'id',
  'filename',
  'status',
  'method',
  'quality',
  'language',
  'diarization_enabled',
  'user_id',
  'created_at',
  'updated_at',
] as const;

function isWritable(name: string): boolean {
  return name === 'analysis' || STRINGS.some((field) => field === name);
}

/** The fields of a body to write; refuses what the style refuses. */
function checkUpdate(sent: JsonObject, app: App): JsonObject {
  const { style } = app;
  const extra = app.hooks.flatMap((hooks) => hooks.writable ?? []);
  const ignoresUnknown = style.unknownFields === 'ignore' || app.hooks.some((hooks) => hooks.ignoresUnknown);
  const taken: JsonObject = {};
  for (const [name, value] of Object.entries(sent)) {
    if (extra.includes(name)) {
      taken[name] = value;
    } else if (!isWritable(name)) {
      if (!ignoresUnknown) throw refuse(app, 'validation', `${name} is not a writable field`);
    } else if (name === 'analysis' ? isObject(value) : typeof value === 'string') {
      taken[name] = value;
    } else if (style.wrongTypes === 'refuse') {
      throw refuse(app, 'validation', `${name} must be ${name === 'analysis' ? 'an object' : 'a string'}`);
    }
  }
  if (typeof taken.title === 'string' && style.titlesIn === 'utf-8')
    taken.title = taken.title.replaceAll(/\p{Cs}/gu, '\ufffd');
  if (typeof taken.title === 'string' && style.titlesIn === 'postgresql' && /\p{Cs}|\0/u.test(taken.title)) {
    throw refuse(app, 'validation', 'title must be text that UTF-8 and PostgreSQL can hold');
  }
  if (typeof taken.title === 'string' && taken.title.length > style.titleMaxLength) {
    throw refuse(app, 'validation', `title must be at most ${style.titleMaxLength} characters long`);
  }
  if (typeof taken.summary === 'string' && taken.summary.length < style.summaryMinLength) {
    throw refuse(app, 'validation', `summary must be at least ${style.summaryMinLength} characters long`);
  }
  const links = [taken.kb_folder_id, taken.kb_document_id].filter((id) => id !== undefined);
  if (style.unknownKb !== 'accept' && !links.every((id) => Object.values(KNOWN_KB).includes(String(id)))) {
    throw new Refusal(style.unknownKb, 'not in the knowledge base');
  }
  if (isObject(taken.analysis) && style.analysisVersion && typeof taken.analysis.version !== 'number') {
    throw refuse(app, 'validation', 'analysis must have a version');
  }
  if (Object.keys(taken).length === 0 && style.emptyUpdate === 'refuse') {
    throw refuse(app, 'validation', 'nothing to update');
  }
  return taken;
}

/** Writes checked fields; undocumented ones only where a defect accepts them. */
function write(recording: Recording, taken: JsonObject, app: App): void {
  recording.updated_at = timestamp(app.tokens.now(), app.style);
  recording.revision += 1;
  for (const [name, value] of Object.entries(taken)) {
    if (name === 'title' && typeof value === 'string') {
      recording.title = app.hooks.reduce((title, hooks) => hooks.title?.(title) ?? title, value);
    } else if (READ_ONLY.some((field) => field === name)) {
      if (typeof value === typeof Reflect.get(recording, name)) Reflect.set(recording, name, value);
    } else {
      recording.kept[name] = value;
    }
  }
}

/** Moves the status on, as the service does once nobody has updated the recording for a while. */
function reprocess(recording: Recording, { style, tokens }: App): void {
  const left = tokens.now() - Date.parse(recording.updated_at);
  if (style.reprocessedAfterMs === 0 || left < style.reprocessedAfterMs) return;
  const statuses = ['completed', 'failed', 'pending', 'processing'];
  recording.status = statuses[(statuses.indexOf(recording.status) + 1) % statuses.length] ?? recording.status;
}

/** The recording as an answer shows it. */
function showRecording(recording: Recording, app: App): JsonObject {
  const { kept, revision, ...stored } = recording;
  const inOtherWords = new Date(stored.created_at).toISOString().replace('Z', '000+00:00');
  const documented = app.style.rewritesTimes && app.count % 2 === 0 ? { ...stored, created_at: inOtherWords } : stored;
  if (!app.style.extraFields) return documented;
  return { ...documented, revision, duration_seconds: 61.5, folder: null, _links: { self: { href: '…' } } };
}

/** PATCH /v1/echo/recordings/{recordingId} */
function updateRecording(call: Call): Reply {
  const { app } = call;
  if (app.style.validatesFirst) checkUpdate(readJson(call), app);
  const { user } = authenticate(call, 'recordings:write');
  const recording = app.store.recordings.get(call.param);
  if (!recording) throw refuse(app, 'unknownRecording', 'no such recording');
  if (recording.user_id !== user.id && !user.administrator) throw refuse(app, 'foreignRecording', 'not your recording');
  const sent = readJson(call);
  const taken = checkUpdate(sent, app);
  for (const hooks of app.hooks) hooks.checkUpdate?.(sent, call);
  if (Object.keys(taken).length === 0 && app.style.emptyUpdate === 'no-content') return { status: 204 };
  reprocess(recording, app);
  const previous = structuredClone(recording);
  write(recording, taken, app);
  for (const hooks of app.hooks) hooks.updated?.(recording, previous, sent, call);
  return { status: app.style.updateStatus, body: showRecording(recording, app) };
}

/** The API key as a list shows it: never with its secret, at most with the fact that there is one. */
function showKey(key: ApiKey, app: App): JsonObject {
  const { id, provider, name, status, created_at } = key;
  const shown = { id, provider, name, status, created_at };
  if (!app.style.extraFields) return shown;
  const secret = { has_secret: true, secret_rotated_at: created_at, secret_version: 20_260_301, secret_length: 48 };
  return {
    ...shown,
    ...secret,
    key_hint: `…${key.secret.slice(-4)}`,
    usage: [17, 23, 5, 0, 9, 44, 3, 8],
    tokens: 8_392_017,
  };
}

/** What another client does to the API keys of the tenant: replaces the first, or changes the status of the second. */
function changeConcurrently({ store }: App, times: number): void {
  const own = store.keys.filter((key) => key.tenantId === store.tenantId);
  const [first, second] = own;
  if (!first || !second) return;
  if (times % 2 === 0) {
    second.status = own.find((key) => key.status !== second.status)?.status ?? second.status;
  } else {
    store.keys = [...store.keys.filter((key) => key !== first), { ...first, id: `${first.id}-${times}` }];
  }
}

/** The keys of the tenant that the caller may see. */
function visibleKeys(call: Call): ApiKey[] {
  const { app } = call;
  const { user } = authenticate(call, 'keys:list');
  const { style, store } = app;
  if (!user.administrator && style.keyReaders === 'administrators')
    throw refuse(app, 'forbidden', 'administrators only');
  const known = call.param === store.tenantId || call.param === store.otherTenantId;
  let policy: number | string = 'visible';
  if (!known) policy = style.unknownTenant;
  else if (call.param !== user.tenantId) policy = style.otherTenant;
  if (typeof policy === 'number') throw new Refusal(policy, 'no such tenant');
  return policy === 'visible' ? store.keys.filter((key) => key.tenantId === call.param) : [];
}

/** GET /v1/admin/tenants/{id}/api-keys */
function listKeys(call: Call): Reply {
  const { app } = call;
  const { keysChangeEvery, pageSize } = app.style;
  app.listCount += 1;
  if (keysChangeEvery > 0 && app.listCount % keysChangeEvery === 0)
    changeConcurrently(app, app.listCount / keysChangeEvery);
  const visible = visibleKeys(call);
  const filters = { provider: call.query.get('provider'), status: call.query.get('status') };
  const { unknownProvider } = app.style;
  const providers = app.store.keys.map((key) => key.provider);
  if (filters.provider !== null && typeof unknownProvider === 'number' && !providers.includes(filters.provider)) {
    throw new Refusal(unknownProvider, 'no such provider');
  }
  let found = visible.filter(
    (key) =>
      (filters.provider === null || key.provider === filters.provider) &&
      (filters.status === null || key.status === filters.status),
  );
  for (const hooks of app.hooks) if (hooks.keys) found = hooks.keys(found, filters, call);
  const page = pageSize > 0 ? found.slice(0, pageSize) : found;
  return { status: 200, body: reorder(app, page).map((key) => showKey(key, app)) };
}

export const resourceOperations = {
  update: { method: 'PATCH', path: '/v1/echo/recordings/{id}', run: updateRecording },
  keys: { method: 'GET', path: '/v1/admin/tenants/{id}/api-keys', run: listKeys },
} satisfies Record<string, Operation>;
