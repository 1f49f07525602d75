import { createHash } from 'node:crypto';
import { splitSandbox } from '../../core/world/worlds.ts';

/** Path of the control plane about one sandbox, below each world's prefix. */
const aboutSandbox = /^\/_mock\/sandboxes\/([^/?]+)(?=\?|$)/;

/**
 * The sandboxes that a URL names: the one that it makes, shows or deletes, and the one that it addresses. The process of the
 * first one answers.
 */
export function sandboxesIn(sent: string): string[] {
  const { name, url } = splitSandbox(sent);
  const [, about] = aboutSandbox.exec(url) ?? [];
  return [decoded(about), name].filter((each) => each !== undefined);
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * The worker, from 0, that answers for a URL: the one that holds its sandbox; worker 0 holds the main world. The same for the same number of workers, on any
 * machine.
 */
export const ownerOfUrl = (url: string, workers: number): number => ownerOf(sandboxesIn(url)[0], workers);

/** The same for the name of a sandbox. */
export const ownerOf = (sandbox: string | undefined, workers: number): number =>
  sandbox === undefined || sandbox === '' ? 0 : createHash('sha256').update(sandbox).digest().readUInt32BE() % workers;
