import { render, shapeFor } from '../core/spec/shape.ts';
import { personasOf } from '../core/world/personas.ts';
import type { User } from '../core/world/records.ts';
import type { World } from '../core/world/world.ts';

/** How the suite can sign in as an actor. */
export interface TargetActor {
  readonly sso: { readonly oid: string; readonly tid: string; readonly upn: string };
  readonly login?: Readonly<Record<string, string>>;
}

/** A target file (DESIGN.md, part 4) that describes the mock itself. */
export interface Target {
  readonly baseUrl: string;
  readonly profile?: { readonly answers: Record<string, unknown> };
  readonly actors: { readonly admin?: TargetActor; readonly member?: TargetActor };
  readonly resources: {
    readonly recordingId?: string;
    readonly otherRecordingId?: string;
    readonly tenantId?: string;
    readonly otherTenantId?: string;
    readonly kbFolderId: string;
    readonly kbDocumentId: string;
    readonly analysis: { readonly key_topics: readonly string[] };
  };
}

/** How a user signs in under the answers in force. */
export function actorOf({ answers }: World, user: User): TargetActor {
  const { email, username, password, sso } = user;
  if (password === undefined) return { sso };
  const template = shapeFor('login-request', answers.all)?.template ?? {};
  return {
    sso,
    login: render('login-request', template, { email, username, password, any: 'any' }) as Record<string, string>,
  };
}

/** The target file of one world at `baseUrl`. */
export function targetOf(world: World, baseUrl: string): Target {
  const { admin, member, recording, otherRecording, otherTenant } = personasOf(world);
  const differences = world.answers.differences();
  return {
    baseUrl,
    ...(Object.keys(differences).length > 0 && { profile: { answers: differences } }),
    actors: {
      ...(admin && { admin: actorOf(world, admin) }),
      ...(member && { member: actorOf(world, member) }),
    },
    resources: {
      ...(recording && { recordingId: recording.id }),
      ...(otherRecording && { otherRecordingId: otherRecording.id }),
      ...(admin && { tenantId: admin.tenant }),
      ...(otherTenant && { otherTenantId: otherTenant.id }),
      // Any will do: to refuse one that is named is a fault, and not a matter of what the mock knows.
      kbFolderId: 'kbf_engines',
      kbDocumentId: 'kbd_engines',
      analysis: { key_topics: ['contract'] },
    },
  };
}
