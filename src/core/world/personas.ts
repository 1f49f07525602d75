import type { Recording, Tenant, User } from './records.ts';
import type { World } from './world.ts';

/** Suggested actors and resources, e.g. for /_mock/target: chosen by the order of the fixtures. */
export interface Personas {
  readonly admin: User | undefined;
  readonly member: User | undefined;
  readonly others: readonly User[];
  /** A completed recording that admin owns. */
  readonly recording: Recording | undefined;
  /** A recording of member that is no longer being processed. */
  readonly otherRecording: Recording | undefined;
  readonly otherTenant: Tenant | undefined;
}

/** The first confirmed administrator, a member of the same tenant, and their resources. */
export function personasOf({ store }: World): Personas {
  const users = [...store.users.all()];
  const admin = users.find((user) => user.administrator && user.confirmed);
  const member = users.find((user) => !user.administrator && user.confirmed && user.tenant === admin?.tenant);
  const owned = admin ? store.recordings.lookup('user', admin.id) : [];
  const recording = owned.find((candidate) => candidate.status === 'completed') ?? owned[0];
  const ofMember = member ? store.recordings.lookup('user', member.id) : [];
  const otherRecording =
    ofMember.find(({ status }) => status === 'completed') ?? ofMember.find(({ status }) => status === 'failed');
  const otherTenant = [...store.tenants.all()].find((tenant) => tenant.id !== admin?.tenant);
  const others = users.filter((user) => user !== admin && user !== member);
  return { admin, member, others, recording, otherRecording, otherTenant };
}
