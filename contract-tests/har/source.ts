import { namedActors, type TargetActors } from '../api/named-actors.ts';
import { SSO_PATH } from '../api/operations.ts';
import type { Secret } from '../secrets/known.ts';
import { claimsIn } from '../secrets/pseudonym.ts';
import { memberOf } from '../values/json.ts';

export interface SourceActor {
  role: 'admin' | 'member';
  userId?: string | undefined;
  tenantId?: string | undefined;
  sso?: Record<string, string> | undefined;
  login?: Record<string, unknown> | undefined;
}

/** Whose a recording is: the member `_source` of its log, by which `replay` finds the counterparts at a target. */
export interface Source {
  baseUrl?: string | undefined;
  /** By their names in the target file. */
  actors: Record<string, SourceActor>;
  resources: Record<string, unknown>;
  /** Its answers to gaps, where they are not those of the default profile. */
  answers?: Record<string, unknown> | undefined;
}

/** The findings of each check of a run, in the order of its report: the numbers of the entries that show each. */
export type FindingEntries = Record<string, { finding: string; entries: number[] }[]>;

interface Described {
  baseUrl?: string | undefined;
  actors?: TargetActors;
  resources?: object;
  profile?: string | { answers?: Record<string, unknown> };
}

/** What a recording says of the target that it was made at; its claims and logins are not secret before they went through a sieve. */
export function sourceOf(
  { baseUrl, actors, resources = {}, profile }: Described,
  userIds: Record<string, string | undefined> = {},
): Source {
  const own = Object.entries(namedActors(actors)).flatMap(([name, given]): [string, SourceActor][] => {
    if (!given) return [];
    const { role = name === 'member' ? 'member' : 'admin', sso, login } = given;
    const { tenantId = memberOf({ ...resources }, 'tenantId') } = given;
    return [[name, { role, userId: memberOf(userIds, name), tenantId: tenantId as string, sso, login }]];
  });
  return {
    baseUrl,
    actors: Object.fromEntries(own),
    resources: { ...resources, analysis: undefined },
    ...(typeof profile === 'object' && { answers: profile.answers }),
  };
}

/** The identities that a source names: no entry before the first sign-in shows them as they are. */
export const claimsOf = ({ actors }: Source): Secret[] =>
  Object.values(actors).flatMap(({ sso = {} }) => claimsIn({ url: SSO_PATH, body: JSON.stringify(sso) }));
