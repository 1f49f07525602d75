import { expect, test } from 'vitest';
import { partsOfPat } from '../api/token-forms.ts';
import { encode } from '../testing/fixtures.ts';
import { isJwt } from '../values/jwt.ts';
import { sameId, sameInstant } from './fields.ts';

test.each([
  ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00.000Z', true],
  ['2024-05-01T10:00:00,5Z', '2024-05-01T10:00:00.500+00:00', true],
  ['2024-05-01T10:00:00.123456Z', '2024-05-01T12:00:00.123456+0200', true],
  ['2024-05-01T10:00:00.123456Z', '2024-05-01T10:00:00.123000Z', true],
  ['2024-05-01T10:00:00.999999Z', '2024-05-01T10:00:01.000Z', true],
  ['2024-05-01T08:00:00-02', '2024-05-01T10:00Z', true],
  ['2024-05-01T10:00:00Z', '2024-05-01T10:00:01Z', false],
  ['2024-05-01T10:00:00.123Z', '2024-05-01T10:00:00.124Z', false],
  ['2024-05-01T10:00:00Z', 'today', false],
  ['2024-05-01T10:00:00Z', undefined, false],
])('that %s is %s: %s', (a, b, isSame) => expect([sameInstant(a, b), sameInstant(b, a)]).toEqual([isSame, isSame]));

test('the letter case of a UUID says nothing, that of any other id does', () => {
  expect(sameId('7D0D4A52-5F2C-4B1E-9C1D-0E6F8A3B2C4D', '7d0d4a52-5f2c-4b1e-9c1d-0e6f8a3b2c4d')).toBe(true);
  expect(sameId('rec_aB', 'rec_Ab')).toBe(false);
  expect(sameId(7, '7')).toBe(false);
});

test.each([
  ['signed', `${encode({ alg: 'HS256' })}.${encode({ sub: '1' })}.c2lnbmF0dXJl`, true],
  ['encrypted', `${encode({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a2V5.aXY.dGV4dA.dGFn`, true],
  ['encrypted with a shared key', `${encode({ alg: 'dir', enc: 'A256GCM' })}..aXY.dGV4dA.dGFn`, true],
  ['five parts of a header without enc', `${encode({ alg: 'dir' })}.a2V5.aXY.dGV4dA.dGFn`, false],
])('isJwt: %s', (_, token, expected) => expect(isJwt(token)).toBe(expected));

test.each([
  ['echo_live_42.s3c.ret_x', { head: 'echo_live_42.', secret: 's3c.ret_x' }],
  ['v1.echo.live_42.s3c_r.et', { head: 'v1.echo.live_42.', secret: 's3c_r.et' }],
  ['_42.s3cret', undefined],
  ['echo_.s3cret', undefined],
  ['echo 1_42.s3cret', undefined],
])('the parts of a PAT, %s: %j', (pat, parts) => expect(partsOfPat(pat)).toEqual(parts));
