import { contentOfStatus, renderError } from './error-body.ts';
import { type MockRequest, pathOf } from './message.ts';
import type { World } from './world/world.ts';

/** The error of a status in the profile's shape, where no operation answers. */
export function statusError(
  world: World,
  status: number,
  message: string,
  { method, url }: Pick<MockRequest, 'method' | 'url'>,
): { readonly text: string; readonly mediaType: string } {
  const occasion = { method, path: pathOf(url), id: '0'.repeat(32) };
  const { body, mediaType } = renderError(contentOfStatus(status, message), world, occasion);
  return { text: typeof body === 'string' ? body : (JSON.stringify(body) ?? ''), mediaType };
}
