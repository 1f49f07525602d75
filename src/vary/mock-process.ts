import { spawn } from 'node:child_process';
import { packageFile } from '../server/files/package-root.ts';

/** What the mock of a run is started with, beyond the answers to try. */
export interface MockFlags {
  readonly profile?: string;
  readonly seed?: number;
  readonly recordings?: number;
  readonly fixtures?: string;
  readonly routes?: readonly string[];
}

/** A mock in a process that ends with the run. */
export interface MockProcess {
  readonly baseUrl: string;
  stop(): void;
}

/** Starts `serve` on a free port with the answers in `variables`; throws with its output if it does not start. */
export async function startMockProcess(flags: MockFlags, variables: NodeJS.ProcessEnv): Promise<MockProcess> {
  const options = Object.entries(flags).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => [`--${name}`, String(one)]),
  );
  const words = [packageFile('dist', 'src', 'cli', 'start.cjs'), 'serve', '--port', '0', '--json-logs', ...options];
  // Options of this command must not become options of `serve`.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PLATFORM_MOCK_'));
  const child = spawn(process.execPath, words, { env: { ...Object.fromEntries(own), ...variables } });
  const stop = (): boolean => child.kill('SIGKILL');
  process.once('exit', stop);
  let printed = '';
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const collect = (text: Buffer): void => {
      printed += text;
      const url = /listening on (http[^"]+)/.exec(printed)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(printed.trim().replace(/^platform-mock: /, ''))));
  });
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').resume();
  return {
    baseUrl,
    stop: () => {
      process.off('exit', stop);
      stop();
    },
  };
}
