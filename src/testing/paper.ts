import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { packageFile } from '../server/files/package-root.ts';
import { runProgram } from './program.ts';
import { freePort } from './redis.ts';

/** The fenced blocks of a page. The word after the language, where there is one, names the file that the block is. */
export const blocksOf = (page: string) =>
  [...page.matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', file = '', text = '']) => ({
    language,
    file,
    text,
  }));

/** A shell in which the package is installed. On a busy machine a deployment and a test may be slow. */
const shell = `
platform-mock() {
  case $* in *--target*) set -- "$@" --timeout 300000 ;; esac
  node '${packageFile('dist', 'src', 'cli', 'start.cjs')}' "$@"
}
npm() { case $1 in start) platform-mock serve ;; run) eval "$(node -p "require('./package.json').scripts.$2")" ;; esac; }
npx() { [ "$1" = --no-install ] && shift; "$@"; }
vitest() { command vitest "$@" --testTimeout 300000 --hookTimeout 300000; }
vite() { command vite --host 127.0.0.1 --port "$VITE_PORT" --strictPort; }
PATH="$PATH:${packageFile('node_modules', '.bin')}"
`;

/** The last line of a server that has started: each line may come on its own. */
const isReady = /Ctrl\+C stops|➜ +Dashboard/;

/** A page whose files can be written and whose commands can be run, in a folder with the package. */
export class Paper implements AsyncDisposable {
  private readonly folder: string;
  private stopServer = async (): Promise<void> => {};

  private constructor(
    /** With addresses that exist in place of those that the page names. */
    readonly blocks: ReturnType<typeof blocksOf>,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    mkdirSync(packageFile('.cache'), { recursive: true });
    this.folder = mkdtempSync(packageFile('.cache', 'paper-'));
    mkdirSync(join(this.folder, 'node_modules'));
    symlinkSync(packageFile(), join(this.folder, 'node_modules', 'platform-mock'), 'junction');
    // Otherwise Vitest takes the one of this package.
    this.write('vitest.config.ts', 'export default { test: { testTimeout: 300_000 } };');
  }

  /** @param staging where the deployment is that the page judges */
  static async open(name: string, staging: string): Promise<Paper> {
    const [port, vitePort] = [await freePort(), await freePort()];
    const blocks = (page: string) =>
      blocksOf(
        readFileSync(packageFile(page), 'utf8')
          .replaceAll('127.0.0.1:4010', `127.0.0.1:${port}`)
          .replaceAll('localhost:5173', `127.0.0.1:${vitePort}`)
          // Last: its port may begin with that of the pages.
          .replaceAll('https://staging.example.test/api', staging),
      );
    const paper = new Paper(blocks(name), { PORT: `${port}`, VITE_PORT: `${vitePort}`, QA_PASSWORD: 'ada-password' });
    // The target file of the README is that of the guides.
    for (const { file, text } of blocks('README.md')) if (file !== '') paper.write(file, text);
    return paper;
  }

  readonly write = (file: string, text: string): string => {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };

  /** Writes files and runs commands, in the order of the page; gives what each command printed and what the page shows. */
  async *run(): AsyncGenerator<{ command: string; shown: string; printed: string }> {
    for (const { language, file, text } of this.blocks) {
      if (file !== '') this.write(file, text);
      if (language !== 'console') continue;
      for (const [, command = '', shown = ''] of text.matchAll(/^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm))
        yield { command, shown, printed: await this.execute(await withToken(command)) };
    }
  }

  /** Runs a command to its end, or until it serves: then it goes on until the next server starts. */
  async execute(command: string): Promise<string> {
    if (/platform-mock serve|npm start|npm run|npx vite$/.test(command)) await this.stopServer();
    const env = { VITEST: undefined, ...this.env };
    const { child, ended, printed, output } = runProgram('bash', ['--norc', '-c', shell + command], env, {
      cwd: this.folder,
      detached: true,
    });
    // Until what it left in the background has ended, too.
    let isRunning = true;
    const over = ended.then(() => {
      isRunning = false;
    });
    await Promise.race([over, printed(isReady).catch(() => over)]);
    if (isRunning)
      this.stopServer = async () => {
        if (isRunning && child.pid) process.kill(-child.pid, 'SIGTERM');
        await over;
      };
    return stripVTControlCharacters(output());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopServer();
    rmSync(this.folder, { recursive: true, maxRetries: 3 });
  }
}

/** A command with a token of the mock that it addresses in place of `eyJ…`. */
async function withToken(command: string): Promise<string> {
  const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(command) ?? [];
  if (!command.includes('eyJ…')) return command;
  const headers = { 'Content-Type': 'application/json' };
  const minted = await fetch(`${origin}/_mock/tokens`, { method: 'POST', headers, body: '{"user":"usr_ada"}' });
  const { token } = (await minted.json()) as { token: string };
  return command.replaceAll('eyJ…', token);
}
