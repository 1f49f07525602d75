import { describe, expect, test } from 'vitest';
import { answerOf } from '../testing/fixtures.ts';
import type { Answer } from '../wire/exchange.ts';
import { identityChanges, recordingChanges } from './kept-values.ts';

const answer = (sent: object, body: object): Answer => answerOf(body, { request: { body: JSON.stringify(sent) } });

describe('the user of an identity', () => {
  const USER = { id: 'u1', email: 'a@b.example', username: 'a', confirmed: false, created_at: '2026-02-03T04:05:06Z' };
  const changes = (...users: object[]): string[] =>
    identityChanges(users.map((user) => answer({ oid: 'o' }, { user: { ...USER, ...user } }))).map(({ actual }) =>
      Object.keys(actual as object).join(),
    );

  test('has one id and one created_at', () => {
    expect(changes({}, {})).toEqual([]);
    expect(changes({}, { id: 'u2' }, {})).toEqual(['id']);
    expect(changes({}, {}, { created_at: '2026-02-03T04:05:09Z' })).toEqual(['created_at']);
    expect(changes({ created_at: '2026-02-03T04:05:06.123Z' }, { created_at: '2026-02-03T04:05:06.789Z' })).toEqual([
      'created_at',
    ]);
  });

  test('may be confirmed, renamed and given another address meanwhile', () => {
    expect(changes({}, { confirmed: true, username: 'b', email: 'c@d.example' })).toEqual([]);
  });

  test('that the first sign-in made may have been stored to the second', () => {
    const made = { created_at: '2026-02-03T04:05:06.987654+00:00' };
    expect(changes(made, { created_at: '2026-02-03T04:05:07Z' }, { created_at: '2026-02-03T04:05:06Z' })).toEqual([]);
    expect(changes(made, { created_at: '2026-02-03T04:05:08Z' })).toEqual(['created_at']);
  });

  test('belongs to that identity alone', () => {
    const answers = [answer({ oid: 'o' }, { user: USER }), answer({ oid: 'p' }, { user: { ...USER, id: 'u2' } })];
    expect(identityChanges(answers)).toEqual([]);
  });

  test('is not compared where it is not a user, or lacks the field', () => {
    const broken = [{ user: null }, { user: { ...USER, id: 7 } }, { user: { ...USER, created_at: 'today' } }, []];
    expect(identityChanges([{ user: USER }, ...broken].map((body) => answer({ oid: 'o' }, body)))).toEqual([]);
  });
});

describe('the recording', () => {
  const RECORD = {
    id: 'r1',
    title: 't',
    filename: 'f.m4a',
    status: 'completed',
    method: 'upload',
    quality: 'high',
    language: 'de',
    diarization_enabled: true,
    user_id: 'u1',
    created_at: '2026-02-03T04:05:06.789Z',
    updated_at: '2026-02-03T04:05:06.789Z',
  };
  const changes = (...records: object[]): string[] =>
    recordingChanges(
      records.map((record) => answer({ summary: 's' }, { ...RECORD, ...record })),
      () => 'PATCH',
    ).map(({ actual }) => Object.keys(actual as object).join());

  test('keeps what no update may write', () => {
    expect(changes({}, { title: 'u', updated_at: '2026-02-04T00:00:00Z' })).toEqual([]);
    for (const [field, value] of Object.entries({
      id: 'r2',
      user_id: 'u2',
      created_at: '2026-02-03T04:05:07Z',
      filename: 'g.m4a',
      diarization_enabled: false,
      language: 'fr',
    })) {
      expect(changes({}, {}, { [field]: value })).toEqual([field]);
    }
  });

  test('may still be processed, and be processed again', () => {
    const found = { language: 'fr', quality: 'low', diarization_enabled: false, filename: 'g.m4a' };
    expect(changes({ status: 'processing' }, found)).toEqual([]);
    expect(changes({}, { status: 'pending', ...found })).toEqual([]);
    expect(changes({ status: 'failed' }, { status: 'failed', ...found })).toEqual([]);
    expect(changes({ status: 'processing' }, { status: 'processing', user_id: 'u2' })).toEqual(['user_id']);
  });

  test('may be written in other words', () => {
    expect(changes({}, { created_at: '2026-02-03T06:05:06.789000+02:00' })).toEqual([]);
  });

  test('is not compared where a field has another format: each answer is judged for that', () => {
    expect(changes({}, { filename: null }, {}, { created_at: 0 })).toEqual([]);
  });
});
