import { NO_TENANT, OPERATIONS, SAMPLE_ID, SSO_PATH } from '../api/operations.ts';
import { GARBAGE_TOKENS } from '../api/token-forms.ts';
import { CheckFailure } from '../failure.ts';
import type { Session } from '../session/session.ts';
import type { Answer } from '../values/answer.ts';
import { isObject, parseJson } from '../values/json.ts';
import { WriteNotAllowed } from '../wire/write-guard.ts';
import { Undetermined } from './probe.ts';
import {
  invalidUpdate,
  isRefusedAsInvalid,
  keysAs,
  memberAtAdminArea,
  NO_SUCH_VALUE,
  sendClaims,
  sendText,
  unknownRecording,
} from './requests.ts';

/** Claims of a type that the document rules out. */
const WRONG_CLAIMS = { oid: 12345, tid: 12345, upn: 12345 };
/** An unknown path: its last segment is an identifier. */
const UNKNOWN_PATH = `/v1/${SAMPLE_ID}`;

const CLAIMS = Object.keys(WRONG_CLAIMS);

/** What the run knows of SSO with fewer claims than are shown, refused as invalid. */
function refusedWithoutClaims(session: Session): Answer | undefined {
  return session.recall(({ request, response }) => {
    const claims = parseJson(request.body ?? '');
    return (
      request.url.endsWith(SSO_PATH) &&
      isRefusedAsInvalid({ response }) &&
      isObject(claims) &&
      CLAIMS.some((claim) => !(claim in claims))
    );
  });
}

/** SSO with claims of the wrong type; where the first answer is enough, that to fewer claims than are shown is as good. */
export async function invalidClaims(session: Session): Promise<Answer> {
  const seen = session.isFirstEnough ? refusedWithoutClaims(session) : undefined;
  return seen ?? sendClaims(session, WRONG_CLAIMS);
}

/** GET of an unknown path, with credentials where there are some, so that the refusal is not about them. */
export async function unknownPath(session: Session): Promise<Answer> {
  // The search for the token scopes asks for one beside theirs.
  const seen = session.isFirstEnough
    ? session.recall(({ request, response }) => request.url.endsWith(`/${SAMPLE_ID}`) && response.status === 404)
    : undefined;
  const headers = await session.signIn.authorization('admin').catch(() => ({}));
  return seen ?? session.send({ method: 'GET', path: UNKNOWN_PATH, headers });
}

/** A refusal, and of which kind it is: the names are those of x-error-kinds in spec/openapi.yaml. */
export interface RefusalSample {
  kind: string;
  answer: Answer;
  /** The names of what was sent, since a refusal may name them. */
  fields: readonly string[];
}

/** Requests that are refused, each for a reason of its own; none of them changes anything. */
const REFUSED: {
  kind: string;
  fields?: readonly string[];
  /** It names somebody unknown at the sign-in, of whom a target may make a user. */
  namesUnknown?: true;
  send(session: Session): Promise<Answer>;
}[] = [
  { kind: 'unknown-path', send: unknownPath },
  { kind: 'method', send: (session) => session.send({ method: 'GET', path: OPERATIONS.sso.path }) },
  { kind: 'malformed-json', send: (session) => sendText(session, '{"oid": "', 'application/json') },
  {
    kind: 'media-type',
    namesUnknown: true,
    // The claims of admin where there are some, as the probe of the status sends them.
    send: (session) => {
      const { sso = { oid: SAMPLE_ID, tid: SAMPLE_ID, upn: 'a@b.invalid' } } = session.credentials('admin');
      return sendText(session, JSON.stringify(sso), 'text/plain');
    },
  },
  {
    kind: 'validation',
    fields: CLAIMS,
    namesUnknown: true,
    send: invalidClaims,
  },
  {
    kind: 'validation',
    fields: CLAIMS,
    send: async (session) => refusedWithoutClaims(session) ?? sendClaims(session, {}),
  },
  {
    kind: 'validation',
    fields: ['provider'],
    send: (session) => session.apiKeys.of(session.resource('tenantId'), { provider: NO_SUCH_VALUE }),
  },
  {
    kind: 'validation',
    fields: ['analysis'],
    send: invalidUpdate,
  },
  {
    kind: 'missing-credentials',
    send: (session) => session.apiKeys.of(session.target.resources?.tenantId ?? SAMPLE_ID, {}, {}),
  },
  {
    kind: 'invalid-credentials',
    send: (session) =>
      session.apiKeys.of(
        session.target.resources?.tenantId ?? SAMPLE_ID,
        {},
        { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` },
      ),
  },
  { kind: 'forbidden', send: (session) => memberAtAdminArea(session) },
  { kind: 'unknown-tenant', send: (session) => keysAs(session, 'admin', NO_TENANT) },
  { kind: 'unknown-recording', send: unknownRecording },
];

/** Refusals of each kind that this target can be brought to; what it accepts, or cannot be sent to it, is left out. */
export async function refusals(session: Session): Promise<RefusalSample[]> {
  return session.recorder.once('probe: refusals', async () => {
    const samples: RefusalSample[] = [];
    for (const { kind, fields = [], namesUnknown = false, send } of REFUSED) {
      if (namesUnknown && !session.config.allowWrites) continue;
      const answer = await send(session).catch((error: unknown) => {
        if (error instanceof CheckFailure || error instanceof Undetermined || error instanceof WriteNotAllowed)
          return undefined;
        throw error;
      });
      const status = answer?.response.status ?? 0;
      if (answer && status >= 400 && status < 500 && status !== 429) samples.push({ kind, answer, fields });
    }
    const kinds = new Set(samples.map(({ kind }) => kind));
    if (kinds.size < 3) throw new Undetermined(`only ${[...kinds].join(', ') || 'nothing'} was refused`);
    return samples;
  });
}

/** The body of a refusal: JSON, else its text; undefined where there is none. */
export function bodyOf({ response }: Answer): unknown {
  if (response.body === '') return undefined;
  const json = parseJson(response.body);
  return isObject(json) || Array.isArray(json) ? json : response.body;
}

/** The media type of a refusal, without its parameters. */
export const mediaTypeOf = ({ response }: Answer): string =>
  response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
