import type { Target } from '../../contract-tests/session/target-file.ts';
import { memberOf } from '../../contract-tests/values/json.ts';
import { basePath, numeric, opaque, variations } from '../core/faults/variations.ts';
import type { ProfileSource } from '../core/profiles/load.ts';
import { shippedProfiles } from '../core/profiles/load.ts';

/** A way to be a conforming implementation, or to be described to the suite. */
export interface Variant {
  readonly id: string;
  readonly description: string;
  readonly profile?: ProfileSource;
  readonly faults?: readonly string[];
  /** The target file, as it must be for this variant. */
  readonly retarget?: (target: Target) => Target | Promise<Target>;
}

type Resources = NonNullable<Target['resources']>;

/** Another target file says less of resources, or something else. */
const naming =
  (change: (resources: Resources) => Resources) =>
  (target: Target): Target => ({ ...target, resources: change(target.resources ?? {}) });

/** Ids in another format. */
const written = (write: (id: string) => string) =>
  naming((resources) =>
    Object.fromEntries(Object.entries(resources).map(([name, id]) => [name, typeof id === 'string' ? write(id) : id])),
  );

const retargets: Readonly<Record<string, Variant['retarget']>> = {
  'base-path': (target) => ({ ...target, baseUrl: `${target.baseUrl}${basePath}` }),
  'ids-opaque': written(opaque.write),
  'ids-numeric': written(numeric.write),
  'analysis-of-its-own': naming((resources) => ({ ...resources, analysis: { version: 2 } })),
};

const ofProfiles = (): Variant[] =>
  shippedProfiles().map((profile) => ({
    id: `profile ${profile}`,
    description: `The mock under the shipped profile ${profile}.`,
    profile,
  }));

const ofVariations = (): Variant[] =>
  variations.map(({ id, description }) => ({
    id,
    description,
    faults: [id],
    ...(memberOf(retargets, id) && { retarget: memberOf(retargets, id) }),
  }));

const onlyActors =
  (change: (actors: NonNullable<Target['actors']>) => Target['actors']) =>
  (target: Target): Target => {
    const { otherTenantId: _, ...resources } = target.resources ?? {};
    return { ...target, actors: change(target.actors ?? {}) ?? {}, resources };
  };

const signedIn = async ({ baseUrl, actors }: Target): Promise<string> => {
  const response = await fetch(`${baseUrl}/v1/auth/sso`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(actors?.admin?.sso),
  });
  return ((await response.json()) as { access_token: string }).access_token;
};

const onePat: Variant = {
  id: 'one PAT for each user',
  description: 'A new PAT ends the ones that its user had before.',
  profile: { answers: { 'several-pats': 'end-the-earlier' } },
};

const oneSession: Variant = {
  id: 'one session for each user',
  description: 'A sign-in ends the earlier session of the same user.',
  profile: { answers: { 'concurrent-sessions': 'end-the-earlier' } },
};

const knownIds: Variant = {
  id: 'kb-ids-looked-up',
  description: 'Identifiers that the knowledge base does not have are refused.',
  profile: { answers: { 'unknown-kb-id': 'refuse' } },
  // No knowledge base has what the suite makes up: without an identifier that exists, those checks stay open.
  retarget: naming(({ kbFolderId: _, kbDocumentId: __, ...others }) => others),
};

/** Conforming targets whose target file says less. */
const ofTargets: readonly Variant[] = [
  {
    id: 'target with single sign-on only',
    description: 'The target file knows one actor, by the claims of single sign-on.',
    retarget: onlyActors(({ admin }) => ({ admin: admin?.sso ? { sso: admin.sso } : {} })),
  },
  {
    id: 'target with password only',
    description: 'The target file knows one actor, by the password.',
    retarget: onlyActors(({ admin }) => ({ admin: admin?.login ? { login: admin.login } : {} })),
  },
  {
    id: 'target with a token only',
    description: 'The target file has an access token, and there is no sign-in.',
    retarget: async (target) => ({ ...target, actors: { admin: { accessToken: await signedIn(target) } } }),
  },
  {
    id: 'target without actors',
    description: 'The target file has no actors.',
    retarget: onlyActors(() => ({})),
  },
];

/** Checks that cannot pass at a variant, besides those whose needs its target file does not meet. */
export const notPassing: Readonly<Record<string, RegExp>> = {
  'empty-tenant':
    /^keys-(id|provider|name|status|created-at|no-secret|provider-lower-case|unique|seven-providers|of-the-tenant|filter.*)$/,
  'one-key': /^keys-filter-(provider-only|status-only|both)$/,
  'kb-ids-looked-up': /^recording-update-(kb-.*|all)$/,
};

/** Every conforming variant: none of them may raise an alarm. */
export const variants = (): readonly Variant[] => [
  ...ofProfiles(),
  ...ofVariations(),
  oneSession,
  onePat,
  knownIds,
  ...ofTargets,
];
