import { type Source, sourceOf } from '../../contract-tests/har/source.ts';
import { knowledgeBase } from '../core/operations/update-recording.ts';
import type { components } from '../core/spec/control-types.ts';
import { render, shapeFor } from '../core/spec/shape.ts';
import { type Personas, personasOf } from '../core/world/personas.ts';
import type { User } from '../core/world/records.ts';
import type { World } from '../core/world/world.ts';

export type Target = components['schemas']['Target'];
type TargetActor = components['schemas']['TargetActor'];

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

const strangerIn = (others: Personas['others'], otherTenant: Personas['otherTenant']): User | undefined =>
  others.find((user) => user.administrator && user.confirmed && user.tenant === otherTenant?.id);

/** Seconds for which the expired token of the target file has been over: longer than any service allows for. */
const EXPIRED_FOR = 3600;

function expiredTokenOf({ clock, services, signingKey }: World, { id }: User): string {
  const exp = clock.nowSeconds() - EXPIRED_FOR;
  return services.jwt.sign({ sub: id, iat: exp - EXPIRED_FOR, exp }, signingKey);
}

/** The target file of one world at `baseUrl`. @param isOpen whether people of the API may use the control plane */
export function targetOf(world: World, baseUrl: string, isOpen = true): Target {
  const { admin, member, others, recording, otherRecording, otherTenant } = personasOf(world);
  const stranger = strangerIn(others, otherTenant);
  const differences = world.answers.differences();
  return {
    baseUrl,
    ...(Object.keys(differences).length > 0 && { profile: { answers: differences } }),
    actors: {
      ...(admin && { admin: { ...actorOf(world, admin), expiredToken: expiredTokenOf(world, admin) } }),
      ...(member && { member: actorOf(world, member) }),
      ...(stranger && { others: [{ role: 'admin', tenantId: stranger.tenant, ...actorOf(world, stranger) }] }),
    },
    resources: {
      ...(recording && { recordingId: recording.id }),
      ...(otherRecording && { otherRecordingId: otherRecording.id }),
      ...(admin && { tenantId: admin.tenant }),
      ...(otherTenant && { otherTenantId: otherTenant.id }),
      kbFolderId: knowledgeBase.kb_folder_id,
      kbDocumentId: knowledgeBase.kb_document_id,
      analysis: { key_topics: ['contract'] },
    },
    ...(isOpen && { reads: { recording: { path: '/_mock/state/recordings/{id}' } } }),
  };
}

/** What recordings of one world say of it; without a base URL, of which a server may have several. */
export function sourceOfWorld(world: World, baseUrl?: string): Source {
  const { admin, member, others, otherTenant } = personasOf(world);
  const stranger = strangerIn(others, otherTenant);
  return sourceOf(
    { ...targetOf(world, ''), baseUrl },
    { admin: admin?.id, member: member?.id, 'others.0': stranger?.id },
  );
}
