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

/** What follows them: probes of gaps, titles put back. */
const CLOSING = 29;
/** What is sent at the least from here on: to each operation a token of each kind, those that all get and controls; and the rest. */
const RESERVED = 13 * PROTECTED.length + CLOSING;

/**
 * Sends each kind to each protected operation: its tokens in turn, so that each token goes to one. What is left of the budget
 * goes to those that each operation may look at in another way; with a large budget, all go to all.
 */
export async function forgeries(run: Run): Promise<void> {
  const operations = operationsOf(run);
  const send = async (kind: FlawKind, operation: ProtectedId, forged: ForgedToken): Promise<void> => {
    const { what, token } = forged;
    const own: Record<string, string> = kind === 'no-credentials' ? {} : { Authorization: headerOf(token) };
    const request = await run.requestBy(rowOf(run, operation, own, forged), 'nobody');
    const asked = { for: 'bad credentials', odd: ['credentials'], flaw: { kind, what } };
    if (request) await run.ask(request, asked, true);
  };
  let spare = run.spareIn(RESERVED);
  for (const [turn, [kind, made = []]] of Object.entries(await forgedBy(run)).entries()) {
    const tokens = made.filter(({ asked }) => run.isLong || asked !== 'rare');
    const isAlone = tokens.filter(({ apart }) => apart === undefined).length === 1;
    for (const [place, operation] of operations.entries()) {
      // 0 where it is its turn, and -1 where no turn counts: these come first, where not all may be sent.
      const distanceOf = (forged: ForgedToken): number =>
        forged.asked === 'everywhere'
          ? -1
          : (tokens.indexOf(forged) + turn + operations.length - place) % operations.length;
      const some = tokens.filter((forged) => {
        const { asked, apart } = forged;
        if (apart !== undefined && !apart.endsWith(operation)) return false;
        const isTurn = run.isLong || isAlone || distanceOf(forged) <= 0;
        if (asked === 'everywhere' || (apart === undefined && isTurn)) return true;
        if (asked !== 'if spare' || spare < 1) return false;
        spare -= 1;
        return true;
      });
      // Each operation gets one of each kind; in a quick run, one operation does.
      const own = some.length > 0 ? some : tokens.slice(0, 1);
      const isSent = isAlone || place === turn % operations.length;
      const most = isNaming(kind) ? MOST_NAMING / operations.length : own.length;
      const sent = own.toSorted((a, b) => distanceOf(a) - distanceOf(b)).slice(0, run.isQuick ? Number(isSent) : most);
      for (const forged of sent) await send(kind as FlawKind, operation, forged);
    }
  }
  // Who counts failures may let everybody through in the end.
  const last = run.isQuick || run.spareIn(CLOSING) <= 0 ? undefined : operations.at(-1);
  if (last) await send('no-credentials', last, { what: `${NOTHING}, after other bad credentials`, token: '' });
}

const isNaming = (kind: string): boolean => kind !== 'no-credentials' && kind !== 'garbage';

const headerOf = (token: string): string => (token === BASIC_CREDENTIALS ? token : `Bearer ${token}`);

/** The operations that succeeded with good credentials: without that, a refusal shows nothing. */
function operationsOf(run: Run): ProtectedId[] {
  const accepted = run.log.entries.filter((entry) => isOk(entry) && !entry.credential.flaw);
  return PROTECTED.filter((operation) => accepted.some((each) => each.operation === operation));
}

function rowOf(run: Run, of: ProtectedId, own: Record<string, string>, { what, apart }: ForgedToken): Row {
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
