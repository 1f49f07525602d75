import { SAMPLE_ID } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { agreeing, type Probe, Undetermined } from './probe.ts';
import { sendClaims, sendText } from './requests.ts';

interface RefusalSample {
  what: string;
  answer: Answer;
}

/** Claims of a type that the document rules out. */
export const WRONG_CLAIMS = { oid: 12345, tid: 12345, upn: 12345 };
/** JSON that ends too early. */
export const BROKEN_OFF = '{"oid": "';
/** An unknown path: its last segment is an identifier. */
export const UNKNOWN_PATH = `/v1/${SAMPLE_ID}`;

/** Refusals of three kinds, none of which can change anything. */
async function refusals(session: Session): Promise<RefusalSample[]> {
  return session.recorder.once('probe: refusals', async () => {
    const samples = [
      { what: 'an unknown path', answer: await session.send({ method: 'GET', path: UNKNOWN_PATH }) },
      // A target that makes a user of whoever signs in might make one of any claims.
      session.config.allowWrites
        ? { what: 'a claim of the wrong type', answer: await sendClaims(session, WRONG_CLAIMS) }
        : { what: 'a body that breaks off', answer: await sendText(session, BROKEN_OFF, 'application/json') },
      {
        what: 'no credentials',
        answer: await session.apiKeys.of(session.target.resources?.tenantId ?? SAMPLE_ID, {}, {}),
      },
    ];
    for (const { what, answer } of samples) {
      if (isSuccess(answer)) throw new Undetermined(`${what} was not refused but answered ${describe(answer)}`);
    }
    return samples;
  });
}

/** Shapes of error bodies that the ledger knows; the first that fits is the one. */
const SHAPES: { answer: string; fits(body: JsonObject, mediaType: string): boolean }[] = [
  {
    answer: 'problem',
    fits: (body, mediaType) =>
      mediaType.startsWith('application/problem+json') && typeof body.title === 'string' && 'status' in body,
  },
  {
    answer: 'error-object',
    fits: ({ error }) => isObject(error) && typeof error.code === 'string' && typeof error.message === 'string',
  },
  {
    answer: 'errors-list',
    fits: ({ errors }) =>
      Array.isArray(errors) &&
      errors.length > 0 &&
      errors.every((error) => isObject(error) && typeof error.code === 'string' && typeof error.message === 'string'),
  },
  {
    answer: 'message',
    fits: (body) =>
      typeof body.statusCode === 'number' && typeof body.error === 'string' && typeof body.message === 'string',
  },
  { answer: 'detail', fits: (body) => typeof body.detail === 'string' && Object.keys(body).length === 1 },
];

/** The shape of a refusal's body, as the ledger calls it; otherwise what it is, in words. */
function shapeOf(answer: Answer): { known: boolean; name: string } {
  const body = jsonOf(answer);
  if (!isObject(body))
    return { known: false, name: answer.response.body === '' ? 'no body' : 'a body that is not a JSON object' };
  const mediaType = answer.response.headers['content-type'] ?? '';
  const shape = SHAPES.find(({ fits }) => fits(body, mediaType));
  return shape ? { known: true, name: shape.answer } : { known: false, name: `{ ${Object.keys(body).join(', ')} }` };
}

/** Every member named code in a body, at any depth. */
function codesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(codesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    name === 'code' && typeof item === 'string' ? [item] : codesIn(item),
  );
}

/** The bodies of refusals: three kinds of them have to agree. */
export const errorProbes: Probe[] = [
  {
    gap: 'error-body',
    sends:
      'GET of an unknown path, GET of API keys without credentials, and SSO with claims of the wrong type, or where writes are not allowed with a body that breaks off',
    needs: [],
    async observe(session) {
      const shapes = (await refusals(session)).map(({ what, answer }) => ({ what, shape: shapeOf(answer) }));
      const name = agreeing(
        shapes.map(({ what, shape }) => ({ what, value: shape.name })),
        'nothing was refused',
      );
      if (shapes.every(({ shape }) => shape.known)) return name;
      throw new Undetermined(`refusals have ${name}`);
    },
  },
  {
    gap: 'error-codes',
    sends: 'the refusals of error-body',
    needs: [],
    async observe(session) {
      const codes = [...new Set((await refusals(session)).flatMap(({ answer }) => codesIn(jsonOf(answer))))];
      if (codes.length === 0) throw new Undetermined('refusals carry no code');
      if (codes.every((code) => /^[a-z]+(?:_[a-z]+)*$/.test(code))) return 'snake';
      if (codes.every((code) => /^[A-Z]+(?:_[A-Z]+)*$/.test(code))) return 'upper-snake';
      throw new Undetermined(`the codes are ${codes.join(', ')}`);
    },
  },
];
