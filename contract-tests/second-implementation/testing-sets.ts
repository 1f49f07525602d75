/** Looks for broken statements about updates of several fields. */
import { isObject, type JsonObject } from './http.ts';
import type { Client } from './testing-client.ts';

/** The sets of the writable fields, each of which is one more way to do an update. */
export async function checkSets(client: Client, token: string, all: JsonObject): Promise<void> {
  const entries = Object.entries(all);
  for (let set = 1; set < 2 ** entries.length; set++) {
    const sent = Object.fromEntries(entries.filter((_, at) => set & (2 ** at)));
    const { ok, json } = await client.update(sent, token);
    client.findings.expect(ok || Object.keys(sent).length === 1, 'REC-06');
    if (!ok) continue;
    client.findings.expect(isObject(json) && 'filename' in json, 'REC-07');
    client.findings.expect(!isObject(json) || !('filename' in json) || 'language' in json, 'REC-16');
  }
}
