import type { Connect, Logger, Plugin, PreviewServer, ViteDevServer } from 'vite';
import { createMock, type MockOptions } from '../index.ts';
import { mockPaths, withoutSlash } from './paths.ts';

export interface VitePluginOptions extends MockOptions {
  /** Path under which the app reaches the mock, e.g. `/api`. Default: the root. */
  readonly base?: string;
}

const ofMock = new RegExp(`^${mockPaths}`);

/** Vite plugin: the mock under the app's own dev server and preview. Its dashboard is at `${base}/_mock/`. */
export function platformMock({ base = '', ...options }: VitePluginOptions = {}): Plugin {
  const prefix = withoutSlash(base);
  const mount = async ({ middlewares, httpServer, config }: ViteDevServer | PreviewServer): Promise<void> => {
    const mock = await createMock({ log: logTo(config.logger), ...options });
    const serve: Connect.NextHandleFunction = (request, response, next) => {
      const url = request.url ?? '/';
      const below = url.startsWith(prefix) ? url.slice(prefix.length) : '';
      if (!ofMock.test(below)) return next();
      request.url = below;
      mock.app(request, response, next);
    };
    middlewares.use(serve);
    httpServer?.once('close', () => {
      mock.worlds.close();
      try {
        mock.save();
      } catch (error) {
        // Vite also closes a server to start it anew; that must not fail.
        config.logger.error(String(error));
      }
    });
  };
  return { name: 'platform-mock', configureServer: mount, configurePreviewServer: mount };
}

const logTo =
  (logger: Logger): MockOptions['log'] =>
  (level, message) =>
    logger[level](message, { timestamp: true });
