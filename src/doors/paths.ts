import type { Worlds } from '../core/world/worlds.ts';

/**
 * Pattern of what is the mock's below its base URL: the API, the control plane, sandboxes, and the paths of your routes.
 * All else is the app's own.
 */
export function mockPaths({ services }: Pick<Worlds, 'services'>): string {
  const own = new Set(services.routes.set.routes.map(({ path }) => path).filter((path) => !path.startsWith('/v1/')));
  return `(?:/(?:v1|_mock|(?:~|%7[eE])[^/?]*)(?=[/?]|$)${[...own].map((path) => `|${patternOf(path)}(?=\\?|$)`).join('')})`;
}

/** A path template as a pattern. */
const patternOf = (path: string): string => literal(path.replaceAll(/\{[^{}]+\}/g, '\0')).replaceAll('\0', '[^/?]+');

/** A pattern that matches a text and nothing else. */
export const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A base URL or path without a slash at its end. */
export function withoutSlash(base: string): string {
  let end = base.length;
  while (base[end - 1] === '/') end -= 1;
  return base.slice(0, end);
}
