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
  // npm writes it last.
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return undefined;
  const command = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', 'bench/peers'];
  progress(`npm ${command.join(' ')}`);
  try {
    await runForeign('npm', command, process.cwd());
    return undefined;
  } catch (error) {
    // What npm says names folders and addresses, which must not get into the page.
    progress(error instanceof Error ? error.message : String(error));
    return 'npm ci --prefix bench/peers failed';
  }
}
