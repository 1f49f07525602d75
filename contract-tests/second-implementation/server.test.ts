/** Shows by a client of its own that every style conforms, and that the default style fills the gaps as documented. */
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { isObject } from './http.ts';
import {
  DEFECTS,
  type DefectId,
  type SecondImplementationOptions,
  STYLE_NAMES,
  startSecondImplementation,
} from './server.ts';
import { resolveStyle } from './styles.ts';
import { checkAuthentication, checkLogin, checkPat, checkScopes, checkSso } from './testing-access.ts';
import { Client, claimsOf, strings } from './testing-client.ts';
import { checkKeys, checkRecordings } from './testing-resources.ts';

/** Starts an implementation for the time that `use` takes. */
async function serving<T>(options: SecondImplementationOptions, use: (client: Client) => Promise<T>): Promise<T> {
  const service = await startSecondImplementation(options);
  try {
    return await use(new Client(service));
  } finally {
    await service.close();
  }
}

/** The requirements that a black-box client finds broken. */
async function findings(client: Client): Promise<string[]> {
  const { admin, member } = client.service.target.actors;
  const sso = admin.sso && (await checkSso(client));
  const login = admin.login ? await checkLogin(client) : admin.accessToken;
  const ssoWorks = sso !== undefined && (await client.scopes(sso)).ok;
  const pat = admin.pat ?? (await checkPat(client, ssoWorks ? sso : (login ?? sso)));
  await checkAuthentication(client, { ...(sso && { sso }), ...(login && { login }), ...(pat && { pat }) });
  const works = async (call: (token: string) => Promise<{ ok: boolean }>): Promise<string> => {
    for (const token of [sso, login, pat]) if (token !== undefined && (await call(token)).ok) return token;
    return sso ?? login ?? pat ?? '';
  };
  const updating = await works((token) => client.protectedCall('update', token));
  await checkRecordings(client, updating);
  await checkKeys(client, await works((token) => client.protectedCall('keys', token)));
  const memberSso = member?.sso && (await client.sso(member)).json;
  const memberToken = isObject(memberSso) ? memberSso.access_token : member?.pat;
  const ofMember = typeof memberToken === 'string' ? memberToken : undefined;
  await checkScopes(client, await works((token) => client.scopes(token)), ofMember);
  return [...client.findings].sort();
}

async function signIn(client: Client, who: 'admin' | 'member' = 'admin'): Promise<string> {
  const answer = await client.sso(client.service.target.actors[who] ?? {});
  return isObject(answer.json) ? String(answer.json.access_token) : '';
}

describe.concurrent('styles', () => {
  // This file's client keeps its first token, which a style with short sessions does not honour, sends bad ones, takes a
  // list for the whole one, and for one that stands still, and finds scopes in objects only.
  const tooSimpleFor = [
    'pair',
    'single-session',
    'short-lived',
    'guarded',
    'silent-pages',
    'shared-tenant',
    'restless-tenant',
  ];
  const styles = STYLE_NAMES.filter((style) => !tooSimpleFor.includes(style));
  it.each(styles)('%s conforms', { timeout: 30_000 }, async (style) => {
    expect(await serving({ style }, findings)).toEqual([]);
  });
});

describe.concurrent('this client is not blind: it finds a defect of each requirement that it looks at', () => {
  const firsts = new Map(DEFECTS.map((one) => [one.requirements[0] ?? '', one.id]).reverse() as [string, DefectId][]);
  it.each([...firsts])('%s: %s', async (requirement, id) => {
    expect(await serving({ defects: [id] }, findings)).toContain(requirement);
  });
});

it('each defect has an id of its own', () => {
  expect(new Set(DEFECTS.map(({ id }) => id)).size).toBe(DEFECTS.length);
});

