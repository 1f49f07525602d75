import { didYouMean } from './profiles/did-you-mean.ts';
import { ConfigError } from './spec/config-error.ts';

/** For callers in JavaScript: a misspelt option would have no effect, so it throws ConfigError with the allowed ones. */
export function refuseUnknown(call: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new ConfigError([`${call} takes an object of options, not ${JSON.stringify(options)}`]);
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new ConfigError([
    `${call} has no option ${unknown.join(', ')}; it takes ${known.join(', ')}${didYouMean(unknown, known)}`,
  ]);
}
