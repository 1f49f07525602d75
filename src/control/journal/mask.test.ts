import { expect, test } from 'vitest';
import { masked, maskedText } from './mask.ts';

test('JSON stays JSON where its prose names a token, and where a string in it holds JSON', () => {
  const prose = { detail: 'Send a token in the header Authorization: Bearer <token>.', code: 'missing_credentials' };
  expect(JSON.parse(maskedText(JSON.stringify(prose)))).toEqual(prose);
  const pat = { api_token: { id: '90fb2cf309b6eff519d1bc686075eecd', name: 'nightly' }, count: 1 };
  const [inside = '', around] = JSON.parse(maskedText(JSON.stringify([JSON.stringify(pat), prose])));
  expect([JSON.parse(inside), around]).toEqual([{ api_token: { id: masked, name: 'nightly' }, count: 1 }, prose]);
});

// With backtracking, most of them would take minutes.
test('the time of masking is linear in the length of any text', { timeout: 120_000 }, () => {
  const length = 1_000_000;
  const repeated = ['eyJ-', 'eyJ.', 'a_', 'a-b_', '.', '-', 'a_bcdefghi.'];
  const quoted = ['"secret', '"key" ', '"key":', '\\"', '"a":"'];
  for (const part of [...repeated, ...quoted])
    expect(maskedText(part.repeat(length / part.length)).length).toBeLessThan(2 * length);
});
