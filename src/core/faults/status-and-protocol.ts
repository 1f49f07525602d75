import type { Delivery } from '../message.ts';
import type { AnswerContext, Arrival } from '../operations/behaviour.ts';
import type { OperationId } from '../spec/document.ts';
import { family } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { counter, delivery, pathOf } from './tools.ts';

/** Hooks that send an operation's successes out otherwise; all operations' where none is named. */
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

/** Hooks that put a path in another place: what is documented is not there. */
const moved = (isMoved: (path: string) => boolean, from: (url: string) => string | undefined): Hooks => ({
  receive: (arrival) => {
    const url = from(arrival.url);
    if (url !== undefined) return { ...arrival, url };
    return isMoved(pathOf(arrival)) ? { ...arrival, url: nowhere } : undefined;
  },
});

/** Hooks that swap a method for another: `wanted` works as `documented`, which is not there any more. */
const byOtherMethod = (documented: string, wanted: string, concerns: (path: string) => boolean): Hooks => ({
  receive: (arrival) => {
    if (!concerns(pathOf(arrival))) return undefined;
    if (arrival.method === wanted) return { ...arrival, method: documented };
    return arrival.method === documented ? { ...arrival, method: 'DELETE' } : undefined;
  },
});

const everySecond = (): Hooks => {
  const count = counter();
  return {
    intercept: (arrival, world) => {
      if (!isUpdate(arrival) || count(world) % 2 === 1) return undefined;
      return delivery(409, '{"error":{"code":"conflict","message":"Somebody else is at it."}}');
    },
  };
};

/** Faults of status codes, media types, methods and paths. */
export const statusAndProtocolFaults = family('status and protocol', [
  ['success-text-plain', ['GEN-01'], 'Successes say that they are text/plain.', typed('text/plain; charset=utf-8')],
  [
    'success-without-type',
    ['GEN-01'],
    'Successes do not say what they are.',
    sending(({ headers: { 'Content-Type': _, ...headers } }) => ({ headers })),
  ],
  ['scopes-say-html', ['GEN-01'], 'The token scopes say that they are HTML.', typed('text/html', 'listTokenScopes')],
  ['login-says-text', ['GEN-01'], 'Only the password login says text/plain.', typed('text/plain', 'login')],
  [
    'pat-says-octets',
    ['GEN-01'],
    'Only the creation of a PAT says application/octet-stream.',
    typed('application/octet-stream', 'createApiToken'),
  ],
  [
    'keys-say-ndjson',
    ['GEN-01'],
    'The API keys say application/x-ndjson.',
    typed('application/x-ndjson', 'listTenantApiKeys'),
  ],
  [
    'keys-guarded-json',
    ['GEN-01', 'KEY-02'],
    "The list of API keys starts with )]}', against script inclusion.",
    sending(({ text }) => ({ text: `)]}',\n${text}` }), 'listTenantApiKeys'),
  ],
  [
    'update-trailing-comma',
    ['GEN-01', 'REC-07'],
    'The updated recording ends with a comma too many.',
    sending(({ text }) => ({ text: text.replace(/\}$/, ',}') }), 'updateRecording'),
  ],
  [
    'json-byte-order-mark',
    ['GEN-01'],
    'JSON begins with a byte order mark.',
    sending(({ text }) => ({ text: `\uFEFF${text}` })),
  ],
  [
    'sso-no-content',
    ['GEN-01'],
    'The SSO login succeeds with 204 and nothing else.',
    sending(() => ({ status: 204, text: '' }), 'ssoLogin'),
  ],
  [
    'update-no-content',
    ['GEN-01', 'REC-07'],
    'An update succeeds with 204 and nothing else.',
    sending(() => ({ status: 204, text: '' }), 'updateRecording'),
  ],
  [
    'paths-under-v2',
    ['GEN-03'],
    'Everything is found under /v2 instead of /v1.',
    moved(
      (path) => path.startsWith('/v1/'),
      (url) => (url.startsWith('/v2/') ? url.replace('/v2/', '/v1/') : undefined),
    ),
  ],
  [
    'recordings-under-v2',
    ['GEN-03'],
    'Only recordings are found under /v2.',
    moved(
      (path) => path.startsWith('/v1/echo/'),
      (url) => (url.startsWith('/v2/echo/') ? url.replace('/v2/', '/v1/') : undefined),
    ),
  ],
  [
    'keys-without-version',
    ['GEN-03', 'KEY-01'],
    'The administration area lacks the segment /v1.',
    moved(
      (path) => path.startsWith('/v1/admin/'),
      (url) => (url.startsWith('/admin/') ? `/v1${url}` : undefined),
    ),
  ],
  [
    'sso-trailing-slash',
    ['GEN-03', 'SSO-02'],
    'The SSO login is found at /v1/auth/sso/ only.',
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
  ['update-conflicts', ['REC-06', 'REC-01'], 'Every second update is refused with 409.', everySecond()],
  [
    'update-fails-after-commit',
    ['REC-01', 'REC-06'],
    'An update with a title is done, and answered with 500.',
    sending((sent, { request }) => {
      const hasTitle = typeof request.body === 'object' && request.body !== null && 'title' in request.body;
      return hasTitle ? { status: 500, text: '{"error":{"code":"internal_error","message":"Oops."}}' } : sent;
    }, 'updateRecording'),
  ],
  [
    'keys-not-implemented',
    ['KEY-01', 'GEN-03'],
    'The list of API keys is not implemented: 501.',
    sending(
      () => ({ status: 501, text: '{"error":{"code":"not_implemented","message":"Not yet."}}' }),
      'listTenantApiKeys',
    ),
  ],
  [
    'scopes-crash',
    ['SCO-01'],
    'The token scopes answer 500.',
    sending(() => ({ status: 500, text: '{"error":{"code":"internal_error","message":"Oops."}}' }), 'listTokenScopes'),
  ],
  [
    'refusals-with-200',
    ['AUT-03', 'AUT-04', 'AUT-05', 'AUT-06', 'AUT-07'],
    'Refused credentials are told with status 200 and an error in the body.',
    { deliver: (sent) => (sent.status === 401 ? { ...sent, status: 200 } : undefined) },
  ],
]);
