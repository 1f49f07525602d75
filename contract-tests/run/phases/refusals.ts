import { apiKeysPath } from '../../api/operations.ts';
import { GARBAGE_TOKENS, PLACES_OF_NO_TOKEN } from '../../api/token-forms.ts';
import { refreshTokenIn } from '../../api/tokens-in-answers.ts';
import type { Flaw, FlawKind, ProtectedId } from '../../log/entry.ts';
import { emptiedJwts, type ForgedToken, tamperedJwts, wrongSecretPats } from '../../plan/forged-tokens.ts';
import type { JsonObject } from '../../values/json.ts';
import type { ClientRequest } from '../../wire/exchange.ts';
import { look } from './look.ts';
import { control, isLong, isQuick, knownKeys, mild, type Run, recordingsOf, scopesOf, update } from './phase.ts';

/** A title that only one refused update sends, so that a written one identifies the update. */
const refusedTitle = (name: string): string => `written by a request that must be refused (${name})`;

interface Forged {
  kind: FlawKind;
  tokens: readonly ForgedToken[];
}

/** Bodies of types that the document rules out; each is sent with a title. */
const INVALID: readonly JsonObject[] = [
  { analysis: 'not an object' },
  { summary: ['not a text'] },
  // Where it is accepted, its title is the first after a refusal.
  { status: 'no such status' },
  { title: 12_345 },
  { title: null },
];

/** Bad credentials of every kind at every protected operation, each different from a good one in one thing; then good ones. */
export async function refusals(run: Run): Promise<void> {
  const { session } = run;
  if (session.config.allowWrites && recordingsOf(run).length > 0) await invalidUpdates(run);
  await forgeries(run, [...(await jwtForgeries(run)), ...(await patForgeries(run))]);
}

/** Updates that a target may refuse for their types, with a title: where it does, the title is not written. */
async function invalidUpdates(run: Run): Promise<void> {
  const [recording] = recordingsOf(run);
  if (!recording) return;
  for (const [at, invalid] of (isQuick(run) ? INVALID.slice(0, 1) : INVALID).entries()) {
    const body = { title: refusedTitle(`invalid ${at + 1}`), ...invalid };
    await update(run, recording, 'admin.jwt', body, { for: 'an update of wrong types', odd: ['type'] });
    // The first good update after a refused one is looked at by itself.
    if (at === 0) await look(run, recording);
  }
  await look(run, recording);
}

async function jwtForgeries({ asker, session }: Run): Promise<Forged[]> {
  const jwt = await asker.attempt('admin.jwt', () => session.signIn.accessToken('admin'));
  const sso = session.credentials('admin').sso
    ? await asker.attempt('admin.sso', () => session.signIn.sso('admin'))
    : undefined;
  const refresh = sso && refreshTokenIn(sso);
  const forged = async (make: (token: string, source: string) => ForgedToken[]): Promise<readonly ForgedToken[]> =>
    (jwt && (await asker.attempt('forgeries', async () => make(jwt.token, jwt.source)))) ?? [];
  return [
    { kind: 'no-credentials', tokens: [{ what: 'no Authorization header', token: '' }] },
    {
      kind: 'garbage',
      tokens: [
        ...GARBAGE_TOKENS.map((token) => ({ what: `the made-up token ${token}`, token })),
        ...PLACES_OF_NO_TOKEN.map((token) => ({ what: `"Bearer ${token}"`, token })),
      ],
    },
    ...(refresh && refresh !== jwt?.token
      ? [{ kind: 'refresh-token' as const, tokens: [{ what: 'the refresh token of the SSO login', token: refresh }] }]
      : []),
    { kind: 'tampered-jwt', tokens: await forged(tamperedJwts) },
    { kind: 'unsigned-jwt', tokens: await forged(emptiedJwts) },
  ];
}

async function patForgeries({ asker, session }: Run): Promise<Forged[]> {
  if (!(await asker.as('admin.pat'))) return [];
  const pat = await asker.attempt('admin.pat', () => session.pats.of('admin'));
  return pat ? [{ kind: 'pat-wrong-secret', tokens: wrongSecretPats(pat.token) }] : [];
}

/** Sends each kind to each operation: its tokens in turn, so that each token goes to one; with a large budget, all to all. */
async function forgeries(run: Run, all: readonly Forged[]): Promise<void> {
  const { asker, session } = run;
  const requests = await requestsOf(run);
  const operations = Object.keys(requests) as ProtectedId[];
  let number = 0;
  for (const [turn, { kind, tokens: made }] of all.entries()) {
    const tokens = made.filter(({ isRare }) => isLong(run) || !isRare);
    for (const [place, operation] of operations.entries()) {
      const inTurn = ({ isEverywhere }: ForgedToken, at: number): boolean =>
        isLong(run) || isEverywhere === true || tokens.length === 1 || (at + turn) % operations.length === place;
      const some = tokens.filter(inTurn);
      // Each operation gets one of each kind.
      const own = some.length > 0 ? some : tokens.slice(0, 1);
      for (const { what, token } of isQuick(run)
        ? own.slice(0, tokens.length === 1 || place === turn % operations.length ? 1 : 0)
        : own) {
        number += 1;
        const flaw: Flaw = { kind, what };
        const headers: Record<string, string> = kind === 'no-credentials' ? {} : { Authorization: `Bearer ${token}` };
        if (headers.Authorization !== undefined) session.forged.set(headers.Authorization, what);
        const request = await requests[operation]?.(refusedTitle(`${kind} ${number}`), headers);
        if (!request) continue;
        const asked = { for: 'bad credentials', odd: ['credentials'], flaw };
        await asker.ask(request, asked, true);
        // A list with filters may be answered by other code.
        if (kind === 'no-credentials' && operation === 'api-keys' && !isQuick(run))
          await asker.ask({ ...request, path: `${request.path}?${filters(run)}` }, asked, true);
      }
    }
  }
  await control(run, 'bad credentials');
  // A valid PAT right after the bad ones shows what they leave behind.
  if (!isQuick(run)) await scopesOf(run, 'admin.pat', mild('control after bad PATs'));
}

/** Filters that a key of the tenant matches. */
function filters(run: Run): string {
  const [{ provider = 'openai', status = 'active' } = {}] = knownKeys(run);
  return new URLSearchParams({ provider: String(provider), status: String(status) }).toString().replaceAll('+', '%20');
}

type Making = (title: string, headers: Record<string, string>) => Promise<ClientRequest | undefined>;

/** The requests of the operations that succeeded with good credentials: without that, a refusal shows nothing. */
async function requestsOf({ asker, session }: Run): Promise<Partial<Record<ProtectedId, Making>>> {
  const { tenantId, recordingId } = session.target.resources ?? {};
  const succeeded = (operation: ProtectedId): boolean =>
    asker.log.entries.some(
      (entry) => entry.operation === operation && entry.answer.response.status < 300 && !entry.credential.flaw,
    );
  const path = await asker.findScopes();
  const requests: Partial<Record<ProtectedId, Making>> = {};
  if (tenantId !== undefined && succeeded('api-keys'))
    requests['api-keys'] = async (_, headers) => ({ method: 'GET', path: apiKeysPath(tenantId), headers });
  if (path !== undefined && succeeded('scopes'))
    requests.scopes = async (_, headers) => ({ method: 'GET', path, headers });
  if (recordingId !== undefined && session.config.allowWrites && succeeded('recording'))
    requests.recording = (title, headers) =>
      asker.attempt('recording', () => session.recording.prepared({ title }, headers));
  return requests;
}
