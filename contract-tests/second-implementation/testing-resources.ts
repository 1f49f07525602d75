/** Looks for broken statements about recordings and API keys. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from './http.ts';
import { type Client, isDateTime, strings } from './testing-client.ts';

const SUMMARY = 'What this client writes.';
const WRITABLE: [requirement: string, body: JsonObject][] = [
  ['REC-01', { title: 'one' }],
  ['REC-02', { kb_folder_id: 'f' }],
  ['REC-03', { kb_document_id: 'd' }],
  ['REC-04', { summary: SUMMARY }],
  ['REC-05', { analysis: { key_topics: ['t'], action_items: [], version: 1 } }],
];
const READ_ONLY: [requirement: string, field: string, value: unknown][] = [
  ['REC-30', 'id', '777777'],
  ['REC-31', 'filename', 'other.wav'],
  ['REC-32', 'status', 'failed'],
  ['REC-32', 'status', 'pending'],
  ['REC-32', 'status', 'processing'],
  ['REC-33', 'method', 'other'],
  ['REC-34', 'quality', 'other'],
  ['REC-35', 'language', 'fr'],
  ['REC-36', 'diarization_enabled', false],
  ['REC-37', 'user_id', '777777'],
  ['REC-31', 'filename', 'other.m4a'],
  ['REC-35', 'language', null],
  ['REC-38', 'created_at', '2001-01-01T00:00:00Z'],
  ['REC-38', 'created_at', '2001-01-01T00:00:00.000000+02:00'],
  ['REC-39', 'updated_at', '2001-01-01T00:00:00Z'],
];
const TITLES = [
  ' padded\t',
  'two  spaces',
  'x'.repeat(200),
  '<b>bold</b> & "quoted"',
  'e\u0301 decomposed',
  '🎧 emoji',
  '',
  '50%25 a+b',
  'می\u200cخواهم',
  'broken\n',
  'y'.repeat(900),
  'true',
  '1e3',
  '=1+1',
  'constructor',
];
const STATUSES = ['pending', 'processing', 'completed', 'failed'];

function checkRecord(record: JsonObject, { findings, service }: Client): void {
  const string = (field: string): boolean => typeof record[field] === 'string';
  findings.expect(string('id'), 'REC-10');
  findings.expect(string('title'), 'REC-11');
  findings.expect(string('filename'), 'REC-12');
  findings.expect(STATUSES.includes(String(record.status)), 'REC-13');
  findings.expect(string('method'), 'REC-14');
  findings.expect(string('quality'), 'REC-15');
  findings.expect(string('language'), 'REC-16');
  findings.expect(typeof record.diarization_enabled === 'boolean', 'REC-17');
  findings.expect(string('user_id'), 'REC-18');
  findings.expect(isDateTime(record.created_at), 'REC-19');
  findings.expect(isDateTime(record.updated_at), 'REC-20');
  const addressed = service.target.resources.recordingId;
  if (string('id')) findings.expect(String(record.id).toLowerCase() === addressed.toLowerCase(), 'REC-21');
}

const KEPT = ['filename', 'method', 'quality', 'language', 'diarization_enabled', 'user_id'] as const;
const sameTime = (a: unknown, b: unknown): boolean => a === b || Date.parse(String(a)) === Date.parse(String(b));

export async function checkRecordings(client: Client, token: string): Promise<void> {
  const { findings } = client;
  for (const [requirement, body] of WRITABLE) findings.expect((await client.update(body, token)).ok, requirement);
  const all = Object.assign({}, ...WRITABLE.map(([, body]) => body)) as JsonObject;
  findings.expect((await client.update(all, token)).ok, 'REC-06');
  await checkSets(client, token, all);
  const plain = await client.update({ summary: SUMMARY }, token);
  if (!plain.ok) return checkRefusedForMediaType(client, token);
  const isRecord = isObject(plain.json) && ('filename' in plain.json || 'title' in plain.json);
  findings.expect(isRecord, 'REC-07');
  if (!isRecord || !isObject(plain.json)) return;
  checkRecord(plain.json, client);
  await checkTitles(client, token);
  const before = (await client.update({ title: 'kept' }, token)).json;
  const after = (await client.update({ summary: `${SUMMARY} Again.` }, token)).json;
  if (!isObject(before) || !isObject(after)) return;
  findings.expect(sameTime(before.created_at, after.created_at), 'REC-24');
  findings.expect(KEPT.every((field) => before[field] === after[field]) && before.title === after.title, 'REC-24');
  findings.expect(before.status === after.status, 'REC-40');
  if (Math.abs(Date.parse(String(after.created_at)) - Date.now()) < 60_000) {
    await sleep(1100);
    const later = (await client.update({ summary: `${SUMMARY} Later.` }, token)).json;
    findings.expect(!isObject(later) || sameTime(later.created_at, after.created_at), 'REC-24');
  }
  await checkReadOnly(client, token, after);
  await checkOwner(client, token, after);
  await checkRefused(client, token);
}

/** The sets of the writable fields, each of which is one more way to do an update. */
async function checkSets(client: Client, token: string, all: JsonObject): Promise<void> {
  const entries = Object.entries(all);
  for (let set = 1; set < 2 ** entries.length; set++) {
    const sent = Object.fromEntries(entries.filter((_, at) => set & (2 ** at)));
    const { ok, json } = await client.update(sent, token);
    client.findings.expect(ok || Object.keys(sent).length === 1, 'REC-06');
    if (!ok) continue;
    client.findings.expect(isObject(json) && 'filename' in json, 'REC-07');
    client.findings.expect(!isObject(json) || !('filename' in json) || 'language' in json, 'REC-16');
  }
}

