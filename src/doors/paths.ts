/** Pattern of what is the mock's below its base URL: the API, the control plane and sandboxes. All else is the app's own. */
export const mockPaths = '/(?:v1|_mock|(?:~|%7[eE])[^/?]*)(?=[/?]|$)';

/** A base URL or path without a slash at its end. */
export function withoutSlash(base: string): string {
  let end = base.length;
  while (base[end - 1] === '/') end -= 1;
  return base.slice(0, end);
}
