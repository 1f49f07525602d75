import { isGiven, lacking, type TargetField } from '../api/target-fields.ts';
import { untested } from '../failure.ts';
import type { Session } from './session.ts';

/** Throws `untested`, naming the field, unless the target file has all of these. */
export function requireFields(session: Session, fields: readonly TargetField[]): void {
  const missing = fields.find((field) => !isGiven(session.target, field));
  if (missing !== undefined) throw untested(lacking(missing));
}
