import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../core/spec/config-error.ts';
import type { ApiDocument } from '../core/spec/document.ts';
import { joinedLines } from './joined-lines.ts';

export interface PrismOptions {
  readonly document: ApiDocument;
  /** Where the proxy passes requests on to; without it Prism mocks the document. */
  readonly upstream?: string | undefined;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** More for Prism's environment, e.g. NODE_EXTRA_CA_CERTS. */
  readonly env?: NodeJS.ProcessEnv;
  /** Takes each line that Prism logs once it listens. */
  readonly log?: (line: string) => void;
}

/** Prism's own command, running. */
export interface PrismProcess extends AsyncDisposable {
  readonly baseUrl: string;
  /** Resolves once the process is over, whoever ended it. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** The version that is tested with this package, and the last that runs on Node 20. */
export const prismVersion = '5.14.2';

/** Loaded before Prism: ends it when its standard input ends, which it does with our process, however that is killed. */
const endWithUs = 'data:text/javascript,process.stdin.resume().on("end",()=>process.exit()).unref()';

/**
 * Starts Prism's command line, which is its public interface, on `document`, and waits until it listens.
 * @throws ConfigError when Prism is not installed, or does not start
 */
export async function startPrism(options: PrismOptions): Promise<PrismProcess> {
  const { document, upstream, host, port, env, log = () => {} } = options;
  const cli = findPrism();
  const folder = mkdtempSync(join(tmpdir(), 'platform-mock-prism-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const command = upstream === undefined ? ['mock', file] : ['proxy', file, upstream];
  const child = spawn(
    process.execPath,
    ['--import', endWithUs, cli, ...command, '--host', host, '--port', String(port), '--multiprocess', 'false'],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  );
  const kill = () => child.kill();
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
      resolve();
    });
  });
  const baseUrl = await listening(child, ended, { host, port, log });
  const stop = () => {
    child.kill();
    return ended;
  };
  return { baseUrl, ended, stop, [Symbol.asyncDispose]: stop };
}

/** Waits for Prism to say where it listens, and passes on what it says from then on. */
function listening(
  child: ChildProcess,
  ended: Promise<void>,
  { host, port, log }: Required<Pick<PrismOptions, 'host' | 'port' | 'log'>>,
): Promise<string> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('Prism was started without pipes.');
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    let isListening = false;
    const take = (line: string) => {
      if (isListening) return log(line);
      said.push(line);
      const [, baseUrl] = /Prism is listening on (http:\/\/\S+)/.exec(line) ?? [];
      if (baseUrl === undefined) return;
      isListening = true;
      resolve(baseUrl);
    };
    for (const input of [stdout, stderr]) createInterface({ input }).on('line', take);
    void ended.then(() => reject(new ConfigError([whyNot(said.join('\n'), host, port)])));
  });
}

function whyNot(said: string, host: string, port: number): string {
  if (said.includes('EADDRINUSE')) return `port ${port} on ${host} is in use; choose another with --port`;
  return `Prism did not start: ${joinedLines(said).slice(-500) || 'it said nothing'}`;
}

/**
 * The file of Prism's command: installed beside this package, or in the folder that we were called in.
 * @throws ConfigError that says what to install
 */
export function findPrism(
  from: readonly string[] = [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json')).href],
): string {
  for (const place of from) {
    try {
      return createRequire(place).resolve('@stoplight/prism-cli/dist/index.js');
    } catch {
      // Not there: try the next place.
    }
  }
  throw new ConfigError([
    `Prism is not installed; add it with: npm install --save-dev @stoplight/prism-cli@${prismVersion}`,
  ]);
}
