import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMock } from './index.ts';
import { TestMock } from './testing/client.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'state-')), 'state.json');

test('what was changed, and tokens, outlive a restart', async () => {
  const stateFile = newFile();
  const first = await TestMock.start({ stateFile });
  const token = await first.token();
  await first.update({ title: 'kept' });
  const pat = (await first.call('POST /v1/api-tokens', { token, json: { name: 'x' } })).body as { token: string };
  await first[Symbol.asyncDispose]();

  await using second = await TestMock.start({ stateFile });
  const seen = await second.call('PATCH /v1/echo/recordings/rec_kickoff', { token: pat.token, json: {} });
  expect(seen.body).toMatchObject({ title: 'kept' });
  expect((await second.call('GET /v1/api-tokens/scopes', { token })).status).toBe(200);
  expect(readFileSync(stateFile, 'utf8')).not.toContain(pat.token.split('.')[1]);
  expect(readdirSync(join(stateFile, '..'))).toEqual(['state.json']);
});

test.each(['', '{', '[]', '{"schemaVersion":99}', '{"schemaVersion":1,"seed":1}'])(
  'a broken file (%j) is refused and left as it is',
  async (text) => {
    const stateFile = newFile();
    writeFileSync(stateFile, text);
    await expect(createMock({ stateFile })).rejects.toThrow('the file was left as it is');
    expect(readFileSync(stateFile, 'utf8')).toBe(text);
  },
);

test('a file of another seed is refused', async () => {
  const stateFile = newFile();
  (await createMock({ stateFile, seed: 1 })).save();
  await expect(createMock({ stateFile, seed: 2 })).rejects.toThrow('the state belongs to seed 1, not to 2');
});

test('a place that cannot be written is told at the start', async () => {
  await expect(createMock({ stateFile: '/no/such/folder/state.json' })).rejects.toThrow('the state cannot be saved');
});
