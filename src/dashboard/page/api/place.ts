// Where this page stands: everything it calls is relative to that, so it works below a sandbox's prefix too.

/** The control plane's own folder, e.g. `http://127.0.0.1:4010/~test-1/_mock/`. */
export const controlUrl = new URL('./', window.location.href);

const sandboxPrefix = /\/~([^/]+)\/_mock\/$/.exec(controlUrl.pathname);

/** Name of the sandbox that the page belongs to; undefined for the main world. */
export const ownSandbox: string | undefined = sandboxPrefix?.[1] && decodeURIComponent(sandboxPrefix[1]);

/** The dashboard of a sandbox, or of the main world. */
export function dashboardOf(sandbox?: string): string {
  const root = controlUrl.pathname.replace(/(\/~[^/]+)?\/_mock\/$/, '');
  return `${root}${sandbox === undefined ? '' : `/~${encodeURIComponent(sandbox)}`}/_mock/`;
}
