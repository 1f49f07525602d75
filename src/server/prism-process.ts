import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../core/spec/config-error.ts';
import { joinedLines, startServer } from './child-server.ts';

export interface PrismOptions {
  readonly document: object;
  /** The path of the document, if it is in a file: it may refer to others in its folder. */
  readonly file?: string | undefined;
  /** The target that Prism proxies to; without one, it is a mock of the document. */
  readonly upstream?: string;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Receives each line that Prism logs after it listens. */
  readonly log?: (line: string) => void;
}

export type PrismProcess = Awaited<ReturnType<typeof startPrism>>;

/** The tested version, the last one for Node 20. */
export const prismVersion = '5.14.2';

/** Preloaded into Prism: exits when stdin closes, which happens when our process ends, even if it is killed. */
const endWithUs = 'data:text/javascript,process.stdin.resume().on("end",()=>process.exit()).unref()';

/** Starts Prism with `document` and waits until it listens; throws ConfigError if it is not installed or does not start. */
export async function startPrism(options: PrismOptions) {
  const { document, upstream, host, port, env, log } = options;
  const cli = findPrism();
  const folder = mkdtempSync(join(tmpdir(), 'platform-mock-prism-'));
  const file = options.file ?? join(folder, 'openapi.json');
  if (options.file === undefined) writeFileSync(file, JSON.stringify(document));
  const words = [
    '--import',
    endWithUs,
    cli,
    ...(upstream === undefined ? ['mock', file, '--cors', 'false'] : ['proxy', file, upstream]),
    '--host',
    host,
    '--port',
    String(port),
    '--multiprocess',
    'false',
  ];
  const problem = (output: string): Error => new ConfigError([startProblem(output, host, port)]);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const server = await startServer(words, { ...process.env, ...env }, problem, log).catch((error: unknown) => {
    remove();
    throw error;
  });
  void server.ended.then(remove);
  return { ...server, [Symbol.asyncDispose]: server.stop };
}

function startProblem(output: string, host: string, port: number): string {
  if (output.includes('EADDRINUSE')) return `port ${port} on ${host} is in use; choose another with --port`;
  const reason = /fatal +(.+)/.exec(output)?.[1] ?? joinedLines(output).slice(-500);
  return `Prism did not start: ${reason.trim() || 'no output'}`;
}

/** Prism's command in this package or the working directory; throws ConfigError with the command that installs it. */
export function findPrism(
  from: readonly string[] = [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json')).href],
): string {
  for (const place of from) {
    try {
      return createRequire(place).resolve('@stoplight/prism-cli/dist/index.js');
    } catch {
      // Try the next place.
    }
  }
  throw new ConfigError([
    `Prism is not installed; add it with: npm install --save-dev @stoplight/prism-cli@${prismVersion}`,
  ]);
}
