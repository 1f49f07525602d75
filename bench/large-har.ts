import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials, requests, send, startMock } from './peers.ts';

interface Entry {
  startedDateTime: string;
}

/** A HAR file of so many MB in a temporary folder: what an app does, again and again. */
export async function largeHar(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'platform-mock-har-'));
  const path = join(folder, 'large.har');
  const exchanges = repeat(await recordedSession(join(folder, 'small.har')), path, megabytes * 1e6);
  return {
    path,
    exchanges,
    megabytes: statSync(path).size / 1e6,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** What a session of an app sends, as `serve --record` keeps it. */
async function recordedSession(file: string): Promise<Entry[]> {
  const server = await startMock(['--record', file]);
  const headers = await credentials();
  for (const title of ['Weekly', 'Weekly, edited', 'Weekly, done'])
    await (await send(server.baseUrl, { ...requests.update, body: JSON.stringify({ title }) }, headers)).text();
  for (const query of ['', '?provider=openai', '?status=active'])
    await (await send(server.baseUrl, { ...requests.list, path: requests.list.path + query }, headers)).text();
  await server[Symbol.asyncDispose]();
  return (JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: Entry[] } }).log.entries;
}

/** Repeats the session, one exchange per millisecond, within the life of its token. Returns how many exchanges it wrote. */
function repeat(session: readonly Entry[], file: string, bytes: number): number {
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
