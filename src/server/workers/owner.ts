import { createHash } from 'node:crypto';
import { splitSandbox } from '../../core/world/worlds.ts';

/** Path of the control plane about one sandbox, below each world's prefix. */
const aboutSandbox = /^\/_mock\/sandboxes\/([^/?]+)(?=\?|$)/;

/** The sandbox whose process answers a URL: the one that it makes, shows or deletes, else the one that it addresses. */
export function sandboxOf(sent: string): string | undefined {
  const { name, url } = splitSandbox(sent);
  const [, about] = aboutSandbox.exec(url) ?? [];
  if (about === undefined) return name;
  try {
    return decodeURIComponent(about);
  } catch {
    return name;
  }
}

/**
 * The worker, from 0, that holds a sandbox; worker 0 holds the main world. The same for the same number of workers, on any
 * machine.
 */
export const ownerOf = (sandbox: string | undefined, workers: number): number =>
  sandbox === undefined || sandbox === '' ? 0 : createHash('sha256').update(sandbox).digest().readUInt32BE() % workers;
