/** Invalid configuration: a file, an option or an answer. The CLI prints the message and exits with code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  declare readonly reasons: readonly string[];

  /** @param reasons one line each; `file:line: reason` for files */
  constructor(reasons: readonly string[]) {
    super(reasons.join('\n'));
    // They are the message: a console need not show them twice.
    Object.defineProperty(this, 'reasons', { value: reasons });
  }
}

export class LimitError extends ConfigError {}
