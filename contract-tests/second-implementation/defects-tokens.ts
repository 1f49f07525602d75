/** What can go wrong with tokens over time: how long they are good, and what else is taken for one. */
import { type Defect, defect } from './hooks.ts';

/** Counts how often each text was seen. */
function counter(): (text: string) => number {
  const counts = new Map<string, number>();
  return (text) => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count;
  };
}

/** A count that starts anew with each running implementation. */
function perApp<T>(make: () => T): (app: object) => T {
  const made = new WeakMap<object, T>();
  return (app) => {
    const value = made.get(app) ?? make();
    made.set(app, value);
    return value;
  };
}

const usesOf = perApp(counter);

export const TOKEN_DEFECTS = [
  defect('token-wears-out', ['AUT-01'], 'A JWT is refused after its thirtieth use, long before its lifetime is over.', {
    principal: (found, token, { app }) =>
      found && found.origin !== 'pat' && token && usesOf(app)(token) > 30 ? undefined : found,
  }),
] as const satisfies readonly Defect[];
