/** Puts settings, hooks, data and instances together. */
import { buildApp } from './app.ts';
import { defectRows } from './defects/index.ts';
import type { Hooks } from './hooks.ts';
import { listen } from './listen.ts';
import { seed } from './seed.ts';
import { faithful, type Settings } from './settings.ts';
import { styleRows } from './styles/index.ts';
import type { Target } from './target.ts';
import { createWorld } from './world.ts';

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

interface Variation {
  id: string;
  settings?: Partial<Settings>;
  hooks?: Hooks;
}

function pick<T extends Variation>(rows: readonly T[], id: string | undefined, kind: string): Variation[] {
  if (id === undefined) return [];
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw new Error(`No ${kind} is called "${id}"`);
  return [row];
}

export async function start(options: StartOptions = {}): Promise<Running> {
  const variations = [...pick(styleRows, options.style, 'style'), ...pick(defectRows, options.defect, 'defect')];
  const settings: Settings = Object.assign({}, faithful, ...variations.map((variation) => variation.settings));
  const world = createWorld(
    settings,
    variations.flatMap((variation) => variation.hooks ?? []),
  );
  const apps = await Promise.all(Array.from({ length: settings.replicas }, (_, replica) => buildApp(world, replica)));
  const { origin, close } = await listen(apps, options.port ?? 0);
  const baseUrl = origin + settings.basePath;
  return { baseUrl, target: seed(world, baseUrl), close };
}
