import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarFile, harEntry } from '../har/write-har.ts';
import type { Passed } from '../wire/passed.ts';
import { testFolder } from './folder.ts';

const folder = testFolder();
let count = 0;

export const PASSED: Passed = {
  method: 'POST',
  url: 'http://api.example.test/v1/auth/sso',
  httpVersion: 'HTTP/1.1',
  requestHeaders: {},
  requestBody: Buffer.alloc(0),
  status: 200,
  statusText: 'OK',
  responseHeaders: {},
  responseBody: Buffer.alloc(0),
  startedAt: 0,
  durationMs: 1,
};

/** A recording of these exchanges, of which each says only what matters to a test. */
export async function harOf(exchanges: readonly Partial<Passed>[]): Promise<{ file: string; text: string }> {
  count += 1;
  const file = join(folder, `${count}.har`);
  const har = new HarFile(file);
  for (const exchange of exchanges) har.add({ ...PASSED, ...exchange });
  await har.close();
  return { file, text: readFileSync(file, 'utf8') };
}

/** The file in which a browser records these exchanges: nothing replaces their secrets. */
export async function browserHar(exchanges: readonly Partial<Passed>[]): Promise<string> {
  count += 1;
  const file = join(folder, `browser-${count}.har`);
  const entries = await Promise.all(exchanges.map((exchange) => harEntry({ ...PASSED, ...exchange })));
  writeFileSync(file, JSON.stringify({ log: { entries } }));
  return file;
}
