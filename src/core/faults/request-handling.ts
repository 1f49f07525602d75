import { apiError } from '../operations/api-error.ts';
import type { OperationRequest } from '../operations/operation.ts';
import type { OperationId } from '../spec/document.ts';
import type { World } from '../world/world.ts';
import { type FaultRow, family } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { delivery, errorText, on, perWorld, readdressed, sentOf } from './tools.ts';

const refuse = (world: World, message: string): never => {
  throw apiError(world.answers, 'validation', message);
};

/** Hooks that refuse a valid body. */
const refusing = (operation: OperationId, isRefused: (sent: Body, request: OperationRequest) => boolean): Hooks => ({
  operations: on(operation, (world, request) =>
    isRefused(sentOf(request), request) ? refuse(world, 'The request is not valid.') : undefined,
  ),
});

/** Hooks that refuse some updates as invalid. */
export const refusingUpdate = (isRefused: (sent: Body) => boolean): Hooks => refusing('updateRecording', isRefused);

/** Hooks that accept bodies of some media types only. */
const acceptingTypes = (
  isAccepted: (type: string) => boolean,
  concerns: (url: string) => boolean = () => true,
): Hooks => ({
  intercept: ({ method, url, headers }) => {
    const type = headers['content-type'];
    if (method === 'GET' || typeof type !== 'string' || isAccepted(type) || !concerns(url)) return undefined;
    return delivery(415, errorText('unsupported_media_type', 'This media type is not supported.'));
  },
});

const writable = {
  title: 'REC-01',
  kb_folder_id: 'REC-02',
  kb_document_id: 'REC-03',
  summary: 'REC-04',
  analysis: 'REC-05',
};
const isAlone = (sent: Body, name: string): boolean => name in sent && Object.keys(sent).length === 1;

const refusedAlone: FaultRow[] = Object.entries(writable).map(([name, requirement]) => [
  `update-refuses-${name.replaceAll('_', '-')}-alone`,
  [requirement],
  `An update of ${name} alone is refused.`,
  refusingUpdate((sent) => isAlone(sent, name)),
]);

const identifier = /^[A-Z]+_[0-9]+$/;

const oncePerIdentity = (): Hooks => {
  const seen = perWorld(() => new Set<string>());
  return {
    operations: on('ssoLogin', (world, request) => {
      const identity = JSON.stringify(request.body);
      if (seen(world).has(identity)) return refuse(world, 'This identity has signed in already.');
      seen(world).add(identity);
      return undefined;
    }),
  };
};

/** Faults of processing a request. */
export const requestHandlingFaults = family('request handling', [
  [
    'sso-demands-authorization',
    ['SSO-01'],
    'The SSO login is refused without an Authorization header.',
    {
      intercept: ({ method, url, headers }) =>
        method === 'POST' && url === '/v1/auth/sso' && headers.authorization === undefined
          ? delivery(401, errorText('missing_credentials', 'Send a token.'))
          : undefined,
    },
  ],
  [
    'sso-forms-only',
    ['SSO-02', 'GEN-02'],
    'The SSO login accepts forms only, not JSON.',
    acceptingTypes(
      (type) => type.includes('form'),
      (url) => url === '/v1/auth/sso',
    ),
  ],
  [
    'sso-demands-nonce',
    ['SSO-02'],
    'The SSO login requires the additional claim nonce.',
    refusing('ssoLogin', (sent) => !('nonce' in sent)),
  ],
  [
    'sso-refuses-upn',
    ['SSO-02'],
    'The SSO login refuses the claim upn.',
    refusing('ssoLogin', (sent) => 'upn' in sent),
  ],
  ['sso-works-once', ['SSO-17'], 'The second SSO login of an identity is refused.', oncePerIdentity()],
  [
    'json-refused',
    ['GEN-02', 'SSO-02'],
    'Bodies of type application/json are refused with 415.',
    acceptingTypes((type) => !type.includes('/json')),
  ],
  [
    'charset-demanded',
    ['GEN-02'],
    'An update is refused if its media type has no charset parameter.',
    acceptingTypes(
      (type) => type.includes('charset='),
      (url) => url.startsWith('/v1/echo/'),
    ),
  ],
  [
    'merge-patch-only',
    ['GEN-02'],
    'An update is accepted as application/merge-patch+json only.',
    acceptingTypes(
      (type) => type.includes('merge-patch'),
      (url) => url.startsWith('/v1/echo/'),
    ),
  ],
  ...refusedAlone,
  [
    'update-demands-title',
    ['REC-04', 'REC-02', 'REC-03', 'REC-05'],
    'An update without a title is refused, as with PUT.',
    refusingUpdate((sent) => !('title' in sent)),
  ],
  [
    'kb-ids-numeric',
    ['REC-02', 'REC-03'],
    'kb_folder_id and kb_document_id must have the form KB_1.',
    refusingUpdate((sent) =>
      [sent.kb_folder_id, sent.kb_document_id].some((id) => typeof id === 'string' && !identifier.test(id)),
    ),
  ],
  [
    'analysis-as-text',
    ['REC-05'],
    'analysis must be a string.',
    refusingUpdate((sent) => typeof sent.analysis === 'object'),
  ],
  [
    'update-refuses-all-five',
    ['REC-06'],
    'An update of all five fields is refused.',
    refusingUpdate((sent) => Object.keys(sent).length === 5),
  ],
  [
    'update-one-field-a-time',
    ['REC-06'],
    'An update of more than one field is refused.',
    refusingUpdate((sent) => Object.keys(sent).length > 1),
  ],
  [
    'update-title-with-summary-refused',
    ['REC-06'],
    'An update of title and summary, and nothing else, is refused.',
    refusingUpdate((sent) => Object.keys(sent).length === 2 && 'title' in sent && 'summary' in sent),
  ],
  [
    'keys-demand-filter',
    ['KEY-01'],
    'The list of API keys requires a filter.',
    refusing('listTenantApiKeys', (_sent, { query }) => Object.keys(query).length === 0),
  ],
  [
    'keys-demand-status',
    ['KEY-01'],
    'The list of API keys requires a status filter.',
    refusing('listTenantApiKeys', (_sent, { query }) => !('status' in query)),
  ],
  [
    'update-addresses-another',
    ['REC-21'],
    'An update changes another recording of the user than the path names.',
    readdressed('updateRecording', (world, { caller, params }) => {
      const { recordingId } = params as unknown as { recordingId: string };
      const others = world.store.recordings
        .lookup('user', caller?.user.id ?? '')
        .filter(({ id }) => id !== recordingId);
      const other = others.find(({ status }) => status === 'completed') ?? others[0];
      return world.store.recordings.get(recordingId) && other && { recordingId: other.id };
    }),
  ],
  [
    'keys-path-ignored',
    ['KEY-17'],
    "The list of API keys is always that of the caller's tenant.",
    readdressed('listTenantApiKeys', (_world, { caller, params }) => {
      const { id } = params as unknown as { id: string };
      return caller && id !== caller.user.tenant ? { id: caller.user.tenant } : undefined;
    }),
  ],
]);
