import { describe, expect, test } from 'vitest';
import { resolveStyle } from '../../fixtures/servers/second/styles.ts';
import { UsageError } from '../errors.ts';
import type { CheckResult, Report } from '../model.ts';
import type { Target } from '../session/target-file.ts';
import { judge, verifySecond, violatedIn } from '../testing/judge.ts';

const violated = ({ checks }: Report) => checks.filter(({ outcome }) => outcome === 'violation').map(({ id }) => id);

describe('a base URL that ends in /v1', () => {
  const withVersion = (target: Target): Target => ({ ...target, baseUrl: `${target.baseUrl}/v1/` });

  const STYLES = [{}, { targetAdmin: ['login'] }, { targetAdmin: ['pat'] }] as const;
  test.each(STYLES)('is a usage error where the API is without it: %j', async (style) => {
    const run = verifySecond({ style }, withVersion);
    await expect(run).rejects.toThrow(UsageError);
    await expect(run).rejects.toThrow(/^baseUrl \S+\/v1\/: .* Leave \/v1 out: http:\S+\/api$/);
  });

  test('is right where the API is below it', async () => {
    const report = await verifySecond({ style: { basePath: '/gateway/v1' } });
    expect(report.exitCode).toBe(0);
  });
});

test('the same person as admin and as member is a usage error that names the field', async () => {
  const run = verifySecond({}, ({ actors, ...target }) => ({
    ...target,
    actors: { ...actors, member: { ...actors?.member, ...(actors?.admin?.sso && { sso: actors.admin.sso }) } },
  }));
  await expect(run).rejects.toThrow(UsageError);
  await expect(run).rejects.toThrow(/target\.yaml: actors\.member\.sso is that of actors\.admin/);
});

test.each([
  ['swapped with a member', true, /look swapped/],
  ['who is not an administrator', false, /is not an administrator/],
])('an admin %s is a set-up error, which says so, and no violation', async (_what, isSwapped, said) => {
  const report = await verifySecond({}, ({ actors, ...target }) => {
    const { admin = {}, member = {} } = actors ?? {};
    return { ...target, actors: { admin: member, ...(isSwapped && { member: admin }) } };
  });
  expect(violated(report)).toEqual([]);
  const check = report.checks.find(({ id }) => id === 'scopes-administrator');
  expect(check).toMatchObject({ outcome: 'error', message: expect.stringMatching(said) });
});

describe('a resource that the target file names wrongly is no violation', () => {
  const style = { statuses: { ...resolveStyle().statuses, unknownRecording: 404 } };
  const resources = { recordingId: 'no-such-recording' };
  const resultOf = (checks: readonly CheckResult[], id: string) => checks.find((check) => check.id === id);

  test.each([
    ['recording', { style, resources }, 'path-recording'],
    ['tenant', { style: { unknownTenant: 404 }, resources: { tenantId: 'no-such-tenant' } }, 'keys-list'],
  ])('a %s that does not exist is a set-up error that names the field', async (thing, judging, id) => {
    const checks = await judge(judging);
    expect(violatedIn(checks)).toEqual([]);
    const message = expect.stringContaining(`resources.${thing}Id: the target has no ${thing} no-such-${thing}.`);
    expect(resultOf(checks, id)).toMatchObject({ outcome: 'error', message });
  });

  test.each([{}, resources])('a missing operation is one, for any target file: %j', async (wrong) => {
    const checks = await judge({ style, defects: ['recordings-gone'], resources: wrong });
    expect(resultOf(checks, 'path-recording')?.outcome).toBe('violation');
  });

  test('where nothing tells one from the other it is one, and the message names the field', async () => {
    const checks = await judge({ style: { ...style, errorShape: 'none' }, resources });
    const message = expect.stringContaining('resources.recordingId');
    expect(resultOf(checks, 'recording-update-summary')).toMatchObject({ outcome: 'violation', message });
  });
});
