// Answers to different gaps must get along: mixes drawn from a fixed seed serve every operation within their own spec.
import { en, Faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import { answersToTry, type GapAnswers, gapLedger } from './core/spec/gaps.ts';
import { TestMock } from './testing/client.ts';

const faker = new Faker({ locale: en, seed: 20_261_121 });
const draw = (): Partial<GapAnswers> =>
  Object.fromEntries(
    gapLedger()
      .gaps.filter(({ id }) => id !== 'body-size-limit')
      .map((gap) => [gap.id, faker.helpers.arrayElement(answersToTry(gap))]),
  );
const mixes = Array.from({ length: 15 }, (_, at) => ({ at, answers: draw() }));

test.each(mixes)('mix $at', async ({ answers }) => {
  await using mock = await TestMock.withoutPort({ profile: { answers } });
  const token = await mock.token();
  const statuses: number[] = [];
  const call = async (...args: Parameters<TestMock['call']>) => {
    const { status, basis } = await mock.call(...args);
    expect(basis).toMatch(/^(documented|assumed; gaps=[a-z,-]+)$/);
    statuses.push(status);
  };
  for (const user of ['usr_ada', 'usr_charles', 'usr_grace', 'usr_mary']) {
    const own = (await mock.sso(user)).body as { access_token?: string };
    for (const json of [
      { title: 'x' },
      {},
      { title: 7 },
      { summary: null },
      { analysis: { a: 1 } },
      { colour: 1 },
      [],
    ]) {
      await call('PATCH /v1/echo/recordings/rec_kickoff', { token: own.access_token, json });
    }
    for (const tenant of ['ten_analytical', 'ten_flowmatic', 'none']) {
      for (const query of ['', '?provider=x', '?limit=1&offset=1', '?limit=x', '?colour=1']) {
        await call(`GET /v1/admin/tenants/${tenant}/api-keys${query}`, { token: own.access_token });
      }
    }
    await call(`GET ${mock.world.answers.get('scopes-path')}`, { token: own.access_token });
  }
  await call('POST /v1/auth/sso', { json: { oid: 'o', tid: 't', upn: 'x@y.example' } });
  for (const json of [{ email: 'ada@analytical.example', username: 'ada', password: 'ada-password' }, {}, 1]) {
    await call('POST /v1/auth/login', { json });
  }
  for (const json of [{ name: 'x', scopes: ['a'] }, {}, undefined]) await call('POST /v1/api-tokens', { token, json });
  const refresh = ((await mock.sso()).body as { refresh_token: string }).refresh_token;
  const json = { refresh_token: refresh, refreshToken: refresh };
  await call(`POST ${mock.world.answers.get('refresh-path')}`, { token: refresh, json });
  await call('GET /v1/nothing');
  await call('PUT /v1/auth/sso', { raw: '{' });

  expect(mock.world.ownViolations).toBe(0);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(8);
});
