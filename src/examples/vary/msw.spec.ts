// Run by `platform-mock vary`: the mock behind MSW takes the answers to try from the environment.
import { setupServer } from 'msw/node';
import { createMswMock } from 'platform-mock/msw';
import { afterAll, expect, test } from 'vitest';
import { rename } from './app.ts';

const baseUrl = 'https://api.example.test';
const mock = await createMswMock(baseUrl);
const server = setupServer(...mock.handlers);
server.listen();
afterAll(() => server.close());
const { data } = await mock.control.POST('/tokens', { body: { user: 'usr_ada' } });

test('a recording is renamed', async () => {
  expect(await rename(baseUrl, data.token, 'rec_kickoff', 'Kick-off')).toBe('It is called Kick-off.');
});

test('an unknown recording is named', async () => {
  expect(await rename(baseUrl, data.token, 'rec_none', 'Kick-off')).toBe('There is no such recording.');
});

test('a title that is refused is explained', async () => {
  expect(await rename(baseUrl, data.token, 'rec_kickoff', 5)).toMatch(/^Sorry: .*title/);
});
