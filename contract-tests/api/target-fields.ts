import { isObject, memberOf } from '../values/json.ts';

/** Fields of the target file that a check cannot do without. */
export const TARGET_FIELDS = [
  'actors.admin',
  'actors.admin.sso',
  'actors.admin.login',
  'actors.admin.expiredToken',
  'actors.member',
  'actors.member.sso',
  'resources.recordingId',
  'resources.otherRecordingId',
  'resources.tenantId',
  'resources.otherTenantId',
  'reads.recording',
] as const;
export type TargetField = (typeof TARGET_FIELDS)[number];

export const lacking = (field: TargetField): string => `the target file has no ${field}`;

/** Whether the target file has a field; an actor needs a credential. */
export function isGiven(target: object, field: TargetField): boolean {
  const names = field.split('.');
  const value = names.reduce<unknown>((at, name) => (isObject(at) ? memberOf(at, name) : undefined), target);
  const isActor = names[0] === 'actors' && names.length === 2;
  return isActor ? isObject(value) && Object.keys(value).length > 0 : value !== undefined;
}
