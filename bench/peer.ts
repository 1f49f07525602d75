import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A package of bench/peers, whose types are not installed here. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export const peer = (id: string): Promise<Record<string, any>> =>
  import(pathToFileURL(createRequire(join(process.cwd(), 'bench/peers/package.json')).resolve(id)).href);
