import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The variable with which `serve` ends when its input does: when the process that started it is gone, however that ended. */
export const endsWithStdin = 'PLATFORM_MOCK_ENDS_WITH_STDIN';

/** Starts a server as a process that ends with this one, and waits for its address; throws what `problem` makes of its output. */
export async function startServer(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  problem: (output: string, code: number | null) => Error,
  log = (_line: string): void => {},
) {
  const child = spawn(process.execPath, words, { stdio: 'pipe', env });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  void ended.then(() => process.off('exit', kill));
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const output: string[] = [];
    let url: string | undefined;
    const onLine = (line: string) => {
      if (url !== undefined) return log(line);
      output.push(line);
      url = /listening on (https?:\/\/[^\s"]+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    };
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine);
    // Where the machine can start no more processes.
    child.once('error', reject);
    void ended.then((code) => reject(problem(output.join('\n'), code)));
  });
  const stop = async (): Promise<void> => {
    kill();
    await ended;
  };
  return { baseUrl, ended, stop };
}

export const joinedLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
