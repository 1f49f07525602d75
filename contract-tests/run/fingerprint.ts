import type { Entry } from '../log/entry.ts';
import { ACTORS } from '../model.ts';
import type { Rule, Violation } from '../rules/rule.ts';

/**
 * What makes a finding the same one in another run: the rule, the operation, the field or class of status, and the kind of caller.
 * Holds no id, no time and no text of the target.
 */
export function fingerprintOf({ id }: Rule, { by, field }: Violation): string {
  const entry = by.at(-1);
  const status = `${entry?.answer.response.status ?? 0}`.charAt(0);
  return [id, entry?.operation ?? 'other', field ?? `${status}xx`, callerOf(entry)].join('/');
}

function callerOf(entry: Entry | undefined): string {
  const { kind, who, flaw } = entry?.credential ?? {};
  // Credentials do not matter to a sign-in (4.1).
  if (kind === undefined || entry?.operation === 'sso' || entry?.operation === 'login') return 'none';
  if (flaw) return flaw.kind;
  if (who?.startsWith('others.')) return 'others';
  return ACTORS.find((actor) => actor === who) ?? 'user';
}
