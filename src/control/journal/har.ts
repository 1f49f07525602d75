import { claimsIn, pseudonymizer } from '../../../contract-tests/secrets/pseudonym.ts';
import { hmacHex, randomText } from '../../core/crypto.ts';
import { statusTitle } from '../../core/error-body.ts';
import { version } from '../../core/generated/data.js';
import { Slices } from '../../core/slices.ts';
import type { Journal } from '../../core/world/journal.ts';
import { Mask } from './mask.ts';
import { type Entry, renderEntry } from './render.ts';

/** A journal as parts of a HAR 1.2 file, for browsers' tools and `verify --har`: pseudonyms replace secrets. */
export async function* harOf(journal: Journal, serverUrl: string): AsyncGenerator<string, void> {
  const slices = new Slices();
  // Without the key, which is kept nowhere, no pseudonym leads back.
  const salt = randomText();
  const mask = new Mask(pseudonymizer(randomText(), salt, hmacHex));
  const head = { version: '1.2', creator: { name: 'platform-mock', version }, _salt: salt };
  yield `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`;
  let separator = '';
  for (const number of journal.numbers()) {
    const entry = journal.get(number);
    // Replaced by newer ones while the file was read.
    if (!entry) continue;
    for (const claim of claimsIn({ url: entry.url, body: entry.sentBody?.text })) mask.add(claim);
    const rendered = await slices.run(renderEntry(entry, serverUrl, mask));
    const text = separator + JSON.stringify(harEntry(rendered, serverUrl));
    separator = ',';
    yield text;
    await slices.spend(text.length);
  }
  yield ']}}';
}

type Headers = Entry['request']['headers'];

const headerOf = (headers: Headers, name: string): string | undefined =>
  headers.find((header) => header.name.toLowerCase() === name)?.value;

function harEntry({ startedAt, milliseconds, request, response, basis, trace, outcome }: Entry, serverUrl: string) {
  // The target of OPTIONS * has no slash.
  const url = serverUrl + (request.url.startsWith('/') ? '' : '/') + request.url;
  const query = [...new URLSearchParams(request.url.split('?').slice(1).join('?'))];
  return {
    startedDateTime: startedAt,
    time: milliseconds,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: request.headers,
      queryString: query.map(([name, value]) => ({ name, value })),
      ...(request.body && {
        postData: {
          mimeType: headerOf(request.headers, 'content-type') ?? 'application/json',
          text: request.body.text,
        },
      }),
      headersSize: -1,
      bodySize: request.body?.size ?? 0,
    },
    response: {
      // 0 if there was none, as in browsers.
      status: response?.status ?? 0,
      statusText: response ? statusTitle(response.status, '') : '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: response?.headers ?? [],
      content: {
        size: response?.body?.size ?? 0,
        mimeType: headerOf(response?.headers ?? [], 'content-type') ?? 'application/octet-stream',
        text: response?.body?.text ?? '',
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.body?.size ?? 0,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment: `${basis}${trace.faults.length > 0 ? `; faults=${trace.faults.join(',')}` : ''}${outcome === 'answered' ? '' : `; ${outcome}`}`,
  };
}
