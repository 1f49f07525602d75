import type { IncomingMessage, ServerResponse } from 'node:http';
import { isControl } from '../control/is-control.ts';
import { readyApi } from '../core/api.ts';
import { pathOf } from '../core/message.ts';
import { claimsOf } from '../core/operations/tokens.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import { type ApiDocument, operationsOf } from '../core/spec/document.ts';
import { splitSandbox, type Worlds } from '../core/world/worlds.ts';
import { forwarder } from './forward.ts';
import type { UpstreamOptions } from './upstream-options.ts';

/** Sends a request on and says so, where the upstream is to answer it; false leaves it to the mock. */
export type Upstream = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * What the mock does not know is answered by the upstream: paths and methods that no operation has. The control plane and
 * sandboxes are always the mock's.
 * @throws ConfigError for an upstream that is none, a path without a slash, or an operation that does not exist
 */
export function upstreamOf(worlds: Worlds, options: UpstreamOptions): Upstream {
  const { only = [], mockOnly } = options;
  const problem = problemOf(worlds, options);
  if (problem !== undefined) throw new ConfigError([problem]);
  const paths = only.map(patternOf);
  const forward = forwarder({ ...options, isOwnToken: (token) => isOwnToken(worlds, token) });
  const isForUpstream = ({ method = 'GET', url = '/' }: IncomingMessage): boolean => {
    if (isControl(url) || splitSandbox(url).url !== url) return false;
    const path = pathOf(url);
    if (paths.some((pattern) => pattern.test(path))) return true;
    // A preflight is about the request that follows it, and pages are let in by the mock.
    const found = readyApi(worlds.main.answers)?.find(method === 'HEAD' ? 'GET' : method, path);
    const operation = typeof found === 'object' && 'operation' in found ? found.operation.id : undefined;
    if (method === 'OPTIONS' && found !== undefined && mockOnly === undefined) return false;
    return operation === undefined || (mockOnly !== undefined && !mockOnly.includes(operation));
  };
  return (request, response) => {
    if (!isForUpstream(request)) return false;
    forward(request, response);
    return true;
  };
}

function problemOf(worlds: Worlds, { upstream, only = [], mockOnly = [], token }: UpstreamOptions): string | undefined {
  if (!/^https?:\/\//i.test(upstream) || !URL.canParse(upstream))
    return `--upstream ${upstream}: expected a URL that starts with http:// or https://`;
  const relative = only.find((path) => !path.startsWith('/'));
  if (relative !== undefined) return `--upstream-only ${relative}: a path starts with /`;
  const known = operationIds(worlds);
  const unknown = mockOnly.find((id) => !known.includes(id));
  if (unknown !== undefined) return `--mock-only ${unknown}: unknown operation; the mock has ${known.join(', ')}`;
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    return 'the upstream token must be printable ASCII without spaces';
  return undefined;
}

const operationIds = ({ main }: Worlds): string[] =>
  operationsOf(readyApi(main.answers)?.document ?? ({ paths: {} } as ApiDocument)).map(
    ({ operation }) => operation.operationId as string,
  );

/** `/v1/users/*` as a pattern of paths. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.+?^$()|[\]\\{}]/g, '\\$&').replaceAll('*', '.*')}$`);

/** Whether any world of this mock has issued the token: no other service is to see it. */
function isOwnToken(worlds: Worlds, token: string): boolean {
  return worlds.all().some((world) => {
    if (claimsOf(world, token) !== undefined) return true;
    const prefix = `${world.answers.get('pat-prefix')}_`;
    const [tokenId = ''] = token.startsWith(prefix) ? token.slice(prefix.length).split('.') : [];
    return world.store.pats.get(tokenId) !== undefined;
  });
}
