import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  type SecondImplementation,
  type Style,
  type StyleName,
  startSecondImplementation,
} from '../../fixtures/servers/second/server.ts';
import { targetOf } from '../../src/control/target.ts';
import { type RunningMock, startMock } from '../../src/index.ts';
import { compareReports } from '../compare/compare.ts';
import { TransportError } from '../errors.ts';
import { Secrets } from '../secrets/secrets.ts';
import { loadGivenAnswers } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { passOn, withFiles, withServer } from '../testing/fixtures.ts';
import { learn, learnAt, verify } from '../testing/judge.ts';
import { withoutWaiting } from '../wire/time.ts';
import { keepServed, type Learned, learnedFrom } from './learn.ts';
import { profileText } from './learned-profile.ts';

/** Learns without waiting: the time passes at the deployment, too. */
const learnSecond = ({ target, pass }: SecondImplementation) => withoutWaiting(pass, () => learnAt(target));

const KEY_STATUSES = ['in use', 'no longer in use & locked', 'außer Betrieb (100%)'];
const PROVIDERS = ['mistral', 'aleph_alpha', 'qwen-max', 'llama3', 'cohere', 'voxtral', 'searx'];

/** Members beyond those of the document, by the types of their values. */
const EXTRA_FIELDS = {
  TokenGrant: { scope: 'string', session_state: 'string' },
  User: { locale: 'string', avatar: 'null', tenant: { id: 'string' } },
  Recording: { duration_seconds: 'number', revision: 'number', folder: 'null', _links: { self: { href: 'string' } } },
  TenantApiKey: {
    has_secret: 'boolean',
    secret_rotated_at: 'date-time',
    secret_version: 'number',
    secret_length: 'number',
    key_hint: 'string',
    usage: ['number'],
    tokens: 'number',
  },
};

/** What single fields of a style say. */
const impliedBy = ({ statuses, ...style }: Style): Record<string, unknown> => ({
  'sso-required-claims': style.ssoRequired,
  'refresh-path': style.refreshPath,
  'access-token-lifetime': style.lifetimeSeconds,
  'pat-prefix': style.patPrefix,
  'scopes-path': style.scopesPath,
  'empty-update': style.emptyUpdate,
  'unknown-field': style.unknownFields,
  'wrong-type': style.wrongTypes,
  'unknown-recording-status': statuses.unknownRecording,
  'missing-credentials-status': statuses.missingCredentials,
  'invalid-credentials-status': statuses.invalidCredentials,
  'forbidden-status': statuses.forbidden,
  'validation-status': statuses.validation,
  'malformed-json-status': statuses.malformed,
  'media-type-status': statuses.mediaType,
  'method-status': statuses.method,
  'unknown-path-status': statuses.unknownPath,
});

/** What else the styles of the second implementation answer, read off their definition by hand: each answer at one of them. */
const EXPECTED: Partial<Record<StyleName, Record<string, unknown>>> = {
  default: {
    'sso-unknown-identity': 'provision',
    'login-request': 'username-password',
    'foreign-tenant': 'visible',
    'success-codes': { ssoLogin: 201, createApiToken: 200 },
    'timestamp-form': { digits: 6, offset: '+02:00' },
    'login-response': {
      template: {
        accessToken: '${accessToken}',
        refreshToken: '${refreshToken}',
        tokenType: 'Bearer',
        expiresIn: '${expiresIn}',
      },
    },
    'refresh-request': 'camel-body',
    'pat-create-request': 'name-and-scopes',
    'scope-values': ['recordings:write', 'tokens:create', 'keys:list', 'users:invite'],
    'provider-values': PROVIDERS,
    'key-status-values': KEY_STATUSES,
    'unknown-provider-filter': 'empty',
    'admin-access': 'administrators',
    'unknown-tenant': 'empty',
    'error-body': 'detail',
    'extra-fields': EXTRA_FIELDS,
  },
  'problem-details': {
    'pat-create-request': 'name',
    'scopes-response': 'names',
    'foreign-recording': 'administrators',
    'unknown-provider-filter': 'refuse',
    'error-body': {
      template: { type: 'about:blank', title: '${summary}', status: '${status}', detail: '${message}' },
      mediaType: 'application/problem+json',
    },
    'success-codes': 'creation-201',
    'timestamp-form': 'z-millis',
  },
  strict: {
    'sso-unknown-identity': 'refuse',
    'unknown-tenant': 'not-found',
    'foreign-tenant': 'forbidden',
  },
  lenient: {
    'login-request': { template: { email: '${email}', passphrase: '${password}' } },
    'refresh-response': 'tokens',
    'null-field': 'ignore',
    'admin-access': 'members',
    'error-body': { template: { error: { code: '${code}', message: '${message}', request: '${id}' } } },
  },
  'hidden-existence': {
    'foreign-recording': 'administrators-else-hide',
    'foreign-tenant': 'not-found',
  },
  fastify: { 'error-body': 'message' },
  hono: {
    'login-request': { template: { identifier: '${username}', password: '${password}' } },
    'error-body': { template: { message: '${message}' } },
  },
};

