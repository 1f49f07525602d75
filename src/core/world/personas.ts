import type { World } from './world.ts';

export type Personas = ReturnType<typeof personasOf>;

/** Actors and resources for /_mock/target: by the order of the fixtures, the first confirmed administrator, a member of the same tenant, and theirs. */
export function personasOf({ store }: World) {
  const users = [...store.users.all()];
  const admin = users.find((user) => user.administrator && user.confirmed);
  const member = users.find((user) => !user.administrator && user.confirmed && user.tenant === admin?.tenant);
  const owned = admin ? store.recordings.lookup('user', admin.id) : [];
  const recording = owned.find((candidate) => candidate.status === 'completed') ?? owned[0];
  // One that is no longer being processed.
  const ofMember = member ? store.recordings.lookup('user', member.id) : [];
  const otherRecording =
    ofMember.find(({ status }) => status === 'completed') ?? ofMember.find(({ status }) => status === 'failed');
  const otherTenant = [...store.tenants.all()].find((tenant) => tenant.id !== admin?.tenant);
  const others = users.filter((user) => user !== admin && user !== member);
  return { admin, member, others, recording, otherRecording, otherTenant };
}
