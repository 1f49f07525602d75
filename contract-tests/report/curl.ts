import type { RecordedRequest } from '../model.ts';

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The curl line that sends a request again. Secrets in it are marks by the time a report shows it. */
export function toCurl({ method, url, headers, body }: RecordedRequest): string {
  const words = ['curl', '-i', ...(method === 'GET' ? [] : ['-X', method])];
  for (const [name, value] of Object.entries(headers)) words.push('-H', quote(`${name}: ${value}`));
  if (body !== undefined) words.push('--data-raw', quote(body));
  words.push(quote(url));
  return words.join(' ');
}
