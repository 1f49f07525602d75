import { LOGIN_PATH, PAT_CREATION_PATH, recordingPath, SSO_PATH } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { isObject, parseJson } from '../wire/json.ts';
import type { Answer } from '../wire/request.ts';

export type Operation = 'sso' | 'recording' | 'api-keys' | 'scopes' | 'login' | 'pat';

type Sent = Answer['request'];

/** The five writable fields (part 2), and what each may be. */
const WRITABLE: Record<string, (value: unknown) => boolean> = {
  title: (value) => typeof value === 'string',
  kb_folder_id: (value) => typeof value === 'string',
  kb_document_id: (value) => typeof value === 'string',
  summary: (value) => typeof value === 'string',
  analysis: isObject,
};
const FILTERS = ['provider', 'status'];

const bodyOf = ({ body }: Sent): unknown => parseJson(body ?? '');

/** Whether the body is what the target file says that an actor signs in with. */
function isOfActor(session: Session, request: Sent, way: 'sso' | 'login'): boolean {
  const bodies = [session.credentials('admin')[way], session.credentials('member')[way]];
  return bodies.some((body) => body !== undefined && JSON.stringify(body) === request.body);
}

function isUpdate(request: Sent): boolean {
  const body = bodyOf(request);
  if (!isObject(body) || Object.keys(body).length === 0) return false;
  return Object.entries(body).every(([field, value]) => WRITABLE[field]?.(value) ?? false);
}

function isList(session: Session, path: string): boolean {
  const [before, query = ''] = path.split('?');
  const { tenantId, otherTenantId } = session.target.resources ?? {};
  const tenants = [tenantId, otherTenantId].filter((id) => id !== undefined);
  const isKnown = tenants.some((id) => before === `/v1/admin/tenants/${encodeURIComponent(id)}/api-keys`);
  return isKnown && [...new URLSearchParams(query).keys()].every((name) => FILTERS.includes(name));
}

/**
 * The successes of the run so far that answered a documented request of an operation. What answers any other request,
 * such as an update of nothing or a list of an unknown tenant, is not shown, not even where it succeeds.
 */
export async function successesOf(operation: Operation, session: Session): Promise<Answer[]> {
  const scopesPath = operation === 'scopes' ? await session.scopes.path() : '';
  const { recordingId = '' } = session.target.resources ?? {};
  const isOf: Record<Operation, (request: Sent, path: string) => boolean> = {
    sso: (request, path) => path === SSO_PATH && isOfActor(session, request, 'sso'),
    login: (request, path) => path === LOGIN_PATH && isOfActor(session, request, 'login'),
    pat: ({ method }, path) => method === 'POST' && path === PAT_CREATION_PATH,
    recording: (request, path) => path === recordingPath(recordingId) && isUpdate(request),
    'api-keys': ({ method }, path) => method === 'GET' && isList(session, path),
    scopes: ({ method }, path) => method === 'GET' && path === scopesPath,
  };
  const base = session.target.baseUrl.replace(/\/+$/, '');
  return session.successes.filter(({ request }) => isOf[operation](request, request.url.slice(base.length)));
}
