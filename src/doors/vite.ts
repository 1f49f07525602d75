import type { Request, Response } from 'express';
import type { Connect, Plugin } from 'vite';
import { createMock, type Mock, type MockOptions } from '../index.ts';

export interface VitePluginOptions extends MockOptions {
  /** Path under which the app reaches the mock, e.g. `/api`. Default: the root. */
  readonly base?: string;
}

/** What is the mock's below the base; all else is the app's. */
const ofMock = /^\/(v1|_mock|~[^/]*)(?=[/?]|$)/;

/** The mock of each state file: a dev server that restarts is made before the old one is closed. */
const mocks = new Map<string, Mock>();

/** Vite plugin: the mock under the app's own dev server and preview. Its dashboard is at `${base}/_mock/`. */
export function platformMock({ base = '', ...options }: VitePluginOptions = {}): Plugin {
  const prefix = base.replace(/\/$/, '');
  const mount = async (middlewares: Connect.Server): Promise<void> => {
    const { stateFile } = options;
    if (stateFile !== undefined) await mocks.get(stateFile)?.close();
    const mock = await createMock(options);
    if (stateFile !== undefined) mocks.set(stateFile, mock);
    const { app } = mock;
    middlewares.use((request, response, next) => {
      const url = request.url ?? '/';
      const below = url.startsWith(prefix) ? url.slice(prefix.length) : '';
      if (!ofMock.test(below)) return next();
      request.url = below;
      app(request as Request, response as Response, next);
    });
  };
  return {
    name: 'platform-mock',
    configureServer: ({ middlewares }) => mount(middlewares),
    configurePreviewServer: ({ middlewares }) => mount(middlewares),
  };
}
