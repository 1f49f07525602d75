import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ControlClient } from '../doors/control-client.ts';
import { keys, TestMock } from '../testing/client.ts';
import { removed } from './removed.ts';

const mock = await TestMock.withoutPort();

const edit = (control: ControlClient, record: string, body: Record<string, unknown>) =>
  control.PATCH('/state/{resource}/{record}', { params: { path: { resource: 'recordings', record } }, body });

describe('state', () => {
  test('is read in pages, searched, created, edited and deleted; the API returns it as edited', async () => {
    const { control, call, mint } = await mock.sandbox();
    const path = { resource: 'recordings' } as const;
    const page = await control.GET('/state/{resource}', { params: { path, query: { limit: 2, offset: 1 } } });
    expect(page.data).toMatchObject({ total: 24, items: [{ id: 'rec_interview' }, { id: 'rec_weekly' }] });
    const found = await control.GET('/state/{resource}', { params: { path, query: { q: 'COMPILER' } } });
    expect(found.data).toMatchObject({ total: 1, items: [{ id: 'rec_compiler' }] });

    const made = await control.POST('/state/{resource}', { params: { path }, body: { id: 'rec_new', title: 'New' } });
    expect(made.data).toMatchObject({ id: 'rec_new', title: 'New', status: 'pending', user_id: 'usr_ada' });
    const edited = { title: 'New', status: 'failed' };
    expect((await edit(control, 'rec_new', { status: 'failed' })).data).toMatchObject(edited);
    await control.DELETE('/state/{resource}/{record}', { params: { path: { ...path, record: 'rec_new' } } });
    expect((await control.GET('/info')).data.counts).toMatchObject({ recordings: 24, pats: 0 });

    await edit(control, 'rec_kickoff', { status: 'pending', created_at: '2026-02-03T00:00:00+01:00' });
    const seen = await call('PATCH /v1/echo/recordings/rec_kickoff', { token: await mint('usr_ada'), json: {} });
    expect(seen.body).toMatchObject({ status: 'pending', created_at: '2026-02-02T23:00:00.000Z' });
  });

  test.each([
    [{ status: 'done' }, 'status', /pending, processing, completed, failed/],
    [{ method: 'phone' }, 'method', /would violate the spec: must be one of upload, microphone, meeting/],
    [{ user_id: 'missing' }, 'user_id', /users has no record with the id/],
    [{ created_at: '2026-02-30T00:00:00Z' }, 'created_at', /date-time/],
    [{ updated_at: '9999-12-31T23:59:59-10:00' }, 'updated_at', /years 0 to 9999/],
    [{ title: null }, 'title', /is missing/],
    [{ title: 7, nope: 1 }, 'nope', /is unknown/],
    [{ id: 'other' }, 'id', /cannot be changed/],
    [{ analysis: 'text' }, 'analysis', /must be object/],
  ])('refuses %j and changes nothing', async (body, name, message) => {
    const { control } = await mock.sandbox();
    const params = { path: { resource: 'recordings', record: 'rec_kickoff' } as const };
    const before = await control.GET('/state/{resource}/{record}', { params });
    const detail = expect.objectContaining({ field: name, message: expect.stringMatching(message) });
    const error = { details: expect.arrayContaining([detail]) };
    const refused = { name: 'ControlRefusal', status: 400, error };
    await expect(edit(control, 'rec_kickoff', body)).rejects.toMatchObject(refused);
    expect((await control.GET('/state/{resource}/{record}', { params })).data).toEqual(before.data);
  });

  test('keeps identities unique, prevents dangling tenants, and hides the secret of a PAT', async () => {
    const { control, mint } = await mock.sandbox();
    const create = (body: Record<string, unknown>) =>
      control.POST('/state/{resource}', { params: { path: { resource: 'users' } }, body });
    await expect(create({ email: 'ADA@analytical.example' })).rejects.toThrow('email: is already used by usr_ada');
    await expect(create({ email: 'no address' })).rejects.toThrow('email');
    await expect(create({ id: 'usr_ada' })).rejects.toThrow('409');
    const tenant = { path: { resource: 'tenants', record: 'ten_analytical' } as const };
    await expect(control.DELETE('/state/{resource}/{record}', { params: tenant })).rejects.toThrow('3 users');
    await mint('usr_ada', { kind: 'pat' });
    const pats = await control.GET('/state/{resource}', { params: { path: { resource: 'pats' } } });
    expect(pats.data.total).toBe(1);
    expect(JSON.stringify(pats.data)).not.toContain('secret');
  });
});

describe('tokens', () => {
  test.each(['access', 'pat'] as const)('%s: valid ones are accepted, defective and revoked are not', async (kind) => {
    const { control, call, mint } = await mock.sandbox();
    const status = async (token: string) => (await call(keys, { token })).status;
    const token = await mint('usr_ada', { kind, lifetime: 60 });
    expect(await status(token)).toBe(200);
    for (const defect of ['expired', 'tampered', ...(kind === 'access' ? ['unsigned'] : [])])
      expect(await status(await mint('usr_ada', { kind, defect }))).toBe(401);
    await control.POST('/tokens/expire', { body: { token } });
    expect(await status(token)).toBe(401);
    const other = await mint('usr_ada', { kind, lifetime: 60 });
    await control.PATCH('/clock', { body: { seconds: 61 } });
    expect(await status(other)).toBe(401);
  });

  test('a refresh token can be revoked; unsigned PATs, and tokens of unknown users, cannot be requested', async () => {
    const { control, call, mint } = await mock.sandbox();
    await expect(mint('usr_ada', { kind: 'pat', defect: 'unsigned' })).rejects.toThrow('none, expired, tampered');
    await expect(mint('missing')).rejects.toThrow('usr_ada');
    const refresh = (token: string) => call('POST /v1/auth/refresh', { json: { refresh_token: token } });
    expect((await refresh(await mint('usr_ada', { kind: 'refresh' }))).status).toBe(200);
    const token = await mint('usr_ada', { kind: 'refresh' });
    const revoked = await control.POST('/tokens/expire', { body: { token } });
    expect(revoked.data).toEqual({ kind: 'refresh', user: 'usr_ada' });
    expect((await refresh(token)).status).toBe(401);
    await expect(control.POST('/tokens/expire', { body: { token: 'nothing' } })).rejects.toThrow('404');
  });
});

