import { PROTECTED, type ProtectedId } from '../api/operations.ts';
import { BASIC_CREDENTIALS, GARBAGE_TOKENS, PLACES_OF_NO_TOKEN } from '../api/token-forms.ts';
import { refreshTokenIn } from '../api/tokens-in-answers.ts';
import { type FlawKind, isOk } from '../log/entry.ts';
import type { Actor } from '../model.ts';
import {
  emptiedJwts,
  type ForgedToken,
  forgedIn,
  MOST_NAMING,
  tamperedJwts,
  wrongSecretPats,
} from '../plan/forged-tokens.ts';
import { SAMPLE_ANALYSIS } from '../session/disposable-recording.ts';
import { patIn } from '../session/pats.ts';
import { asText } from '../values/json.ts';
import type { Row, Run } from './steps.ts';

type Forged = Partial<Record<FlawKind, readonly ForgedToken[]>>;

/** The bad credentials of every kind, each different from a good one in one thing. */
async function forgedBy(run: Run): Promise<Forged> {
  const { session } = run;
  const jwt = await run.attempt('admin.jwt', () => session.signIn.accessToken('admin'));
  const sso = session.credentials('admin').sso && (await run.attempt('admin.sso', () => session.signIn.sso('admin')));
  const refresh = sso && refreshTokenIn(sso);
  const patOf = async (actor: Actor) =>
    (await run.as(`${actor}.pat`)) && run.attempt(`${actor}.pat`, () => session.pats.of(actor));
  const pat = await patOf('admin');
  const forged = async (make: (token: string, source: string) => ForgedToken[]): Promise<readonly ForgedToken[]> =>
    (jwt && (await run.attempt('forgeries', async () => make(jwt, session.signIn.sourceOf(jwt))))) || [];
  return {
    'no-credentials': [
      { what: NOTHING, token: '', asked: 'everywhere' },
      // A list with filters may be answered by other code, and an update of nothing before anybody looks at who sends it.
      { what: NOTHING, token: '', apart: 'api-keys', asked: 'everywhere' },
      // What guards paths by their beginning may not know this spelling, which the router does.
      { what: `${NOTHING}, at a percent-encoded path`, token: '', apart: 'encoded api-keys', asked: 'everywhere' },
      { what: NOTHING, token: '', apart: 'recording', asked: 'if spare' },
      // A target that takes an anonymous caller for some user lets it update only what that user may.
      { what: NOTHING, token: '', apart: 'second recording', asked: 'if spare' },
    ],
    garbage: forgedIn(
      [`the made-up token ${WORD}`, WORD, 'everywhere'],
      [`the made-up token ${LIKE_JWT}`, LIKE_JWT, 'if spare'],
      ...PLACES_OF_NO_TOKEN.map((token) => [`"Bearer ${token}"`, token, 'if spare'] as const),
      // Other code may look at them.
      ['Basic credentials', BASIC_CREDENTIALS],
    ),
    'refresh-token': refresh && refresh !== jwt ? [{ what: 'the refresh token of the SSO login', token: refresh }] : [],
    'tampered-jwt': await forged(tamperedJwts),
    'unsigned-jwt': await forged(emptiedJwts),
    'pat-wrong-secret': pat ? wrongSecretPats(pat, await patOf('member'), otherPatOf(run, pat)) : [],
  };
}

/** Another PAT that the run made of admin. */
function otherPatOf({ log }: Run, pat: string): string | undefined {
  const made = log.entries.filter(({ operation, credential }) => operation === 'pat' && credential.who === 'admin');
  return made.map(({ answer }) => patIn(answer)).find((other) => other !== undefined && other !== pat);
}

const [WORD, LIKE_JWT] = GARBAGE_TOKENS;
const NOTHING = 'no Authorization header';

/** What follows them: controls, which are repeated where one is refused. */
const CLOSING = 4;

interface Planned {
  kind: FlawKind;
  operation: ProtectedId;
  forged: ForgedToken;
  /** Those of 0 are sent in every run but a quick one, and the others in this order while requests are left. */
  rank: number;
}
const RANK_OF_ODD = 2;
const RANK_OF_SPARE = 3;

/**
 * Each kind for each protected operation: its tokens in turn, so that each token goes to one, and then those that each operation
 * may look at in another way; with a large budget, all go to all.
 */
