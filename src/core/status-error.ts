import { contentOfStatus, renderError } from './error-body.ts';
import { type MockRequest, pathOf } from './message.ts';
import { timestamp } from './operations/present.ts';
import type { World } from './world/world.ts';

/** The error of a status in the profile's shape, where no operation answers. */
export function statusError(
  { answers, clock }: World,
  status: number,
  message: string,
  { method, url }: Pick<MockRequest, 'method' | 'url'>,
): { readonly text: string; readonly mediaType: string } {
  const time = timestamp(clock.nowIso(), answers);
  const { body, mediaType } = renderError(contentOfStatus(status, message), answers, {
    method,
    path: pathOf(url),
    time,
    id: '0'.repeat(32),
  });
  return { text: typeof body === 'string' ? body : (JSON.stringify(body) ?? ''), mediaType };
}
