import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requests } from '../operations.ts';
import type { Part } from '../part.ts';
import { memoryOf } from '../processes.ts';
import { send, signedRequests, startCommand, startMock } from '../servers.ts';
import { short, table } from '../table.ts';

interface HarFigures {
  /** MB of the file, and how many exchanges it holds. */
  readonly size: number;
  readonly entries: number;
  readonly perSecond: number;
  /** MiB. */
  readonly peakMemory: number;
}

/** `verify --har` on a large file: 1 GB in a full run. */
export const harPart: Part = {
  name: 'verify --har',
  async measure({ millions }) {
    const { size, entries, perSecond, peakMemory } = await judgedRecording(1000 * millions);
    const row = [`${short(size)} MB, ${entries.toLocaleString('en-US')} exchanges`, `${short(perSecond)} MB/s`];
    return {
      goals: [{ name: 'verify --har: memory at most', samples: [peakMemory], unit: 'MiB', atMost: 400 }],
      text: [table([['verify --har', 'speed'], row])],
      figures: { size, entries, perSecond, peakMemory },
    };
  },
};

interface Entry {
  startedDateTime: string;
}

/** `verify --har` on a file of so many MB: what an app does, again and again. */
async function judgedRecording(megabytes: number): Promise<HarFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-mock-har-'));
  try {
    const file = join(folder, 'large.har');
    const entries = writeLarge(await recordedEntries(join(folder, 'small.har')), file, megabytes * 1e6);
    const size = statSync(file).size / 1e6;
    const from = performance.now();
    const run = startCommand(['verify', '--har', file, '--allow-untested', 'all']);
    let peakMemory = 0;
    const watch = setInterval(() => {
      const memory = memoryOf(run.child.pid);
      // NaN when it has just ended.
      if (memory > peakMemory) peakMemory = memory;
    }, 50);
    await run.ended.finally(() => clearInterval(watch));
    return { size, entries, perSecond: size / ((performance.now() - from) / 1000), peakMemory };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a session of an app sends, as `serve --record` keeps it. */
async function recordedEntries(file: string): Promise<Entry[]> {
  const server = await startMock(['--record', file]);
  const headers = await signedRequests(server);
  for (const title of ['Weekly', 'Weekly, edited', 'Weekly, done'])
    await (await send(server.baseUrl, { ...requests.update, body: JSON.stringify({ title }) }, headers)).text();
  for (const query of ['', '?provider=openai', '?status=active'])
    await (await send(server.baseUrl, { ...requests.list, path: requests.list.path + query }, headers)).text();
  await server.stop();
  return (JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: Entry[] } }).log.entries;
}

/** Repeats the session, one exchange per millisecond, within the life of its token. Returns how many exchanges it wrote. */
function writeLarge(session: readonly Entry[], file: string, bytes: number): number {
  const start = Date.parse(session[0]?.startedDateTime ?? '');
  const target = openSync(file, 'w');
  let written = writeSync(target, '{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[');
  let entries = 0;
  while (written < bytes) {
    const texts = session.map((entry, at) => {
      const startedDateTime = new Date(start + entries + at).toISOString();
      return JSON.stringify({ ...entry, startedDateTime });
    });
    written += writeSync(target, (entries === 0 ? '' : ',\n') + texts.join(',\n'));
    entries += session.length;
  }
  writeSync(target, ']}}');
  closeSync(target);
  return entries;
}