/** What these styles do that none of the ledger's answers says, or that contradicts itself, or that nothing shows. */
const UNDETERMINED: Partial<Record<StyleName, string[]>> = {
  default: ['error-codes'],
  // The update is validated before the credentials are looked at, the list's filter after. No PAT can be made.
  strict: ['error-precedence', 'pat-prefix'],
  lenient: ['wrong-type', 'forbidden-status'],
  'hidden-existence': ['missing-credentials-status', 'invalid-credentials-status', 'refresh-path'],
};

/** Verifies a target and the mock that serves the learned profile, and gives how the two differ. */
async function differencesOf({ target, pass }: SecondImplementation, learned: Learned) {
  return withFiles({ 'target.yaml': target, 'learned.yaml': profileText(learned) }, async (path) => {
    const profile = path('learned.yaml');
    expect(loadGivenAnswers(profile)).toEqual({ name: 'learned', answers: learned.answers });
    const report = await withoutWaiting(pass, () =>
      verify({ target: path('target.yaml'), profile, allowWrites: true }),
    );
    expect(report.gaps.filter(({ outcome }) => outcome === 'differs')).toEqual([]);
    const matching = report.gaps.filter(({ outcome }) => outcome === 'match').map(({ id }) => id);
    const unasked = report.gaps.filter(({ reason }) => reason?.endsWith('only `learn` asks that')).map(({ id }) => id);
    const asked = loadGaps().filter(({ id }) => id in learned.answers && !unasked.includes(id));
    expect(matching).toEqual(asked.map(({ id }) => id));
    await using mock = await startMock({ port: 0, profile });
    expect(await keepServed(learned, mock.baseUrl)).toEqual(learned);
    const ofMock = await atMock(mock, () => verify({ baseUrl: mock.baseUrl }));
    return compareReports(report, ofMock).differences;
  });
}

describe.each(Object.entries(EXPECTED))('at the second implementation, style %s', (style, expected) => {
  test('learn finds its answers, verify matches them, and the mock that serves them behaves so', async () => {
    await using server = await startSecondImplementation({ style: style as StyleName });
    const learned = await learnSecond(server);
    const open = (UNDETERMINED[style as StyleName] ?? []).map((gap) => [gap, undefined]);
    const wanted = Object.entries({ ...impliedBy(server.style), ...expected, ...Object.fromEntries(open) });
    const seen = wanted.map(([gap]) => [gap, inOrder(learned.answers[gap])]);
    expect(seen).toEqual(wanted.map(([gap, value]) => [gap, inOrder(value)]));
    expect(await differencesOf(server, learned)).toEqual([]);
  });
});

const inOrder = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : value);

const atMock = <T>({ world }: RunningMock, run: () => Promise<T>): Promise<T> =>
  withoutWaiting((milliseconds) => world.clock.advance(milliseconds), run);

