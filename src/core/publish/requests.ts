import { scopesOf } from '../operations/list-token-scopes.ts';
import { writeBodyAs } from '../operations/present.ts';
import type { OperationId } from '../spec/document.ts';
import type { Personas } from '../world/personas.ts';
import type { User } from '../world/records.ts';
import type { World } from '../world/world.ts';

export interface ExampleRequest {
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent in Authorization: Bearer. */
  readonly bearer?: string | undefined;
  /** Sent instead of the body, as this media type. */
  readonly raw?: { readonly type: string; readonly text: string | undefined };
}

export interface Cast extends Omit<Personas, 'admin'> {
  readonly world: World;
  readonly admin: User;
  /** The administrator's, from a first sign-in. */
  readonly refreshToken: string;
  readonly tokenOf: (user: User) => string;
}

type Requests = (cast: Cast) => Readonly<Record<string, ExampleRequest | undefined>>;

/** The successful requests of an operation, by the names of their examples; tools use the first one. */
export const requestsOf = (id: OperationId): Requests => requests[id] ?? byToken;

/** What succeeds where an operation needs nothing but a token. */
const byToken: Requests = ({ admin, tokenOf }) => ({
  admin: { summary: 'An administrator asks.', bearer: tokenOf(admin) },
});

const requests: Partial<Record<OperationId, Requests>> = {
  ssoLogin: ({ admin, member }) => ({
    admin: { summary: 'An administrator signs in.', body: { ...admin.sso } },
    member: member && { summary: 'A member signs in.', body: { ...member.sso } },
  }),

  login: ({ world, admin, member }) => {
    const signsIn = (summary: string, user: User | undefined) => {
      if (user?.password === undefined) return undefined;
      const { email, username, password } = user;
      return { summary, body: writeBodyAs('login-request', world, { email, username, password, any: 'web' }) };
    };
    return {
      admin: signsIn('An administrator signs in.', admin),
      member: signsIn('A member signs in.', member),
    };
  },

  refreshAccessToken: ({ world, refreshToken }) => {
    const isInHeader = world.answers.get('refresh-request') === 'bearer-header';
    return {
      admin: {
        summary: 'An administrator, who signed in first, renews the access token.',
        ...(isInHeader ? { bearer: refreshToken } : { body: writeBodyAs('refresh-request', world, { refreshToken }) }),
      },
    };
  },

  createApiToken: ({ world, admin, tokenOf }) => ({
    export: {
      summary: 'An administrator creates a token for a script.',
      bearer: tokenOf(admin),
      body: writeBodyAs('pat-create-request', world, {
        name: 'Nightly export',
        scopes: scopesOf(world, admin).slice(0, 1),
        days: 90,
      }),
    },
  }),

  listTokenScopes: ({ admin, member, tokenOf }) => ({
    admin: { summary: 'The scopes of an administrator.', bearer: tokenOf(admin) },
    member: member && { summary: 'The scopes of a member.', bearer: tokenOf(member) },
  }),

  updateRecording: ({ admin, recording, tokenOf }) => {
    if (!recording) return {};
    const common = { bearer: tokenOf(admin), params: { recordingId: recording.id } };
    const analysis = { key_topics: ['scope', 'budget'], action_items: ['Order the cards'] };
    return {
      title: { ...common, summary: 'The owner gives the recording a title.', body: { title: 'Kick-off, first part' } },
      analysis: {
        ...common,
        summary: 'A summary and an analysis are stored.',
        body: { summary: 'Scope and budget of the first cards.', analysis },
      },
      'knowledge-base': {
        ...common,
        summary: 'The recording is linked with the knowledge base.',
        body: { kb_folder_id: 'fld_minutes', kb_document_id: 'doc_kick_off' },
      },
    };
  },

  listTenantApiKeys: ({ world, admin, tokenOf }) => {
    const common = { bearer: tokenOf(admin), params: { id: admin.tenant } };
    const [key] = world.store.apiKeys.lookup('tenant', admin.tenant);
    const isPaged = world.answers.get('pagination') !== 'none';
    return {
      all: { ...common, summary: 'All API keys of the tenant.' },
      'by-provider': key && { ...common, summary: 'API keys of one provider.', query: { provider: key.provider } },
      'by-status': key && { ...common, summary: 'API keys of one status.', query: { status: key.status } },
      page: isPaged ? { ...common, summary: 'The first two.', query: { limit: 2, offset: 0 } } : undefined,
    };
  },
};
