import { partsOfPat } from '../api/token-forms.ts';
import type { JsonObject } from '../values/json.ts';
import { answerFor, learnTemplate, type Place } from './shape-learner.ts';

const isTime = (value: string): boolean => /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));

/** What stands for a value of the answer that holds a new PAT. What is not known is never written down. */
function candidates(value: unknown, { name, inList }: Place, sent: JsonObject): unknown[] {
  if (/expires/i.test(name) && (value === null || (typeof value === 'string' && isTime(value))))
    return ['${expiresAt}'];
  if (value === null || typeof value === 'boolean') return [value];
  if (Array.isArray(value)) {
    const areNames = value.every((item) => typeof item === 'string') && /scope|abilit|permission/i.test(name);
    return areNames ? ['${scopes}'] : value.length === 0 ? [value] : [];
  }
  if (typeof value !== 'string' || inList) return [];
  if (partsOfPat(value)) return ['${token}'];
  if (Object.values(sent).includes(value) || /^(?:name|label|title|description)$/i.test(name)) return ['${name}'];
  if (/(?:created|updated|issued)/i.test(name) && isTime(value)) return ['${createdAt}'];
  return /^(?:id|token_?id|key_?id)$/i.test(name) ? ['${id}'] : [];
}

/** The shape of the answer that holds a new PAT: as a profile names it, or written out. */
export const patShape = (made: JsonObject, sent: JsonObject): unknown =>
  answerFor('pat-create-response', {
    template: learnTemplate([made], { candidates: ({ value }, place) => candidates(value, place, sent) }),
  });

/** The body that a new PAT was requested with, its values taken for what they mean. */
export function patRequestShape(sent: JsonObject): unknown {
  const members = Object.entries(sent).map(([name, value]) => {
    const meaning = Array.isArray(value) ? '${scopes}' : typeof value === 'number' ? '${days}' : '${name}';
    return [name, meaning];
  });
  const template = Object.fromEntries(members) as Record<string, string>;
  // Scopes may be added where they are not needed: nothing shows otherwise.
  if ('name' in template && !('scopes' in template)) template['scopes?'] = '${scopes}';
  return answerFor('pat-create-request', {
    template: members.length === 0 ? { 'name?': '${name}', 'scopes?': '${scopes}' } : template,
  });
}
