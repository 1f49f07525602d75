import { hasMember } from '../../../contract-tests/values/json.ts';
import { apiError } from '../operations/api-error.ts';
import type { OperationId } from '../spec/document.ts';
import type { World } from '../world/world.ts';
import { asking, failure, intercepting, on, sentOf } from './change.ts';
import { type Body, each, family, type HookContext, type Hooks } from './fault.ts';

const refuse = (world: World, message: string): never => {
  throw apiError(world.answers, 'validation', message);
};

/** Hooks that refuse some valid requests of an operation. */
export const refusing =
  (operation: OperationId) =>
  (isRefused: (sent: Body, request: HookContext['request']) => boolean): Hooks =>
    on(operation, ({ world, request }) =>
      isRefused(sentOf(request), request) ? refuse(world, 'The request is not valid.') : undefined,
    );

/** Hooks that accept bodies of some media types only, at the paths that begin so. */
const acceptingTypes = ([accepted, path]: readonly [RegExp, string]): Hooks =>
  intercepting(({ method, url, headers }) => {
    const type = headers['content-type'];
    const isRefused = method !== 'GET' && typeof type === 'string' && !accepted.test(type) && url.startsWith(path);
    return isRefused ? failure(415, 'unsupported_media_type', 'This media type is not supported.') : undefined;
  });

const writable = {
  title: 'REC-01',
  kb_folder_id: 'REC-02',
  kb_document_id: 'REC-03',
  summary: 'REC-04',
  analysis: 'REC-05',
};

const refusedAlone = Object.entries(writable).map(([name, requirement]) => [
  `update-refuses-${name.replaceAll('_', '-')}-alone ${requirement}: An update of ${name} alone is refused.`,
  (sent: Body) => hasMember(sent, name) && Object.keys(sent).length === 1,
]);

const oncePerIdentity = on('ssoLogin', ({ world, request, remember }) => {
  const seen = remember(() => new Set<string>());
  const identity = JSON.stringify(request.body);
  if (seen.has(identity)) return refuse(world, 'This identity has signed in already.');
  seen.add(identity);
  return undefined;
});

/** An update of a known recording, or of an unknown one, changes another one of the user. */
const changesAnother = (isKnown: boolean) =>
  asking('updateRecording', ({ caller, params: { recordingId = '' } }, { world: { store } }) => {
    const others = store.recordings.lookup('user', caller?.user.id ?? '').filter(({ id }) => id !== recordingId);
    const other = (isKnown ? others.find(({ status }) => status === 'completed') : undefined) ?? others.at(-1);
    const isAddressed = (store.recordings.get(recordingId) !== undefined) === isKnown;
    return isAddressed && other ? { params: { recordingId: other.id } } : undefined;
  });

export const requestHandlingFaults = family('request handling', {
  'sso-demands-authorization SSO-01: The SSO login is refused without an Authorization header.': intercepting(
    ({ method, url, headers }) =>
      method === 'POST' && url === '/v1/auth/sso' && headers.authorization === undefined
        ? failure(401, 'missing_credentials', 'Send a token.')
        : undefined,
  ),
  ...each(acceptingTypes, {
    'sso-forms-only SSO-02 GEN-02: The SSO login accepts forms only, not JSON.': [/form/, '/v1/auth/sso'],
    'json-refused GEN-02 SSO-02: Bodies of type application/json are refused with 415.': [/^((?!\/json).)*$/, '/'],
    'charset-demanded GEN-02: An update is refused if its media type has no charset parameter.': [
      /charset=/,
      '/v1/echo/',
    ],
  }),
  'sso-works-once SSO-17: The second SSO login of an identity is refused.': oncePerIdentity,
  ...each(refusing('ssoLogin'), {
    'sso-demands-nonce SSO-02: The SSO login requires the additional claim nonce.': (sent) => !('nonce' in sent),
    'sso-refuses-upn SSO-02: The SSO login refuses the claim upn.': (sent) => 'upn' in sent,
    'sso-claims-in-order SSO-17: The SSO login refuses claims of which oid is not the first one.': (sent) =>
      Object.keys(sent)[0] !== 'oid',
  }),
  ...each(refusing('updateRecording'), {
    ...Object.fromEntries(refusedAlone),
    'update-demands-title REC-04 REC-02 REC-03 REC-05: An update without a title is refused, as with PUT.': (sent) =>
      !('title' in sent),
    'kb-ids-numeric REC-02 REC-03: kb_folder_id and kb_document_id must have the form KB_1.': (sent) =>
      [sent.kb_folder_id, sent.kb_document_id].some((id) => typeof id === 'string' && !/^[A-Z]+_[0-9]+$/.test(id)),
    'analysis-as-text REC-05: analysis must be a string.': (sent) => typeof sent.analysis === 'object',
    'update-one-field-a-time REC-06: An update of more than one field is refused.': (sent) =>
      Object.keys(sent).length > 1,
    'update-title-with-summary-refused REC-06: An update of title and summary, and nothing else, is refused.': (sent) =>
      Object.keys(sent).length === 2 && 'title' in sent && 'summary' in sent,
  }),
  ...each(refusing('listTenantApiKeys'), {
    'keys-demand-filter KEY-01: The list of API keys requires a filter.': (_sent, { query }) =>
      Object.keys(query).length === 0,
  }),
  ...each(changesAnother, {
    'update-addresses-another REC-21: An update changes another recording of the user than the path names.': true,
    'update-of-unknown-changes-another REC-21: An update of an unknown recording changes one of the user.': false,
  }),
  "keys-path-ignored KEY-17: The list of API keys is always that of the caller's tenant.": asking(
    'listTenantApiKeys',
    ({ caller, params: { id } }) =>
      caller && id !== caller.user.tenant ? { params: { id: caller.user.tenant } } : undefined,
  ),
});
