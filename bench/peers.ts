import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runForeign } from './processes.ts';

const folder = join(process.cwd(), 'bench/peers');

/** A file of bench/peers, which has packages of its own. */
export const peerFile = (name: string): string => join(folder, name);

/**
 * Installs the packages of bench/peers where they are missing.
 * @returns why that is not possible; undefined if they are there
 */
export async function installPeers(progress: (text: string) => void): Promise<string | undefined> {
  if (existsSync(join(folder, 'node_modules'))) return undefined;
  progress('npm ci --prefix bench/peers');
  try {
    await runForeign('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder], process.cwd());
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
