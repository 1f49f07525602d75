import { inspect } from 'node:util';
import { outlet } from '../../contract-tests/commands/outlet.ts';
import { printable } from '../../contract-tests/report/text.ts';
import type { Secret } from '../../contract-tests/secrets/known.ts';
import { Secrets } from '../../contract-tests/secrets/secrets.ts';
import { Sieve } from '../../contract-tests/secrets/sieve.ts';
import { maskedText } from '../control/journal/mask.ts';

/** Maximum length of a text: the rest adds no information. */
const maxText = 20_000;
const secretOption = /token|password|secret/i;

/** The credentials of the command, in addition to those of the suite's runs. */
const given = new Sieve({ replacement: ({ name }) => `‹${name}›` });

export function keepFromMessages(secrets: readonly Secret[]): void {
  for (const secret of secrets) given.add(secret);
}

/** The credentials among the options of a command: tokens, and passwords in URLs. */
export const secretsInOptions = (options: Readonly<Record<string, unknown>>): Secret[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [];
    const password = URL.canParse(value) ? new URL(value).password : '';
    return [
      ...(secretOption.test(name) && value !== '' ? [{ value, name }] : []),
      ...(password === '' ? [] : [{ value: password, name: `password of ${name}` }]),
    ];
  });

/** A message without known credentials and without control sequences. */
export const told = (text: string): string =>
  printable(Secrets.scrubLatest(given.scrub(withoutPasswords(text.slice(0, maxText)))));

/** An unexpected message: it may contain anything, so what looks like a credential is removed as well. */
export const toldOfBug = (error: unknown): string =>
  maskedText(
    told(error instanceof Error ? (error.stack ?? error.message) : typeof error === 'string' ? error : inspect(error)),
  );

export function tellBug(error: unknown): void {
  outlet.print('stderr', `platform-mock: this is a bug: ${toldOfBug(error)}\n`);
}

/** Removes user names and passwords from URLs, also malformed ones: everything up to the last `@` of a word. */
function withoutPasswords(text: string): string {
  const isUrl = (word: string): boolean => word.includes('@') && /:|\/\//.test(word.slice(0, word.lastIndexOf('@')));
  return text.replaceAll(/\S+/g, (word) => {
    if (!isUrl(word)) return word;
    const [start = ''] = /^["'([]*(?:[a-z][a-z0-9+.-]*:\/\/)?/i.exec(word) ?? [];
    return start + word.slice(word.lastIndexOf('@') + 1);
  });
}
