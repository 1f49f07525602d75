import type { Delivery } from '../message.ts';
import { pathOf } from '../message.ts';
import type { AnswerContext, Arrival } from '../operations/behaviour.ts';
import type { OperationId } from '../spec/document.ts';
import { family } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { delivery, errorText, everyNth, intercepting } from './tools.ts';

/** Hooks that change how successes are sent, of the named operations or of all. */
const sending = (
  change: (delivery: Delivery, context: AnswerContext) => Partial<Delivery>,
  ...only: readonly OperationId[]
): Hooks => ({
  deliver: (sent, context) => {
    const concerned = context.operation && (only.length === 0 || only.includes(context.operation));
    return concerned && sent.status < 300 ? { ...sent, ...change(sent, context) } : undefined;
  },
});

const typed = (type: string, ...only: readonly OperationId[]): Hooks =>
  sending(({ headers }) => ({ headers: { ...headers, 'Content-Type': type } }), ...only);

const isUpdate = ({ method, url }: Arrival): boolean => method === 'PATCH' && url.startsWith('/v1/echo/recordings/');
const nowhere = '/v1/nothing-here';

/** Hooks that move a path: the documented one does not exist. */
const moved = (isMoved: (path: string) => boolean, from: (url: string) => string | undefined): Hooks => ({
  receive: (arrival) => {
    const url = from(arrival.url);
    if (url !== undefined) return { ...arrival, url };
    return isMoved(pathOf(arrival.url)) ? { ...arrival, url: nowhere } : undefined;
  },
});

/** Hooks that replace a method: `wanted` works as `documented`, which is not allowed. */
const byOtherMethod = (documented: string, wanted: string, concerns: (path: string) => boolean): Hooks => ({
  receive: (arrival) => {
    if (!concerns(pathOf(arrival.url))) return undefined;
    if (arrival.method === wanted) return { ...arrival, method: documented };
    return arrival.method === documented ? { ...arrival, method: 'DELETE' } : undefined;
  },
});

const failedText = errorText('internal_error', 'Oops.');

/** Faults of status codes, media types, methods and paths. */
export const statusAndProtocolFaults = family('status and protocol', [
  ['success-text-plain', ['GEN-01'], 'Successes have the media type text/plain.', typed('text/plain; charset=utf-8')],
  [
    'success-without-type',
    ['GEN-01'],
    'Successes have no media type.',
    sending(({ headers: { 'Content-Type': _, ...headers } }) => ({ headers })),
  ],
  [
    'scopes-say-html',
    ['GEN-01'],
    'The token scopes have the media type text/html.',
    typed('text/html', 'listTokenScopes'),
  ],
  [
    'login-says-text',
    ['GEN-01'],
    'Only the password login has the media type text/plain.',
    typed('text/plain', 'login'),
  ],
  [
    'pat-says-octets',
    ['GEN-01'],
    'Only the creation of a PAT has the media type application/octet-stream.',
    typed('application/octet-stream', 'createApiToken'),
  ],
  [
    'keys-say-ndjson',
    ['GEN-01'],
    'The API keys have the media type application/x-ndjson.',
    typed('application/x-ndjson', 'listTenantApiKeys'),
  ],
  [
    'keys-guarded-json',
    ['GEN-01', 'KEY-02'],
    "The list of API keys starts with )]}', a guard against script inclusion.",
    sending(({ text }) => ({ text: `)]}',\n${text}` }), 'listTenantApiKeys'),
  ],
  [
    'update-trailing-comma',
    ['GEN-01', 'REC-07'],
    'The updated recording has a trailing comma.',
    sending(({ text }) => ({ text: text.replace(/\}$/, ',}') }), 'updateRecording'),
  ],
  [
    'json-byte-order-mark',
    ['GEN-01'],
    'JSON starts with a byte order mark.',
    sending(({ text }) => ({ text: `\uFEFF${text}` })),
  ],
  [
    'sso-no-content',
    ['GEN-01'],
    'The SSO login succeeds with 204 and no body.',
    sending(() => ({ status: 204, text: '' }), 'ssoLogin'),
  ],
  [
    'update-no-content',
    ['GEN-01', 'REC-07'],
    'An update succeeds with 204 and no body.',
    sending(() => ({ status: 204, text: '' }), 'updateRecording'),
  ],
  [
    'paths-under-v2',
    ['GEN-03'],
    'All paths are under /v2 instead of /v1.',
    moved(
      (path) => path.startsWith('/v1/'),
      (url) => (url.startsWith('/v2/') ? url.replace('/v2/', '/v1/') : undefined),
    ),
  ],
  [
    'recordings-under-v2',
    ['GEN-03'],
    'Only recordings are under /v2.',
    moved(
      (path) => path.startsWith('/v1/echo/'),
      (url) => (url.startsWith('/v2/echo/') ? url.replace('/v2/', '/v1/') : undefined),
    ),
  ],
  [
    'keys-without-version',
    ['GEN-03', 'KEY-01'],
    'Administration paths lack the segment /v1.',
    moved(
      (path) => path.startsWith('/v1/admin/'),
      (url) => (url.startsWith('/admin/') ? `/v1${url}` : undefined),
    ),
  ],
  [
    'sso-trailing-slash',
    ['GEN-03', 'SSO-02'],
    'The SSO login is only at /v1/auth/sso/.',
    moved(
      (path) => path === '/v1/auth/sso',
      (url) => (url === '/v1/auth/sso/' ? '/v1/auth/sso' : undefined),
    ),
  ],
  [
    'update-by-put',
    ['REC-01', 'GEN-03'],
    'Recordings are updated by PUT instead of PATCH.',
    byOtherMethod('PATCH', 'PUT', (path) => path.startsWith('/v1/echo/')),
  ],
  [
    'keys-by-post',
    ['KEY-01', 'GEN-03'],
    'API keys are listed by POST instead of GET.',
    byOtherMethod('GET', 'POST', (path) => path.startsWith('/v1/admin/')),
  ],
  [
    'scopes-by-post',
    ['SCO-01'],
    'Token scopes are listed by POST instead of GET.',
    byOtherMethod('GET', 'POST', (path) => path.endsWith('scopes')),
  ],
  [
    'update-conflicts',
    ['REC-06', 'REC-01'],
    'Every second update is refused with 409.',
    intercepting(() => delivery(409, errorText('conflict', 'The recording is locked.')), {
      cadence: everyNth(2),
      concerns: isUpdate,
    }),
  ],
  [
    'update-fails-after-commit',
    ['REC-01', 'REC-06'],
    'An update with a title is applied, but the response is 500.',
    sending((sent, { request }) => {
      const hasTitle = typeof request.body === 'object' && request.body !== null && 'title' in request.body;
      return hasTitle ? { status: 500, text: failedText } : sent;
    }, 'updateRecording'),
  ],
  [
    'keys-not-implemented',
    ['KEY-01', 'GEN-03'],
    'The list of API keys is not implemented: 501.',
    sending(() => ({ status: 501, text: errorText('not_implemented', 'Not implemented yet.') }), 'listTenantApiKeys'),
  ],
  [
    'scopes-crash',
    ['SCO-01'],
    'The token scopes respond with 500.',
    sending(() => ({ status: 500, text: failedText }), 'listTokenScopes'),
  ],
  [
    'refusals-with-200',
    ['AUT-03', 'AUT-04', 'AUT-05', 'AUT-06', 'AUT-07'],
    'Refused credentials get status 200 with an error in the body.',
    { deliver: (sent) => (sent.status === 401 ? { ...sent, status: 200 } : undefined) },
  ],
]);
