/**
 * Something that the user configured cannot be used: a file, an option, an answer. The CLI prints the message and
 * ends with exit code 2.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** @param reasons one line each; `file:line: reason` where a file is at fault */
  constructor(readonly reasons: readonly string[]) {
    super(reasons.join('\n'));
  }
}

/** The server holds as much of something as it may. */
export class LimitError extends ConfigError {}
