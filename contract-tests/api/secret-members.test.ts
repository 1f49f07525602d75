import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../values/json.ts';
import { secretIn } from './secret-members.ts';

const KEY = 'sk-live-0123456789abcdef';
const AWS = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const HEX = '9f86d081884c7d659a2feaa0c55ad015';

describe('secretIn', () => {
  test.each<[string, JsonObject]>([
    ['secret', { secret: 'hunter2' }],
    ['password', { config: { password: 'hunter2' } }],
    ['api_key', { config: { auth: { api_key: KEY } } }],
    ['name', { name: KEY }],
    ['description', { description: `Use ${KEY} for it` }],
    ['hf_', { note: 'hf_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH' }],
    ['short', { note: 'sk-a1b2c3d4e5f6' }],
    ['Google', { note: 'AIzaSyA-1234567890abcdefghijklmnopqrs' }],
    ['key', { key: HEX }],
    ['value', { value: 'Ab3dEf6hIj9lMn2pQr5t' }],
    ['secret_access_key', { secret_access_key: AWS }],
    ['auth_token', { auth_token: HEX }],
    ['api_key_secret', { api_key_secret: HEX }],
    ['decrypted', { decrypted: HEX }],
    ['secrets', { secrets: [HEX] }],
    ['Authorization', { config: { headers: { Authorization: `Bearer ${HEX}` } } }],
    ['secret_plaintext', { secret_plaintext: HEX }],
    ['a number', { secret: 839201774512 }],
    ['a number in a list', { password: [839201774512] }],
    ['a number that is a member', { secret: { '0': KEY } }],
    ['tokens', { tokens: [HEX] }],
    ['keys of providers', { provider_keys: { '1': HEX } }],
    ['a value below secret', { secret: { value: 'hunter2' } }],
    ['bytes', { secret: [...Buffer.from('hunter2 hunter2')] }],
    ['bytes that are not text', { private_key: [...Buffer.from('00ff9e81aa34e6c5', 'hex')] }],
    ['bytes of a known key', { data: [...Buffer.from(KEY)] }],
    ['a Buffer', { secret: JSON.parse(JSON.stringify(Buffer.from(HEX, 'hex'))) }],
    ['with xxxx', { secret: 'sk-live-a1b2xxxxc3d4e5f60718' }],
    ['with xxxx in the middle', { api_key: 'a1b2c3d4e5f6xxxx0718a1b2c3d4e5f6' }],
    ['a hint that is all of it', { key_hint: KEY }],
    ['a hint without a known start', { hint: `…${HEX}` }],
    ['masked but for a few', { masked_key: `**${KEY.slice(2)}${HEX}` }],
    ['a preview of most of it', { keyPreview: `sk-…${HEX.slice(8)}` }],
    ['masked for the most part, the rest readable', { secret: `${'*'.repeat(64)}${HEX}` }],
    ['base64', { blob: Buffer.from(KEY).toString('base64') }],
    ['base64 in a header', { config: { header: `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}` } }],
    ['base64url without padding', { data: Buffer.from(`${KEY}~~~`).toString('base64url') }],
    ['an id', { id: `sk-live-${HEX}a1b2c3d4` }],
    ['an id of Google', { id: 'AIzaSyA-1234567890abcdefghijklmnopqrstu' }],
    ['a prefix that is all of it', { key_prefix: `sk-live-${HEX}a1b2c3d4` }],
  ])('%s holds a secret', (_, key) => {
    expect(secretIn({ id: 'k1', ...key })).toBeDefined();
  });

  test.each<[JsonObject]>([
    [{ name: 'api-key-production-0' }],
    [{ name: 'hf_inference_production' }],
    [{ created_by: 'api-gateway-service' }],
    [{ tags: ['api-production-eu'] }],
    [{ description: 'The key-rotation-service uses this' }],
    [{ key: 'openai-production0' }],
    [{ key: 'OpenaiProductionKey2024' }],
    [{ key: '550e8400-e29b-41d4-a716-446655440000' }],
    [{ credential: 'vault:kv/openai/prod' }],
    [{ secret: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/openai-AbCdEf' }],
    [{ secret: 'projects/123456/secrets/openai/versions/1' }],
    [{ has_secret: 'yes', secret_rotated_at: '2024-05-01T10:00:00Z', secret_hint: 'wxyz', secretHint: 'wxyz' }],
    [{ secret_id: HEX, secret_ref: HEX, secret_name: 'openai-prod', secret_arn: HEX, secret_hash: HEX }],
    [{ fingerprint: HEX, key_fingerprint: HEX, last4: 'wxyz', prefix: 'sk-live-a1b2', key_prefix: 'sk-live-a1b2' }],
    [{ secret: '********wxyz' }],
    [{ secret: 'sk-live-…wxyz' }],
    [{ secret: 'sk-live-****wxyz' }],
    [{ secret: 'sk-live-xxxxxxxxwxyz' }],
    [{ secret: '[REDACTED]' }],
    [{ secret: 'none' }],
    [{ secret: 0 }],
    [{ secret_version: 20260301, secret_length: 1000000, secret_rotated_at: 1772000000000 }],
    [{ value: 839201774512, key: 839201774512, tokens: 839201774512, id: 839201774512 }],
    [{ secret: { version: 20260301, text: 'kept in the vault', masked: '****wxyz', type: 'opaque' } }],
    [{ histogram: [1, 2, 3, 4, 5, 6, 7, 8, 9], value: [10, 20, 30, 40, 50, 60, 70, 80, 90] }],
    [{ tokens: ['read', 'write'], keys: ['openai-production'], secrets: ['OPENAI_API_KEY', 'prod/openai'] }],
    [{ authorization: 'bearer' }],
    [{ secret_store: 'aws-secrets-manager', password_policy: 'rotate-every-90-days' }],
    [{ key_hint: 'sk-…wxyz', hint: 'ends in a1b2', secretHint: 'sk-live-a1b2…c3d4', hint_id: HEX }],
    [{ key_hint: `sha256:${HEX}`, hint: 'vault:kv/openai/9f86d081884c7d659a2f', masked_key_id: HEX }],
    [{ hint: '550e8400-e29b-41d4-a716-446655440000', hint_updated_at: '2024-05-01T10:00:00.000000Z' }],
    [
      {
        masked_key: 'sk-****************abcd',
        masked: 'xxxxxxxxxxxxxxxxxxxx1a2b',
        redacted: '000000000000000000001a2b',
      },
    ],
    [{ masked_key: 'sk-proj-AbC1…x9Yz', key_preview: 'AKIAIOSFODNN7EXAMPLE', preview: HEX, masked_fingerprint: HEX }],
    [{ hint: 'Used by transcription-service-production in eu-west-1 since 2024' }],
    [{ blob: Buffer.from('some text that is no key at all').toString('base64'), icon: `${HEX}${HEX}` }],
    [{ hash: Buffer.from(KEY).toString('base64'), digest: `sk-live-${HEX}a1b2c3d4` }],
    [{ id: 'sk_01HXYZ3ABCDEFGHJKMNPQRSTVW' }],
    [{ id: 'sk-550e8400-e29b-41d4-a716-446655440000', ref: 'sk_proj_550e8400-e29b-41d4-a716-446655440000'.slice(3) }],
    [{ id: `sk_${HEX}`, key_prefix: 'sk-proj-Ab12Cd34' }],
    [{ id: '9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015' }],
    [{ id: 'sk-0123456789abcdef', provider: 'openai', status: 'active' }],
  ])('%j holds none', (key) => {
    expect(secretIn({ id: 'k1', ...key })).toBeUndefined();
  });
});
