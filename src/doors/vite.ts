import type { Connect, Plugin, PreviewServer, ResolvedConfig, ViteDevServer } from 'vite';
import { asText } from '../../contract-tests/values/json.ts';
import { ConfigError, createMock, type Log, type Mock, type MockOptions } from '../index.ts';
import { watchInputs } from '../server/files/watch.ts';
import { mockPaths, withoutSlash } from './paths.ts';

export interface VitePluginOptions extends MockOptions {
  /** Path under which the app reaches the mock, e.g. `/api`. Default: the root. */
  readonly base?: string;
}

/** The mock of each state file and recording: Vite restarts a dev server by creating the new one before it closes the old one. */
const mocks = new Map<string, Mock>();

/**
 * Vite plugin: the mock under the app's own dev server and preview. Its dashboard is at `${base}/_mock/`. Files of profile, fixtures
 * and routes are read again when they change. With an upstream, `base` names the paths that go there where the mock does not know them.
 */
export function platformMock({ base = '', ...options }: VitePluginOptions = {}): Plugin {
  if (typeof base !== 'string' || !/^(\/[^?#]*)?$/.test(base))
    throw new ConfigError([`platformMock: base must be a path such as /api; it is ${JSON.stringify(base)}`]);
  const prefix = withoutSlash(base);
  /** Ends the mock of a server. */
  const ends = new Map<ResolvedConfig, () => Promise<void>>();
  const end = async (config: ResolvedConfig): Promise<void> => {
    const endMock = ends.get(config);
    ends.delete(config);
    await endMock?.();
  };
  const mount = async (server: ViteDevServer | PreviewServer): Promise<void> => {
    const { middlewares, config } = server;
    const { state, store, upstream, record } = options;
    const files = [state, record].filter((file) => typeof file === 'string');
    for (const file of files) await mocks.get(file)?.close();
    const log: Log = options.log ?? ((level, message) => config.logger[level](message, { timestamp: true }));
    const mock = await createMock({ ...options, log });
    for (const file of files) mocks.set(file, mock);
    const stopWatching = store === undefined ? watchInputs(mock, options, log) : () => {};
    const takes = (below: string): boolean =>
      (upstream !== undefined && prefix !== '' && below.startsWith('/')) ||
      // Not compiled once: routes may change.
      new RegExp(`^${mockPaths(mock.worlds)}`).test(below);
    const serve: Connect.NextHandleFunction = (request, response, next) => {
      const url = request.url ?? '/';
      const below = url.startsWith(prefix) ? url.slice(prefix.length) : '';
      if (!takes(below)) return next();
      request.url = below;
      mock.app(request, response, next);
    };
    middlewares.use(serve);
    const printUrls = server.printUrls.bind(server);
    server.printUrls = () => {
      printUrls();
      const [url = ''] = server.resolvedUrls?.local ?? server.resolvedUrls?.network ?? [];
      const base = new URL(url).origin + prefix;
      config.logger.info(`  ➜  Mock:    ${base}\n  ➜  Dashboard: ${base}/_mock/`);
    };
    ends.set(config, async () => {
      stopWatching();
      // Vite also closes a server to restart it, which must not fail.
      await mock.close().catch((error: unknown) => config.logger.error(asText(error)));
    });
  };
  return {
    name: 'platform-mock',
    // Vite would reload the page after each report of `vary`.
    config: ({ server }) =>
      server?.watch === null ? undefined : { server: { watch: { ignored: ['**/vary-report/**'] } } },
    configureServer: mount,
    // Called in every version of Vite for a dev server that closes or restarts.
    closeBundle() {
      return end(this.environment.getTopLevelConfig());
    },
    async configurePreviewServer(server) {
      await mount(server);
      const closeServer = server.close.bind(server);
      server.close = async () => {
        await closeServer();
        await end(server.config);
      };
    },
  };
}
