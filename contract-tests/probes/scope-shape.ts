import { isObject } from '../values/json.ts';
import { answerFor, learnTemplate, type Seen } from './shape-learner.ts';

/** Members that name a scope within its record, the likeliest first. */
export const NAME_MEMBERS = ['name', 'key', 'scope', 'id', 'value', 'code', 'slug'];

/** The answer to one actor. */
export interface ScopesAnswer {
  body: unknown;
  isAdmin: boolean;
}

/**
 * The shape of the scopes answer: as a profile names it, or written out. What differs between administrator and member
 * tells them apart; with one of them only, the name of the member does.
 */
export function scopesShape(answers: readonly ScopesAnswer[]): unknown {
  const both = new Set(answers.map(({ isAdmin }) => isAdmin)).size > 1;
  const nameMember = nameMemberIn(answers.map(({ body }) => body));
  return answerFor('scopes-response', {
    template: learnTemplate(
      answers.map(({ body }) => body),
      {
        candidates({ value, sample }: Seen, { name, inList }) {
          if (typeof value === 'boolean' && !inList) {
            const tellsAdmin = value === answers[sample]?.isAdmin && (both || /admin/i.test(name));
            return [...(tellsAdmin ? ['${isAdmin}'] : []), value];
          }
          if (typeof value === 'boolean' || value === null) return [value, false];
          if (typeof value === 'number') return [value, 0];
          if (typeof value !== 'string') return [];
          if (!inList) return [];
          return nameMember === undefined || name === nameMember ? ['${scope}'] : ['${description}'];
        },
      },
    ),
  });
}

/** The member that names a scope, where scopes are records; undefined where they are their names. */
function nameMemberIn(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const inside: unknown[] = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    const record = Array.isArray(value) ? value.find(isObject) : undefined;
    const found = record ? NAME_MEMBERS.find((member) => typeof record[member] === 'string') : nameMemberIn(inside);
    if (found !== undefined) return found;
  }
  return undefined;
}
