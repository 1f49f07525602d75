import { spawn } from 'node:child_process';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardGroup, HAS_GROUPS, signalGroup } from '../commands/signals.ts';
import { TransportError } from '../errors.ts';
import { readTarget, type Target, type TargetChoice } from '../session/target-file.ts';
import { asText } from '../values/json.ts';

/** A deployment that was started for one trial. */
export interface Fresh {
  target: Target;
  stop(): Promise<void>;
}

const START_MS = 60_000;
/** Milliseconds between the request to end and the end by force. */
const GRACE_MS = 5_000;
const MOMENT_MS = 300;
const MAX_OUTPUT = 1024 * 1024;
const MAX_SHOWN = 2_000;

/** The text before the line `---`, once there is one; a YAML document may begin with such a line, too. */
function readyIn(output: string): string | undefined {
  const lines = output.split('\n').slice(0, -1);
  const isEnd = (line: string): boolean => line.trimEnd() === '---';
  const start = isEnd(lines[0] ?? '') ? 1 : 0;
  const end = lines.findIndex((line, at) => isEnd(line) && lines.slice(start, at).some((each) => each.trim() !== ''));
  return end < 0 ? undefined : lines.slice(start, end).join('\n');
}

/**
 * Runs a command by the shell, until it prints a target file and `---`. Its process group ends with `stop`, or with this process.
 * @throws TransportError where it ends before that or takes too long, UsageError where it prints something else
 */
export async function startFresh(command: string, options: Omit<TargetChoice, 'target' | 'text'> = {}): Promise<Fresh> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'], detached: HAS_GROUPS });
  const release = guardGroup(child);
  const closed = new Promise((resolve) => child.once('close', resolve));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr = (stderr + part).slice(-MAX_SHOWN);
  });
  const stop = async (): Promise<void> => {
    signalGroup(child, 'SIGTERM');
    await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })]);
    // Those without a part in its outputs are not seen to end, and even then are there until the system removes them.
    for (let waited = 0; waited < MOMENT_MS && signalGroup(child, 0); waited += 10) await sleep(10);
    signalGroup(child, 'SIGKILL');
    release();
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    const text = await new Promise<string>((resolve, reject) => {
      const fail = (why: string): void => {
        const said = stderr.trim() === '' ? '' : `: ${stderr.trim()}`;
        reject(new TransportError(`--fresh: ${why} before it printed a target file and a line ---${said}`));
      };
      timer = setTimeout(() => fail(`the command ran for ${START_MS / 1000} s`), START_MS);
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        stdout = (stdout + part).slice(0, MAX_OUTPUT);
        const found = readyIn(stdout);
        if (found === undefined) return;
        child.stdout.removeAllListeners('data').resume();
        resolve(found);
      });
      child.once('close', (code, signal) => fail(`the command ended (${signal ?? `exit code ${asText(code)}`})`));
      child.once('error', ({ message }) => fail(`the command failed (${message})`));
    });
    return { target: readTarget({ ...options, target: 'the output of --fresh', text }), stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
