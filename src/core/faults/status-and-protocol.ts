import { type Accepted, acceptedBy } from '../../../contract-tests/values/accept.ts';
import { headerOf, pathOf } from '../message.ts';
import type { OperationId } from '../spec/document.ts';
import { errorText, everyNth, failure, intercepting, moved, receiving, sending, sentOf, writing } from './change.ts';
import { each, family, type Hooks } from './fault.ts';

const typed = ([type, ...only]: readonly [string, ...OperationId[]]): Hooks =>
  sending(...only)(({ headers }) => ({ headers: { ...headers, 'Content-Type': type } }));

const page = { text: '<!DOCTYPE html><title>Platform</title>', headers: { 'Content-Type': 'text/html' } };

/** Hooks by which a success becomes a page, for clients with such an Accept, at an operation. */
const pageFor = ([accepted, operation]: readonly [Accepted, OperationId]): Hooks =>
  sending(operation)((_, { arrival }) =>
    acceptedBy(headerOf(arrival.headers, 'accept')) === accepted ? page : undefined,
  );

const noContent = { status: 204, text: '' };
const crash = { status: 500, text: errorText('internal_error', 'Oops.') };

/** Hooks that replace a method of the paths that begin so: `wanted` works as `documented`, which is not allowed. */
const byOtherMethod = ([path, documented, wanted]: readonly [RegExp, string, string]): Hooks =>
  receiving(({ url, method }) => {
    if (!path.test(pathOf(url))) return undefined;
    if (method === wanted) return { method: documented };
    return method === documented ? { method: 'DELETE' } : undefined;
  });

export const statusAndProtocolFaults = family('status and protocol', {
  ...each(typed, {
    'success-text-plain GEN-01: Successes have the media type text/plain.': ['text/plain; charset=utf-8'],
    'login-says-text GEN-01: Only the password login has the media type text/plain.': ['text/plain', 'login'],
    'keys-say-ndjson GEN-01: The API keys have the media type application/x-ndjson.': [
      'application/x-ndjson',
      'listTenantApiKeys',
    ],
  }),
  ...each(pageFor, {
    'sso-page-to-any GEN-01: The SSO login answers a page to a client that accepts anything.': ['any', 'ssoLogin'],
    'login-page-without-accept GEN-01: The password login answers a page to a client without Accept.': [
      'none',
      'login',
    ],
    'pat-page-to-any GEN-01: The creation of a PAT answers a page to a client that accepts anything.': [
      'any',
      'createApiToken',
    ],
    'scopes-page-without-accept GEN-01: The token scopes are a page to a client without Accept.': [
      'none',
      'listTokenScopes',
    ],
    'keys-page-to-any GEN-01: The API keys are a page to a client that accepts anything.': ['any', 'listTenantApiKeys'],
  }),
  'without-accept-406 SCO-01: Requests without Accept are refused with 406.': sending()((_, { arrival }) =>
    acceptedBy(headerOf(arrival.headers, 'accept')) === 'none'
      ? { status: 406, text: errorText('not_acceptable', 'Say what you accept.') }
      : undefined,
  ),
  'update-text-to-axios GEN-01: An update answers text to a client that accepts text as well.': sending(
    'updateRecording',
  )(({ headers }, { arrival }) =>
    headerOf(arrival.headers, 'accept')?.includes('text/plain')
      ? { headers: { ...headers, 'Content-Type': 'text/plain' } }
      : undefined,
  ),
  ...each(sending(), {
    'success-without-type GEN-01: Successes have no media type.': ({ headers: { 'Content-Type': _, ...headers } }) => ({
      headers,
    }),
    'json-byte-order-mark GEN-01: JSON starts with a byte order mark.': ({ text }) => ({ text: `\uFEFF${text}` }),
  }),
  ...each(sending('listTenantApiKeys'), {
    "keys-guarded-json GEN-01 KEY-02: The list of API keys starts with the script guard )]}'.": ({ text }) => ({
      text: `)]}',\n${text}`,
    }),
    'keys-not-implemented KEY-01 GEN-03: The list of API keys is not implemented: 501.': () => ({
      status: 501,
      text: errorText('not_implemented', 'Not implemented yet.'),
    }),
  }),
  'sso-no-content GEN-01: The SSO login succeeds with 204 and no body.': sending('ssoLogin')(() => noContent),
  'scopes-crash SCO-01: The token scopes respond with 500.': sending('listTokenScopes')(() => crash),
  ...each(sending('updateRecording'), {
    'update-trailing-comma GEN-01 REC-07: The updated recording has a trailing comma.': ({ text }) => ({
      text: text.replace(/\}$/, ',}'),
    }),
    'update-no-content GEN-01 REC-07: An update succeeds with 204 and no body.': () => noContent,
    'update-fails-after-commit REC-01 REC-06: An update with a title is applied, but answered with 500.': (
      _,
      { request },
    ) => ('title' in sentOf(request) ? crash : undefined),
  }),
  'paths-under-v2 GEN-03: All paths are under /v2 instead of /v1.': moved('/v1/', '/v2/'),
  'keys-without-version GEN-03 KEY-01: Administration paths lack the segment /v1.': moved('/v1/admin/', '/admin/'),
  'sso-trailing-slash GEN-03 SSO-02: The SSO login is only at /v1/auth/sso/.': moved('/v1/auth/sso', '/v1/auth/sso/'),
  ...each(byOtherMethod, {
    'update-by-put REC-01 GEN-03: Recordings are updated by PUT instead of PATCH.': [/^\/v1\/echo\//, 'PATCH', 'PUT'],
    'keys-by-post KEY-01 GEN-03: API keys are listed by POST instead of GET.': [/^\/v1\/admin\//, 'GET', 'POST'],
    'scopes-by-post SCO-01: Token scopes are listed by POST instead of GET.': [/scopes$/, 'GET', 'POST'],
  }),
  'update-conflicts REC-06 REC-01: Every second update is refused with 409.': {
    ...intercepting(({ method, url }) =>
      method === 'PATCH' && url.startsWith('/v1/echo/recordings/')
        ? failure(409, 'conflict', 'The recording is locked.')
        : undefined,
    ),
    cadence: everyNth(2),
  },
  'refusals-with-200 AUT-03 AUT-04 AUT-05 AUT-06 AUT-07: Refused credentials get 200 with an error in the body.':
    writing(({ status }) => (status === 401 ? { status: 200 } : undefined)),
});
