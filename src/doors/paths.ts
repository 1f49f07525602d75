import type { Worlds } from '../core/world/worlds.ts';

/** Pattern of the mock's paths below its base URL: API, control plane, sandboxes and custom routes. Others are the app's. */
export function mockPaths({ services }: Pick<Worlds, 'services'>): string {
  const own = new Set(services.routes.set.routes.map(({ path }) => path).filter((path) => !path.startsWith('/v1/')));
  return `(?:/(?:v1|_mock|(?:~|%7[eE])[^/?]*)(?=[/?]|$)${[...own].map((path) => `|${patternOf(path)}(?=\\?|$)`).join('')})`;
}

const patternOf = (path: string): string => literal(path.replaceAll(/\{[^{}]+\}/g, '\0')).replaceAll('\0', '[^/?]+');

export const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

export function withoutSlash(base: string): string {
  let end = base.length;
  while (base[end - 1] === '/') end -= 1;
  return base.slice(0, end);
}
