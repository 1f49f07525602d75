import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../values/json.ts';
import { secretsIn } from './secret-members.ts';

const KEY = 'sk-live-0123456789abcdef';
const AWS = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const HEX = '9f86d081884c7d659a2feaa0c55ad015';

describe('secretsIn', () => {
  test.each<[string, JsonObject]>([
    ['secret', { secret: 'hunter2' }],
    ['hf_', { note: 'hf_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH' }],
    ['short', { note: 'sk-a1b2c3d4e5f6' }],
    ['Google', { note: 'AIzaSyA-1234567890abcdefghijklmnopqrs' }],
    ['key', { key: HEX }],
    ['value', { value: 'Ab3dEf6hIj9lMn2pQr5t' }],
    ['secret_access_key', { secret_access_key: AWS }],
    ['auth_token', { auth_token: HEX }],
    ['decrypted', { decrypted: HEX }],
    ['secrets', { secrets: [HEX] }],
    ['Authorization', { config: { headers: { Authorization: `Bearer ${HEX}` } } }],
    ['a number in a list', { password: [839201774512] }],
    ['keys of providers', { provider_keys: { '1': HEX } }],
    ['a value below secret', { secret: { value: 'hunter2' } }],
    ['bytes that are not text', { private_key: [...Buffer.from('00ff9e81aa34e6c5', 'hex')] }],
    ['an invented key', { api_key: 'sk-secret-openai-001' }],
    ['with xxxx in the middle', { api_key: 'a1b2c3d4e5f6xxxx0718a1b2c3d4e5f6' }],
    ['masked but for a few', { masked_key: `**${KEY.slice(2)}${HEX}` }],
    ['a preview of most of it', { keyPreview: `sk-…${HEX.slice(8)}` }],
    ['masked for the most part, the rest readable', { secret: `${'*'.repeat(64)}${HEX}` }],
    ['base64 in a header', { config: { header: `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}` } }],
    ['base64url without padding', { data: Buffer.from(`${KEY}~~~`).toString('base64url') }],
    ['an id of Google', { id: 'AIzaSyA-1234567890abcdefghijklmnopqrstu' }],
  ])('%s holds a secret', (_, key) => expect(secretsIn({ id: 'k1', ...key })).not.toEqual([]));

  test.each<[JsonObject]>([
    [{ name: 'hf_inference_production' }],
    [{ key: 'OpenaiProductionKey2024' }],
    [{ key: '550e8400-e29b-41d4-a716-446655440000' }],
    [{ secret: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/openai-AbCdEf' }],
    [{ secret: 'projects/123456/secrets/openai/versions/1' }],
    [{ has_secret: 'yes', secret_rotated_at: '2024-05-01T10:00:00Z', secret_hint: 'wxyz', secretHint: 'wxyz' }],
    [{ secret_id: HEX, secret_ref: HEX, secret_name: 'openai-prod', secret_arn: HEX, secret_hash: HEX }],
    [{ secret: 'sk-live-…wxyz' }],
    [{ secret: '[REDACTED]' }],
    [{ secret: 'none' }],
    [{ secret: 0 }],
    [{ secret: { version: 20260301, text: 'kept in the vault', masked: '****wxyz', type: 'opaque' } }],
    [{ histogram: [1, 2, 3, 4, 5, 6, 7, 8, 9], value: [10, 20, 30, 40, 50, 60, 70, 80, 90] }],
    [{ tokens: ['read', 'write'], keys: ['openai-production'], secrets: ['OPENAI_API_KEY', 'prod/openai'] }],
    [{ key_hint: `sha256:${HEX}`, hint: 'vault:kv/openai/9f86d081884c7d659a2f', masked_key_id: HEX }],
    [
      {
        masked_key: 'sk-****************abcd',
        masked: 'xxxxxxxxxxxxxxxxxxxx1a2b',
        redacted: '000000000000000000001a2b',
      },
    ],
    [{ masked_key: 'sk-proj-AbC1…x9Yz', key_preview: 'AKIAIOSFODNN7EXAMPLE', preview: HEX, masked_fingerprint: HEX }],
    [{ hash: Buffer.from(KEY).toString('base64'), digest: `sk-live-${HEX}a1b2c3d4` }],
    [{ api_key: 'sk-…wxyz', key: 'sk-openai', value: 'openai-production-001' }],
    [{ id: `sk_${HEX}`, key_prefix: 'sk-proj-Ab12Cd34' }],
  ])('%j holds none', (key) => expect(secretsIn({ id: 'k1', ...key })).toEqual([]));
});
