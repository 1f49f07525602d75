import fc from 'fast-check';
import { expect, test } from 'vitest';
import { portableJwt } from '../core/jwt.ts';
import { nodeJwt } from './jwt.ts';

const iat = fc.oneof(fc.constant(0), fc.nat());
const claims = fc.record({ sub: fc.string(), jti: fc.string(), iat, exp: fc.nat() });
const key = fc.string({ minLength: 32, maxLength: 80 });
const others = fc.constantFrom('none', 'nOnE', 'HS512', 'RS256');

test('jsonwebtoken and the portable codec verify each other, and sign identically', () => {
  fc.assert(
    fc.property(claims, key, (payload, secret) => {
      const [byNode, portable] = [nodeJwt.sign(payload, secret), portableJwt.sign(payload, secret)];
      expect(portable).toBe(byNode);
      expect(portableJwt.verify(byNode, secret)).toEqual(payload);
      expect(nodeJwt.verify(portable, secret)).toEqual(payload);
    }),
  );
});

test('both refuse another key, an altered token, another algorithm and alg none', () => {
  fc.assert(
    fc.property(claims, key, fc.nat(), others, (payload, secret, at, alg) => {
      const token = portableJwt.sign(payload, secret);
      const [, body = '', signature = ''] = token.split('.');
      const place = at % (token.length - signature.length - 1);
      const changed = `${token.slice(0, place)}${token[place] === 'A' ? 'B' : 'A'}${token.slice(place + 1)}`;
      const header = Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url');
      const forgeries = [changed, `${header}.${body}.`, `${header}.${body}.${signature}`, body, '', 'a.b.c'];
      for (const codec of [nodeJwt, portableJwt]) {
        for (const forged of forgeries) expect(codec.verify(forged, secret)).toBeUndefined();
        expect(codec.verify(token, `${secret}x`)).toBeUndefined();
      }
    }),
  );
});
