/** Invalid configuration: a file, an option or an answer. The CLI prints the message and exits with code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** @param reasons one line each; `file:line: reason` for files */
  constructor(readonly reasons: readonly string[]) {
    super(reasons.join('\n'));
  }
}

/** The server has reached a limit. */
export class LimitError extends ConfigError {}
