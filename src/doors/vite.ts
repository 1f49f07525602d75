import type { Connect, Logger, Plugin, PreviewServer, ViteDevServer } from 'vite';
import { createMock, type Mock, type MockOptions } from '../index.ts';
import { mockPaths, withoutSlash } from './paths.ts';

export interface VitePluginOptions extends MockOptions {
  /** Path under which the app reaches the mock, e.g. `/api`. Default: the root. */
  readonly base?: string;
}

/** The mock of each state file: Vite restarts a dev server by creating the new one before it closes the old one. */
const mocks = new Map<string, Mock>();

/** Vite plugin: the mock under the app's own dev server and preview. Its dashboard is at `${base}/_mock/`. */
export function platformMock({ base = '', ...options }: VitePluginOptions = {}): Plugin {
  const prefix = withoutSlash(base);
  const mount = async ({ middlewares, httpServer, config }: ViteDevServer | PreviewServer): Promise<void> => {
    const { stateFile } = options;
    if (stateFile !== undefined) await mocks.get(stateFile)?.close();
    const mock = await createMock({ log: logTo(config.logger), ...options });
    if (stateFile !== undefined) mocks.set(stateFile, mock);
    const ofMock = new RegExp(`^${mockPaths(mock.worlds)}`);
    const serve: Connect.NextHandleFunction = (request, response, next) => {
      const url = request.url ?? '/';
      const below = url.startsWith(prefix) ? url.slice(prefix.length) : '';
      if (!ofMock.test(below)) return next();
      request.url = below;
      mock.app(request, response, next);
    };
    middlewares.use(serve);
    httpServer?.once('close', () => {
      // Vite also closes a server to restart it, which must not fail.
      mock.close().catch((error: unknown) => config.logger.error(String(error)));
    });
  };
  return { name: 'platform-mock', configureServer: mount, configurePreviewServer: mount };
}

const logTo =
  (logger: Logger): MockOptions['log'] =>
  (level, message) =>
    logger[level](message, { timestamp: true });
