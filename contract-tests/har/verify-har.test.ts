import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type DefectId, type Style, startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { recordApp } from '../../src/testing/app-traffic.ts';
import { readRunInput } from '../commands/run-input.ts';
import { TokensSeen } from '../log/tokens.ts';
import { harOf } from '../testing/har-of.ts';
import { violatedIn } from '../testing/judge.ts';
import { verifyHar } from './recorded.ts';

/** Judges what an app that uses a second implementation sees of it. */
async function judged(defects: DefectId[] = [], limits: Partial<Style> = {}) {
  // As most services do, so that an app that sends a whole record is shown what becomes of it.
  const style: Partial<Style> = {
    unknownFields: 'ignore',
    titlesIn: 'utf-8',
    targetAdmin: ['sso', 'login'],
    ...limits,
  };
  const server = await startSecondImplementation({ style, defects });
  const recorded = await recordApp(server).finally(() => server.close());
  const input = readRunInput({ allowUntested: ['all'] });
  const target = { baseUrl: server.baseUrl, actors: structuredClone(server.target.actors) };
  const given = { name: 'known', answers: { 'scopes-path': server.style.scopesPath } };
  return { report: await verifyHar(recorded.file, { ...input, target, given }), ...recorded };
}

/** Of a server without defects. */
const ordinary = judged();

test('what an app shows of a server without defects conforms; what it does not show is untested', async () => {
  const { report, text } = await ordinary;
  expect(violatedIn(report.checks)).toEqual([]);
  expect(report).toMatchObject({ verdict: 'conforms', exitCode: 0 });
  const untested = report.requirements.filter(({ outcome }) => outcome === 'untested').map(({ id }) => id);
  expect(untested).toEqual(['REC-30', 'REC-32', 'REC-33', 'REC-34', 'REC-36', 'REC-38', 'REC-41', 'AUT-12']);
  for (const secret of ['"password":"pw-', 'frida.admin-password']) expect(text).not.toContain(secret);
});

test('nothing verified is no conformity, whatever may stay untested', async () => {
  const { file } = await harOf([{ responseBody: Buffer.from('{"up":true}') }]);
  const report = await verifyHar(file, readRunInput({ allowUntested: ['all'] }));
  expect(report.summary.pass).toBeGreaterThan(0);
  expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 4 });
});

test('limits of texts are not shown: what is longer or shorter than usual may be refused', async () => {
  const { report } = await judged([], { titleMaxLength: 50, summaryMinLength: 5, unknownKb: 422 });
  expect(violatedIn(report.checks)).toEqual([]);
});

const MASKS = ['[masked]', '***', 'REDACTED', '<token>', '[Filtered]', 'xxxxxxxx', '…'];
test.each(MASKS)('a sanitiser that writes %s for every token leaves nothing to find', async (mask) => {
  const { file, text } = await ordinary;
  const masked = text
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, mask)
    .replace(/("refresh_token\\":\\")[^\\]+/g, `$1${mask}`);
  const maskedFile = `${file}.${encodeURIComponent(mask)}`;
  writeFileSync(maskedFile, masked);
  const report = await verifyHar(maskedFile, readRunInput({ allowUntested: ['all'] }));
  expect(violatedIn(report.checks)).toEqual([]);
  expect(report.checks.find(({ id }) => id === 'sso-access-token-jwt')?.outcome).toBe('untested');
});

/** Of each kind of traffic a defect, and what the recording is found to violate: that rules judge it as they judge a run is for live-run.test.ts. */
const SHOWN: [DefectId, string][] = [
  ['sso-created-at-of-sign-in', 'SSO-17'],
  ['token-wrong-pat-writes', 'AUT-11'],
  ['recording-owner-missing-for-pats', 'REC-18'],
  ['keys-provider-ignored-for-pats', 'KEY-11'],
  ['token-refresh-accepted', 'AUT-04'],
  ['pat-no-scopes', 'SCO-02'],
  ['keys-made-when-listed', 'KEY-07'],
];

test.concurrent.each(SHOWN)('%s violates %s by the recording alone', async (defect, requirement) => {
  const { report } = await judged([defect]);
  expect(violatedIn(report.checks)).toContain(requirement);
  expect(report).toMatchObject({ verdict: 'violates', exitCode: 1 });
  for (const { message } of report.checks.filter(({ outcome }) => outcome === 'violation'))
    expect(message).toMatch(/(Entry|Entries) \d+ \(\d{4}-\d\d-\d\dT/);
});

test('a path that is not well encoded is not that of a recording', async () => {
  const baseUrl = 'https://platform.example.test';
  const url = `${baseUrl}/assets/some-long-name-of-a-picture/100%.png`;
  const { file } = await harOf([{ method: 'GET', url, responseBody: Buffer.from('{}') }]);
  const target = { baseUrl, reads: { recording: { path: '/v1/recordings/{id}' } } };
  const report = await verifyHar(file, { ...readRunInput({ allowUntested: ['all'] }), target });
  expect(violatedIn(report.checks)).toEqual([]);
});

test.each([
  ['xxxxx.yyyyy.zzzzz', 'masked'],
  ['undefined', 'garbage'],
  ['not-a-token', 'garbage'],
  // Words that base64 holds by chance.
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.0mAsk4OmIt7ReMOv9', 'jwt'],
])('%s is taken for %s', (token, kind) => expect(new TokensSeen().kindOf(token)).toBe(kind));