describe('the default style', () => {
  it('answers refusals in its own way', () =>
    serving({}, async (client) => {
      const token = await signIn(client);
      const statuses = {
        missing: (await client.scopes(undefined)).status,
        invalid: (await client.scopes('x')).status,
        forbidden: (await client.keys(await signIn(client, 'member'))).status,
        unknownField: (await client.update({ title: 'x', colour: 'red' }, token)).status,
        empty: (await client.update({}, token)).status,
        array: (await client.update([], token)).status,
        wrongType: (await client.update({ title: null }, token)).status,
        malformed: (await client.update(undefined, token, { text: '{' })).status,
        mediaType: (await client.update({ title: 'x' }, token, { headers: { 'Content-Type': 'text/plain' } })).status,
        tooLarge: (await client.update({ summary: 'x'.repeat(2_000_000) }, token)).status,
        prototype: (await client.update(undefined, token, { text: '{"__proto__":{"admin":true}}' })).status,
        unknownRecording: (await client.ask('PATCH', '/v1/echo/recordings/0', { token, body: { title: 'x' } })).status,
        escape: (await client.ask('PATCH', '/v1/echo/recordings/%zz', { token, body: { title: 'x' } })).status,
        method: (await client.ask('DELETE', '/v1/auth/sso')).status,
        path: (await client.ask('GET', '/_mock/target')).status,
      };
      expect(statuses).toEqual({
        missing: 403,
        invalid: 401,
        forbidden: 403,
        unknownField: 422,
        empty: 422,
        array: 422,
        wrongType: 422,
        malformed: 400,
        mediaType: 415,
        tooLarge: 413,
        prototype: 422,
        unknownRecording: 403,
        escape: 403,
        method: 405,
        path: 404,
      });
      expect((await client.scopes(undefined)).json).toEqual({ detail: expect.any(String) });
    }));

  it('fills the other gaps in its own way', () =>
    serving({}, async (client) => {
      const { target } = client.service;
      expect(target.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
      expect((await client.sso(target.actors.admin)).status).toBe(201);
      const token = await signIn(client);
      expect((await client.keys(token, { provider: 'nobody' })).json).toEqual([]);
      expect((await client.keys(token, {}, 'nowhere')).json).toEqual([]);
      expect((await client.scopes(token)).json).toMatchObject({ data: expect.any(Array), administrator: true });
      const created = await client.createPat(token);
      expect(strings(created.json).map(([, text]) => text)).toContainEqual(expect.stringMatching(/^echo_\d+\.[\w-]+$/));
      const login = await client.ask('POST', '/v1/auth/login', { body: target.actors.admin.login });
      expect(login.json).toMatchObject({ accessToken: expect.any(String), expiresIn: 900 });
      const { refreshToken } = isObject(login.json) ? login.json : {};
      const refresh = (): ReturnType<Client['ask']> =>
        client.ask('POST', '/v1/auth/token/refresh', { body: { refreshToken } });
      const renewed = await refresh();
      expect((await client.scopes(isObject(renewed.json) ? String(renewed.json.accessToken) : '')).ok).toBe(true);
      expect((await refresh()).status).toBe(401);
      const stranger = { sso: { oid: 'o', tid: 't', upn: 'new.one@example.org' } };
      expect((await client.sso(stranger)).json).toMatchObject({ user: { email: 'new.one@example.org' } });
      const record = (await client.update({ title: 'x' }, token)).json;
      expect(record).toMatchObject({
        updated_at: expect.stringMatching(/\.\d{6}\+02:00$/),
        revision: expect.any(Number),
      });
      const orders = await Promise.all([1, 2, 3, 4].map(async () => (await client.keys(token)).text));
      expect(new Set(orders).size).toBeGreaterThan(1);
    }));
});

describe('options', () => {
  it('takes single answers over the default style, and another base path', () =>
    serving({ style: { jwtTimes: 'none', lifetimeSeconds: 1 }, basePath: '/elsewhere' }, async (client) => {
      const token = await signIn(client);
      expect(client.service.baseUrl).toMatch(/\/elsewhere$/);
      expect(claimsOf(token)).not.toHaveProperty('exp');
      const status = async () => (await client.scopes(token)).status;
      await expect.poll(status, { timeout: 60_000 }).toBe(401);
    }));

  it('answers bursts with 429 when rate-limited', () =>
    serving({ style: { ...resolveStyle('rate-limited'), burst: 2 } }, async ({ service }) => {
      const answers = await Promise.all(Array.from({ length: 60 }, () => fetch(`${service.baseUrl}/v1/x`)));
      const limited = answers.filter(({ status }) => status === 429);
      expect(limited.length).toBeGreaterThan(0);
      expect(limited[0]?.headers.get('retry-after')).toBe('1');
    }));

  it('describes itself by a target file that survives YAML', () =>
    serving({}, async ({ service: { baseUrl, target } }) => {
      expect(parse(stringify(target))).toEqual(target);
      expect(target).toEqual({
        baseUrl,
        actors: {
          admin: {
            sso: { oid: expect.any(String), tid: expect.any(String), upn: expect.any(String) },
            login: { username: expect.any(String), password: expect.any(String) },
          },
          member: { sso: expect.any(Object), login: expect.any(Object) },
        },
        resources: {
          recordingId: expect.stringMatching(/^0\d+$/),
          tenantId: expect.stringMatching(/^0\d+$/),
          otherTenantId: expect.stringMatching(/^0\d+$/),
        },
      });
    }));

  it('refuses what it does not know', async () => {
    await expect(startSecondImplementation({ style: 'nice' as 'default' })).rejects.toThrow('unknown style nice');
    await expect(startSecondImplementation({ defects: ['none' as 'general-text-plain'] })).rejects.toThrow(
      'unknown defect none',
    );
  });
});