async function checkRefusedForMediaType(client: Client, token: string): Promise<void> {
  const { baseUrl, target } = client.service;
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  const withCharset = await client.update({ summary: SUMMARY }, token, { headers });
  client.findings.expect(!withCharset.ok, 'GEN-02');
  const url = `${baseUrl}/v2/echo/recordings/${encodeURIComponent(target.resources.recordingId)}`;
  const path = url.slice(baseUrl.length);
  client.findings.expect(!(await client.ask('PATCH', path, { token, body: { summary: SUMMARY } })).ok, 'GEN-03');
}

const titleOf = (value: unknown): unknown => (isObject(value) ? value.title : undefined);

async function checkTitles(client: Client, token: string): Promise<void> {
  for (const title of TITLES) {
    const answer = await client.update({ title }, token);
    if (answer.ok) client.findings.expect(titleOf(answer.json) === title, 'REC-22');
  }
  const written = await client.update({ title: 'to be kept' }, token);
  const next = await client.update({ summary: SUMMARY }, token);
  if (written.ok && next.ok) client.findings.expect(titleOf(next.json) === 'to be kept', 'REC-23');
}

async function checkReadOnly(client: Client, token: string, before: JsonObject): Promise<void> {
  for (const [requirement, field, value] of READ_ONLY) {
    await client.update({ summary: SUMMARY, [field]: value }, token);
    const after = (await client.update({ summary: SUMMARY }, token)).json;
    if (field === 'created_at') {
      client.findings.expect(!isObject(after) || sameTime(after[field], before[field]), requirement);
    } else if (field !== 'updated_at') {
      client.findings.expect(!isObject(after) || after[field] === before[field], requirement);
    } else {
      const direct = (await client.update({ summary: SUMMARY, [field]: value }, token)).json;
      client.findings.expect(!isObject(direct) || direct[field] !== value, requirement);
    }
  }
}

/** Another user who exists may pass where a made-up one does not. */
async function checkOwner(client: Client, token: string, before: JsonObject): Promise<void> {
  const { member } = client.service.target.actors;
  const grant = member?.sso ? (await client.sso(member)).json : undefined;
  if (!isObject(grant) || !isObject(grant.user)) return;
  await client.update({ summary: SUMMARY, user_id: grant.user.id }, token);
  const after = (await client.update({ summary: SUMMARY }, token)).json;
  client.findings.expect(!isObject(after) || after.user_id === before.user_id, 'REC-37');
}

