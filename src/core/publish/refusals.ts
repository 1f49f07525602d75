import { isObject } from '../spec/document.ts';
import type { ErrorKind } from '../spec/error-kinds.ts';
import type { Cast, ExampleRequest } from './requests.ts';

/** Turns a successful request into a refused one; undefined if this operation cannot be refused so. */
type Spoil = (request: ExampleRequest, cast: Cast) => Partial<ExampleRequest> | undefined;

/** How to provoke each kind of refusal. For the others, which need more than a request, only the shape is shown. */
export const spoils: { readonly [Kind in ErrorKind]?: Spoil } = {
  'malformed-json': () => ({ raw: { type: 'application/json', text: '{"' } }),
  'media-type': () => ({ raw: { type: 'text/plain', text: 'text' } }),
  'too-large': () => ({ raw: { type: 'application/json', text: undefined } }),
  validation: ({ body }) => {
    const [member] = isObject(body) ? Object.keys(body) : [];
    if (member !== undefined) return { body: { ...(body as object), [member]: [] } };
    return { query: { provider: 'unknown', nothing: 'at all' } };
  },
  'missing-credentials': ({ bearer }) => (bearer === undefined ? undefined : { bearer: undefined }),
  'invalid-credentials': ({ bearer, body }, { admin, refreshToken }) => {
    if (bearer !== undefined) return { bearer: 'not-a-token' };
    const wrong = [
      [admin.sso.oid, '00000000-0000-4000-8000-000000000000'],
      [admin.password ?? refreshToken, 'not-the-password'],
      [refreshToken, 'not-a-refresh-token'],
    ] as const;
    const text = wrong.reduce((sent, [right, other]) => sent.replaceAll(right, other), JSON.stringify(body));
    return { body: JSON.parse(text) as unknown };
  },
  forbidden: ({ bearer }, { member, tokenOf }) => (bearer && member ? { bearer: tokenOf(member) } : undefined),
  'unknown-recording': () => ({ params: { recordingId: 'rec_unknown' } }),
  'foreign-recording': (_, { otherRecording }) => otherRecording && { params: { recordingId: otherRecording.id } },
  'unknown-tenant': () => ({ params: { id: 'ten_unknown' } }),
  'foreign-tenant': (_, { otherTenant }) => otherTenant && { params: { id: otherTenant.id } },
};