test('the clock is frozen, set, advanced and released; timestamps and limits follow; only set leads back', async () => {
  const { control, call, mint } = await mock.sandbox();
  const at = '2030-01-01T00:00:00.000Z';
  const change = async (body: object) => (await control.PATCH('/clock', { body })).data;
  expect(await change({ frozen: true, at })).toMatchObject({ time: at, frozen: true });
  const token = await mint('usr_ada');
  const seen = await call('PATCH /v1/echo/recordings/rec_kickoff', { token, json: {} });
  expect(seen.body).toMatchObject({ updated_at: at });
  expect((await change({ seconds: 1.5 })).time).toBe('2030-01-01T00:00:01.500Z');
  expect(await change({ frozen: false })).toMatchObject({ time: expect.stringMatching(/^2030/), frozen: false });
  expect((await change({ machine: true })).offsetMilliseconds).toBe(0);
  await expect(change({ seconds: -1 })).rejects.toThrow('must be >= 0');
  await change({ at: '1999-12-31T23:59:59Z' });
  expect((await control.GET('/info')).data.time).toMatch(/^1999/);
  await expect(change({ frozen: true, at: '1960-01-01T00:00:00Z' })).rejects.toThrow('from 1970 to 2999');
  await expect(change({ at: '2999-12-31T23:00:00Z', seconds: 3600 })).rejects.toThrow('beyond the year 2999');
  expect((await control.GET('/info')).data).toMatchObject({ time: expect.stringMatching(/^1999/), frozen: false });
});

describe('the profile', () => {
  test('is changed at run time; changed records are kept, in the new vocabularies', async () => {
    const { control, call, mint } = await mock.sandbox();
    await edit(control, 'rec_kickoff', { title: 'Kept', method: 'microphone' });
    const answers = { 'error-body': 'problem', 'method-values': ['by-phone', 'in-person'] } as const;
    const { data } = await control.PATCH('/profile', { body: { answers } });
    expect(data).toMatchObject({ name: 'default (changed)', differences: { 'error-body': 'problem' } });
    const gap = { id: 'error-body', isDefault: false, default: 'error-object' };
    expect(data.gaps).toContainEqual(expect.objectContaining(gap));
    const refused = await call(keys);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    const seen = await call('PATCH /v1/echo/recordings/rec_kickoff', { token: await mint('usr_ada'), json: {} });
    expect(seen).toMatchObject({ status: 200, body: { title: 'Kept', method: 'in-person' } });
    expect((await control.GET('/spec.json')).data).toMatchObject({ openapi: '3.1.0' });
    await control.PUT('/profile', { body: { profile: 'default' } });
    expect((await call(keys)).body).toHaveProperty('error.code');
  });

  test('is refused where it is unknown, naming what is allowed; files are not read', async () => {
    const { control, call } = await mock.sandbox();
    const refused = control.PATCH('/profile', { body: { answers: { 'error-body': 'x' } } });
    await expect(refused).rejects.toThrow('error-object, problem, detail');
    for (const profile of ['nope', 'package.json', './spec/gaps.yaml'])
      await expect(control.PUT('/profile', { body: { profile } })).rejects.toThrow('400');
    expect((await call(keys)).body).toHaveProperty('error.code');
  });
});

test('processing advances the status, marked as an assumption', async () => {
  const { control } = await mock.sandbox();
  const process = (body = {}) =>
    control.POST('/recordings/{record}/process', { params: { path: { record: 'rec_weekly' } }, body });
  await expect(process({ steps: 1, afterSeconds: 1 })).rejects.toThrow('cannot be combined with');
  const { data, response } = await process({ outcome: 'failed' });
  expect(data).toMatchObject({ path: ['pending', 'processing', 'failed'], recording: { status: 'failed' } });
  expect(response.headers.get('x-mock-basis')).toBe('assumed; gaps=status-transitions');
  await expect(process()).rejects.toThrow('which is final while the answer to status-transitions is forward');
  await control.PATCH('/profile', { body: { answers: { 'status-transitions': 'retry' } } });
  expect((await process()).data.path).toEqual(['failed', 'pending', 'processing', 'completed']);
});

const upgrading = readFileSync('docs/upgrading.md', 'utf8');
test.each(removed)(
  '$method $path is gone: the refusal names what does the same, and so does the guide',
  async (row) => {
    const { method, path, by } = row;
    const { status, body } = await mock.call(`${method} /_mock${path.replaceAll(/\{\w+\}/g, '7')}`);
    expect({ status, body }).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining(by) } } });
    expect(upgrading).toContain(`| \`${method} ${path}\` | ${by} |`);
  },
);