async function checkRefused(client: Client, token: string): Promise<void> {
  await client.update({ title: 'right' }, token);
  const refused = [
    await client.update({ title: 'wrong' }, undefined),
    await client.update({ title: 'wrong' }, 'garbage'),
    await client.update({ title: 'wrong', analysis: 'not an object' }, token),
  ];
  const after = titleOf((await client.update({ summary: SUMMARY }, token)).json);
  if (refused.every((one) => !one.ok)) client.findings.expect(after === 'right', 'AUT-11');
}

const ids = (list: unknown): string =>
  Array.isArray(list)
    ? list
        .map((one) => (isObject(one) ? String(one.id) : ''))
        .sort()
        .join()
    : 'none';

function checkKey(key: JsonObject, { findings }: Client): void {
  findings.expect(typeof key.id === 'string', 'KEY-03');
  findings.expect(typeof key.provider === 'string', 'KEY-04');
  findings.expect(typeof key.name === 'string', 'KEY-05');
  findings.expect(typeof key.status === 'string', 'KEY-06');
  findings.expect(isDateTime(key.created_at), 'KEY-07');
  const hasSecret = strings(key).some(
    ([name, text]) => /(sk-|c2st|\*)\w*(live|bGl2|saXZl)[-\w]{20}/.test(text) || /^tokens?$/.test(name),
  );
  findings.expect(!hasSecret && !('secret' in key) && !('password' in key), 'KEY-08');
  if (typeof key.provider === 'string') findings.expect(key.provider === key.provider.toLowerCase(), 'KEY-09');
}

export async function checkKeys(client: Client, token: string): Promise<void> {
  const { findings, service } = client;
  const answer = await client.keys(token);
  findings.expect(answer.ok, 'KEY-01');
  if (!answer.ok) return;
  findings.expect(Array.isArray(answer.json), 'KEY-02');
  if (!Array.isArray(answer.json)) return;
  const list = answer.json.filter(isObject);
  for (const key of list) checkKey(key, client);
  findings.expect(new Set(list.map((key) => key.provider)).size <= 7, 'KEY-10');
  findings.expect(new Set(list.map((key) => key.id)).size === list.length || list[0]?.id === undefined, 'KEY-18');
  for (const [field, nothingElse, all] of [
    ['provider', 'KEY-11', 'KEY-12'],
    ['status', 'KEY-13', 'KEY-14'],
  ] as const) {
    const values = new Set(list.map((key) => key[field]).filter((value) => typeof value === 'string'));
    for (const value of values) {
      const found = (await client.keys(token, { [field]: value })).json;
      const items = Array.isArray(found) ? found.filter(isObject) : undefined;
      findings.expect(items?.every((key) => key[field] === value) ?? true, nothingElse);
      const expected = ids(list.filter((key) => key[field] === value));
      const matching = items?.filter((key) => key[field] === value);
      findings.expect((matching?.length ?? 0) >= expected.split(',').length, all);
      findings.expect((matching?.length ?? 0) <= expected.split(',').length, 'KEY-16');
    }
  }
  const [first] = list;
  if (typeof first?.provider === 'string' && typeof first.status === 'string') {
    const { provider, status } = first;
    const both = (await client.keys(token, { provider, status })).json;
    const other = (await client.keys(token, { status, provider })).json;
    const expected = list.filter((key) => key.provider === provider && key.status === status);
    findings.expect(ids(both) === ids(expected) && ids(other) === ids(expected), 'KEY-15');
  }
  const { otherTenantId } = service.target.resources;
  const other = otherTenantId === undefined ? undefined : (await client.keys(token, {}, otherTenantId)).json;
  if (!Array.isArray(other) || first?.id === undefined) return;
  const nameOf = (key: unknown): string => (isObject(key) ? `${key.id} ${key.name}` : '');
  const seen = new Set(list.map(nameOf));
  findings.expect(!other.some((key) => seen.has(nameOf(key))), 'KEY-17');
}
