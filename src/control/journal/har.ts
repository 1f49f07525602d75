import { entryOf } from '../../../contract-tests/har/har-entry.ts';
import { claimsOf, type Source } from '../../../contract-tests/har/source.ts';
import { claimsIn, pseudonymizer } from '../../../contract-tests/secrets/pseudonym.ts';
import { hmacHex, randomText } from '../../core/crypto.ts';
import { statusTitle } from '../../core/error-body.ts';
import { version } from '../../core/generated/data.js';
import { Slices } from '../../core/slices.ts';
import type { Journal } from '../../core/world/journal.ts';
import { Mask } from './mask.ts';
import { type Entry, renderEntry } from './render.ts';

/** A journal as parts of a HAR 1.2 file, for browsers' tools and `verify --har`: pseudonyms replace secrets. */
export async function* harOf(journal: Journal, serverUrl: string, source: Source): AsyncGenerator<string, void> {
  const slices = new Slices();
  // Without the key, which is kept nowhere, no pseudonym leads back.
  const salt = randomText();
  const mask = new Mask(pseudonymizer(randomText(), salt, hmacHex));
  for (const claim of claimsOf(source)) mask.add(claim);
  const said = await slices.run(mask.hide(await slices.run(mask.read(JSON.stringify(source)))));
  const head = { version: '1.2', creator: { name: 'platform-mock', version }, _salt: salt, _source: JSON.parse(said) };
  yield `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`;
  let separator = '';
  for (const number of journal.numbers()) {
    const entry = journal.get(number);
    // Replaced by newer ones while the file was read.
    if (!entry) continue;
    for (const claim of claimsIn({ url: entry.url, body: entry.sentBody?.text })) mask.add(claim);
    const rendered = await slices.run(renderEntry(entry, serverUrl, mask));
    const text = separator + JSON.stringify(entryIn(rendered, serverUrl));
    separator = ',';
    yield text;
    await slices.spend(text.length);
  }
  yield ']}}';
}

function entryIn(
  { startedAt, milliseconds, request, response, basis, trace, outcome, actor }: Entry,
  serverUrl: string,
) {
  const faults = trace.faults.length > 0 ? `; faults=${trace.faults.join(',')}` : '';
  return entryOf({
    ...{ startedAt, durationMs: milliseconds, httpVersion: 'HTTP/1.1', method: request.method },
    // The target of OPTIONS * has no slash.
    url: serverUrl + (request.url.startsWith('/') ? '' : '/') + request.url,
    request: messageOf(request),
    // 0 if there was none, as in browsers.
    status: response?.status ?? 0,
    statusText: response ? statusTitle(response.status, '') : '',
    response: messageOf(response ?? { headers: [] }),
    actor: actor?.user,
    comment: `${basis}${faults}${outcome === 'answered' ? '' : `; ${outcome}`}`,
  });
}

/** Of a body that was cut, nothing: a part would be taken for the whole. */
const messageOf = ({ headers, body }: Pick<Entry['request'], 'headers' | 'body'>) => ({
  headers,
  size: body?.size ?? 0,
  body: body && { size: body.size, ...(body.cut ? { comment: 'left out: longer than 16 KB' } : { text: body.text }) },
});
