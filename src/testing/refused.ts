import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../core/spec/config-error.ts';

export function fileWith(text: string, name = 'data.yaml'): string {
  const file = join(mkdtempSync(join(tmpdir(), 'file(b[')), name);
  writeFileSync(file, text);
  return file;
}

/** The reasons for which a call is refused, with FILE in the place of that path; none if it is not refused. */
export async function reasonsOf(call: () => unknown, file = '\0'): Promise<readonly string[]> {
  try {
    await call();
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.reasons.map((reason) => reason.replaceAll(file, 'FILE'));
  }
}
