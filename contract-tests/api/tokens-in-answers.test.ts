import { describe, expect, test } from 'vitest';
import { answerOf, encode, jwtOf } from '../testing/fixtures.ts';
import { findJwts, findPats } from './tokens-in-answers.ts';

const jwt = (sub: string): string => jwtOf({ sub });
const JWE = `${encode({ alg: 'dir', enc: 'A256GCM' })}..aXY.dGV4dA.dGFn`;

describe('findJwts', () => {
  test('names the likeliest access token first, in any shape', () => {
    const [access, refresh, id] = [jwt('access'), jwt('refresh'), jwt('id')];
    expect(findJwts(answerOf({ id_token: id, data: { refresh: refresh, bearer: { accessToken: access } } }))[0]).toBe(
      access,
    );
  });

  test('finds encrypted ones, and those in headers', () => {
    expect(findJwts(answerOf({ session: JWE }))).toEqual([JWE]);
    expect(findJwts(answerOf({}, { headers: { 'set-cookie': `sid=${JWE}; Path=/` } }))).toEqual([JWE]);
    expect(findJwts(answerOf({ token: '0f8fad5bd9cb469fa16570867728950e' }))).toEqual([]);
  });
});

test.each<[unknown, string | undefined]>([
  [{ token: 'echo_42.s3cret' }, 'echo_42.s3cret'],
  [{ data: { name: 'meeting_1.wav', plainTextToken: 'echo_42.s3cret' } }, 'echo_42.s3cret'],
  [{ token_example: 'echo_0.0000', access: { personal: 'echo_42.s3cret' } }, 'echo_42.s3cret'],
  [{ token: 'echo_42.s3c***', made: 'echo_42.s3cret' }, 'echo_42.s3cret'],
  [{ id: 'row-7', token_id: '42', token_prefix: 'echo', secret: 's3cret' }, 'echo_42.s3cret'],
  [{ id: '42', prefix: 'echo', secret: 's3cret', name: 'n' }, 'echo_42.s3cret'],
  [{ token: '42.s3cret' }, undefined],
  [{ link: 'host.test/a_b.c' }, undefined],
  [{ id: '42', secret: 's3cret' }, undefined],
  [{ mail: 'first_last.name@host.test' }, undefined],
])('PATs in %j: %s', (body, pat) => expect(findPats(answerOf(body))[0]).toBe(pat));
