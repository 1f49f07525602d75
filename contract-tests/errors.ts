/** The user's input cannot be used: a bad option, target file or profile. The command exits 2 with this one line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** No usable HTTP response came: refused, timed out, cut off, too large. Never the target's violation by itself. */
export class TransportError extends Error {
  override name = 'TransportError';
}

/** What was answered; undefined where nothing was. */
export const ifAnswered = <T>(sent: Promise<T>): Promise<T | undefined> =>
  sent.catch((error: unknown) => {
    if (error instanceof TransportError) return undefined;
    throw error;
  });
