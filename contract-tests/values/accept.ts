export type Accepted = 'json' | 'any' | 'none';

/** What the header Accept of a request says: JSON by its name, anything else, or nothing, where there is none. */
export function acceptedBy(accept = ''): Accepted {
  if (/json/i.test(accept)) return 'json';
  return accept.trim() === '' ? 'none' : 'any';
}

/** Whether a client takes JSON as an answer. */
export const takesJson = (accept = ''): boolean => accept.trim() === '' || /json|[*/]\*/i.test(accept);
