import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CANARIES,
  echoed,
  HOSTILE_TARGETS,
  type HostileTarget,
  hostileTarget,
  startHostile,
} from '../../contract-tests/testing/hostile-targets.ts';
import { startProcess } from '../processes.ts';

const main = new URL('../../../../dist/src/cli/start.cjs', import.meta.url).pathname;

/** Ends what hangs. */
const mostMilliseconds = 600_000;
/** Of the canaries that are secrets, no spelling may be seen; an address may be cut at its end. */
const forbidden = [CANARIES.password, CANARIES.edgePass, CANARIES.oid, String(CANARIES.pin)].flatMap(echoed);
/** What commands a terminal or CI, in a line that is not an annotation of ours. */
const commands = /(?![\n\t])\p{Cc}|^\s*::(?!(?:error|warning) title=)|##\[/mu;

/**
 * Judges each hostile server by the built suite, as users do: in time, without a credential, commanded by nobody.
 * @returns what went wrong
 */
export async function hostileTargets(say: (text: string) => void): Promise<string[]> {
  const problems: string[] = [];
  const queue = HOSTILE_TARGETS.filter(({ isSlow }) => !isSlow);
  const lane = async (): Promise<void> => {
    for (let target = queue.shift(); target; target = queue.shift()) problems.push(...(await judge(target, say)));
  };
  await Promise.all([lane(), lane()]);
  return problems;
}

async function judge(target: HostileTarget, say: (text: string) => void): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const [file, reports] = [join(folder, 'target.json'), join(folder, 'reports')];
  const { baseUrl, close } = await startHostile(target);
  writeFileSync(file, JSON.stringify(hostileTarget(baseUrl)));
  const started = performance.now();
  const flags = ['--quick', '--json', '--timeout', '3000', '--report-dir', reports];
  const { child } = startProcess([main, 'verify', '--target', file, ...flags], {
    GITHUB_ACTIONS: 'true',
    TMPDIR: folder,
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: string) => output.push(text));
  const kill = setTimeout(() => child.kill('SIGKILL'), mostMilliseconds);
  const [code] = await once(child, 'close');
  clearTimeout(kill);
  close();
  const took = performance.now() - started;
  say(`  ${String(code).padStart(4)} ${took.toFixed(0).padStart(6)} ms  a server that ${target.description}`);

  const problems: string[] = [];
  if (code === null) problems.push(`${target.id}: not over after ${mostMilliseconds} ms, or crashed`);
  const printed = output.join('');
  const command = commands.exec(printed);
  if (command)
    problems.push(`${target.id}: printed ${JSON.stringify(printed.slice(command.index, command.index + 80))}`);
  const written = code === null ? [] : readdirSync(reports).map((name) => readFileSync(join(reports, name), 'utf8'));
  for (const secret of forbidden)
    if ([printed, ...written].some((text) => text.includes(secret))) problems.push(`${target.id}: told ${secret}`);
  const left = readdirSync(folder).filter((name) => name.startsWith('platform-mock-'));
  if (left.length > 0) problems.push(`${target.id}: left ${left.join(', ')}`);
  rmSync(folder, { recursive: true });
  return problems;
}
