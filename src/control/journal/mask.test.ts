import fc from 'fast-check';
import { expect, test } from 'vitest';
import { echoedSecrets, shownSecrets, shows } from '../../../contract-tests/testing/secret-places.ts';
import { createPortableMock } from '../../doors/portable.ts';
import { masked, maskedText } from './mask.ts';

test('2,000 secrets, wherever they are and however they are spelled: none is in the journal or the HAR', {
  timeout: 300_000,
}, async () => {
  const mock = await createPortableMock({ routes: [{ routes: [{ method: 'POST', path: '/v1/files', body: {} }] }] });
  for (const placed of fc.sample(fc.oneof(shownSecrets, echoedSecrets), { numRuns: 2000, seed: 21 })) {
    await mock.fetch(`${mock.baseUrl}/_mock/journal`, { method: 'DELETE' });
    for (const { url = '', requestHeaders, responseHeaders, requestBody, responseBody } of placed.exchanges) {
      const { search } = new URL(url || '/', mock.baseUrl);
      // A client may send what a service answers.
      const body = String(requestBody?.length ? requestBody : responseBody);
      const sent = Object.entries({ ...requestHeaders, ...responseHeaders });
      const headers = Object.fromEntries(sent.map(([name, value]) => [name, encodeURI(value)]));
      await mock.fetch(`${mock.baseUrl}/v1/files${search}`, { method: 'POST', body, headers });
    }
    // The newest entry of a page comes first: its echo of an older one's secret is not known yet.
    for (const path of placed.exchanges.length > 1 ? ['journal/har'] : ['journal', 'journal/har']) {
      const text = await (await mock.fetch(`${mock.baseUrl}/_mock/${path}`)).text();
      expect({ ...placed, path, shows: shows(text, placed.secret) }).toMatchObject({ shows: [] });
    }
  }
});

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
