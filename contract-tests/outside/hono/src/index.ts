import type { Server } from 'node:http';
import type { ServerType } from '@hono/node-server';
import { serve } from '@hono/node-server';
import { createApp } from './app.ts';
import type { Target } from './contract.ts';
import { defects } from './defects/index.ts';
import type { Hooks } from './hooks.ts';
import { faithful } from './settings.ts';
import { styles } from './styles/index.ts';
import { describeTarget } from './target.ts';
import { createWorld } from './world.ts';

export type { Actor, Target } from './contract.ts';
export { defects, styles };

export interface StartOptions {
  style?: string;
  defect?: string;
  port?: number;
}
export interface Running {
  baseUrl: string;
  target: Target;
  close(): Promise<void>;
}

function pick<T extends { id: string }>(rows: readonly T[], id: string | undefined, kind: string): T | undefined {
  if (id === undefined) return undefined;
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw new Error(`unknown ${kind}: ${id}`);
  return row;
}

/** Start one independent server; a defect sits outside the style it is combined with. */
export async function start(options: StartOptions = {}): Promise<Running> {
  const style = pick(styles, options.style, 'style');
  const defect = pick(defects, options.defect, 'defect');
  const world = createWorld({ ...faithful, ...style?.settings });
  const layers = [style?.hooks?.(world), defect?.hooks(world)].filter((layer): layer is Hooks => layer !== undefined);
  const app = createApp(world, layers);

  let server!: ServerType;
  const port = await new Promise<number>((resolve, reject) => {
    // The process is shared with other instances and their judge: leave its global Request and Response alone.
    const settings = { fetch: app.fetch, hostname: '127.0.0.1', port: options.port ?? 0, overrideGlobalObjects: false };
    server = serve(settings, (info) => resolve(info.port));
    // Longer than a busy judge pauses, so that no kept-alive connection is closed under its next request.
    (server as Server).keepAliveTimeout = 65_000;
    server.once('error', reject);
  });

  const baseUrl = `http://127.0.0.1:${port}${world.settings.basePath}`;
  return {
    baseUrl,
    target: describeTarget(world, baseUrl),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        (server as Server).closeAllConnections();
      }),
  };
}