function* planned(run: Run, operations: readonly ProtectedId[], forged: Forged): Generator<Planned> {
  for (const [turn, [kind, made = []]] of Object.entries(forged).entries()) {
    const tokens = made.filter(({ asked }) => run.isLong || asked !== 'rare');
    const isAlone = tokens.filter(({ apart }) => apart === undefined).length === 1;
    for (const [place, operation] of operations.entries()) {
      if (run.isQuick && !isAlone && place !== turn % operations.length) continue;
      /** How soon its turn comes, and -1 where no turn counts. */
      const distanceOf = (token: ForgedToken): number =>
        token.asked === 'everywhere' || isAlone
          ? -1
          : (tokens.indexOf(token) + turn + operations.length - place) % operations.length;
      const fit = tokens.filter(({ apart }) => apart === undefined || apart.endsWith(operation));
      const own = fit.toSorted((a, b) => distanceOf(a) - distanceOf(b));
      // More might lock the account that they name.
      for (const [at, token] of own.slice(0, isNaming(kind) ? MOST_NAMING / operations.length : own.length).entries()) {
        const isTurn = at === 0 || (token.apart === undefined ? distanceOf(token) <= 0 : token.asked === 'everywhere');
        if (run.isQuick ? at > 0 : !isTurn && !run.isLong && token.asked !== 'if spare') continue;
        const rank = at === 0 ? 0 : !isTurn ? RANK_OF_SPARE : token.asked === 'if spare' ? RANK_OF_ODD : 1;
        yield { kind: kind as FlawKind, operation, forged: token, rank };
      }
    }
  }
  // Who counts failures may let everybody through in the end.
  const last = run.isQuick ? undefined : operations.at(-1);
  const what = `${NOTHING}, after other bad credentials`;
  if (last) yield { kind: 'no-credentials', operation: last, forged: { what, token: '' }, rank: RANK_OF_SPARE };
}

/** Sends as many of them as the budget allows for, and where the phases before cost more than usual, one of each kind to each operation. */
export async function forgeries(run: Run): Promise<void> {
  const all = [...planned(run, operationsOf(run), await forgedBy(run))].filter((each) => !isSent(run, each));
  const room = run.spareIn(CLOSING);
  const ranked = all.toSorted((a, b) => a.rank - b.rank);
  const sent = new Set(ranked.filter(({ rank }, at) => rank === 0 || at < room));
  for (const { kind, operation, forged } of all.filter((each) => sent.has(each))) {
    const own: Record<string, string> = kind === 'no-credentials' ? {} : { Authorization: headerOf(forged.token) };
    const request = await run.requestBy(rowOf(run, operation, own, forged), 'nobody');
    const asked = { for: 'bad credentials', odd: ['credentials'], flaw: { kind, what: forged.what } };
    if (request) await run.ask(request, asked, true);
  }
}

/** Whether a question about a gap was the same request. */
const isSent = ({ log }: Run, { kind, operation, forged: { token, apart } }: Planned): boolean =>
  apart === undefined &&
  log.entries.some(
    ({ answer, credential, ...entry }) =>
      entry.operation === operation &&
      entry.query.length === 0 &&
      answer.request.body === undefined &&
      credential.flaw?.kind === kind &&
      answer.request.headers.Authorization === (token === '' ? undefined : headerOf(token)),
  );

const isNaming = (kind: string): boolean => kind !== 'no-credentials' && kind !== 'garbage';

const headerOf = (token: string): string => (token === BASIC_CREDENTIALS ? token : `Bearer ${token}`);

/** The operations that succeeded with good credentials: without that, a refusal shows nothing. */
function operationsOf(run: Run): ProtectedId[] {
  const accepted = run.log.entries.filter((entry) => isOk(entry) && !entry.credential.flaw);
  return PROTECTED.filter((operation) => accepted.some((each) => each.operation === operation));
}

function rowOf(run: Run, of: ProtectedId, own: Record<string, string>, { what, apart }: ForgedToken): Row {
  if (apart === 'encoded api-keys') return { of: 'api-keys', headers: own, isPathEncoded: true };
  if (of === 'api-keys' && apart) {
    const [{ provider = 'openai', status = 'active' } = {}] = run.knownKeys;
    const query = { provider: asText(provider), status: asText(status) };
    // A target that trusts addresses may accept requests from its network.
    return { of, query, headers: { 'X-Forwarded-For': '127.0.0.1', ...own } };
  }
  if (of !== 'recording') return { of, headers: own };
  // A title that only one refused update sends, so that a written one identifies the update.
  const title = `written by a request that must be refused (${what})`;
  const json = apart === 'recording' ? {} : apart ? { analysis: SAMPLE_ANALYSIS } : { title };
  // What looks at the media type before the credentials may take another one for an open path.
  const isOpen = own.Authorization === undefined;
  const headers = isOpen ? { 'Content-Type': 'application/json; charset=utf-8' } : own;
  return { of, json, headers, on: apart === 'second recording' ? 'second' : undefined };
}
