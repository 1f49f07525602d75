// Where this page is served. Every call is relative to that, so the page works below a sandbox's prefix too.

/** Base URL of this world's control plane, e.g. `http://127.0.0.1:4010/~test-1/_mock/`. */
export const controlUrl = new URL('./', window.location.href);

const sandboxPrefix = /\/~([^/]+)\/_mock\/$/.exec(controlUrl.pathname);

/** Name of the sandbox that the page belongs to; undefined for the main world. */
export const currentSandbox: string | undefined = sandboxPrefix?.[1] && decodeURIComponent(sandboxPrefix[1]);

/** Path of a sandbox's dashboard and control plane, or of the main world's. */
export function dashboardPath(sandbox?: string): string {
  const root = controlUrl.pathname.replace(/(\/~[^/]+)?\/_mock\/$/, '');
  return `${root}${sandbox === undefined ? '' : `/~${encodeURIComponent(sandbox)}`}/_mock/`;
}