describe('what cannot be determined is not reported', () => {
  test('a redirect on a documented path is named with its location, and followed where the target file wants it', async () => {
    await using mock = await startMock({ port: 0 });
    const slash: RequestListener = (incoming, response) => {
      const [, path = '', query = ''] = /^([^?]*)(.*)$/.exec(incoming.url ?? '') ?? [];
      if (path.endsWith('/api-keys')) response.writeHead(308, { location: `${path}/${query}` }).end();
      else passOn(incoming, response, mock.baseUrl, { url: path.replace(/\/$/, '') + query });
    };
    const { actors, resources } = targetOf(mock.world, mock.baseUrl);
    await withServer(slash, async (baseUrl) => {
      const statuses = async (more: object) =>
        (await learnAt({ baseUrl, actors, resources, ...more })).gaps.find(({ id }) => id === 'key-status-values');
      expect((await statuses({}))?.reason).toContain('308 to /v1/admin/tenants/ten_analytical/api-keys/');
      expect(await statuses({ followRedirects: true })).toMatchObject({ observed: expect.arrayContaining(['active']) });
    });
  });

  test('refused credentials are one cause, reported once, and it names the gaps that depend on it', async () => {
    await using mock = await startMock({ port: 0 });
    const admin = { sso: { oid: 'somebody-else', tid: 'nowhere', upn: 'stranger@example.test' } };
    const target = { baseUrl: mock.baseUrl, actors: { admin }, resources: { recordingId: 'r', tenantId: 't' } };
    const error = await learnAt(target).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TransportError);
    const { message } = error as Error;
    expect(message.split('the credentials of admin')).toHaveLength(2);
    expect(message).toContain('scopes-path, scopes-response, scope-values');
    expect(message).not.toContain('somebody-else');
  });

  test('without permission to write nothing is written, and the probes that would write say so', async () => {
    const sent: string[] = [];
    await using mock = await startMock({ port: 0, observe: ({ method, url }) => sent.push(`${method} ${url}`) });
    const { answers, gaps, leftovers } = await learn({ baseUrl: mock.baseUrl, allowWrites: false });
    expect(sent.filter((line) => /^(PATCH|PUT|DELETE)|^POST .*api-tokens$/.test(line))).toEqual([]);
    expect(leftovers).toEqual([]);
    const writing = loadGaps().filter(({ writes }) => writes);
    for (const { id } of writing) {
      expect(answers).not.toHaveProperty(id);
      expect(gaps.find((gap) => gap.id === id)?.reason).toContain('--allow-writes');
    }
    const others = gaps.filter(
      ({ id, outcome }) => outcome === 'undetermined' && !writing.some((gap) => gap.id === id),
    );
    expect(others.filter(({ id }) => loadGaps().find((gap) => gap.id === id)?.unobservable === undefined)).toEqual([]);
    expect(Object.keys(answers)).toEqual(
      loadGaps().flatMap(({ id, unobservable, writes }) => (unobservable || writes ? [] : [id])),
    );
  });

  test('a path that another operation has is not written into a profile', () => {
    const gap = { id: 'refresh-path', section: '5', question: '', assumed: '', outcome: 'differs' } as const;
    const learned = (observed: string) => learnedFrom('http://x', [{ ...gap, observed }], new Secrets({}));
    const reason = '/v1/api-tokens was observed, the path of another operation';
    expect(learned('/v1/api-tokens')).toMatchObject({ answers: {}, gaps: [{ outcome: 'undetermined', reason }] });
    expect(learned('/v1/auth/refresh').answers).toEqual({ 'refresh-path': '/v1/auth/refresh' });
  });
});

test('the profile shows its evidence, and no credential', async () => {
  await using server = await startSecondImplementation();
  const { admin, member } = server.target.actors;
  const text = profileText(await learnSecond(server));
  expect(text).toMatch(
    / {2}# {3}GET \/v1\/auth\/sso, no credentials -> 405 application\/json \(2 times\)\n( {2}# .*\n)* {2}method-status: 405\n/,
  );
  expect(text).toContain("  #   at least these: those of the target's API keys\n  key-status-values: ");
  expect(text).toMatch(/^# Not determined.*\n# {3}unconfirmed-sign-in: /m);
  for (const actor of [admin, member])
    for (const secret of [actor?.login?.password, actor?.sso?.oid]) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/eyJ|Bearer [^ ]/);
});
