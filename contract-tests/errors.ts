/** The user's input cannot be used: a bad option, target file or profile. The command exits 2 with this one line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** No usable HTTP response came (refused, timed out, cut off, too large), or none that shows anything. Never a violation by itself. */
export class TransportError extends Error {
  override name = 'TransportError';
}

/** The answer, if there was one. */
export const ifAnswered = <T>(sent: Promise<T>): Promise<T | undefined> =>
  sent.catch((error: unknown) => {
    if (error instanceof TransportError) return undefined;
    throw error;
  });

/** Why a part of the run cannot be sent, and what would enable it. It is no fault of the target. */
export class CannotAsk extends Error {
  override name = 'CannotAsk';
}

/** What it builds on failed; the rule named reports that. */
export const blocked = (by: string, message: string): CannotAsk => new CannotAsk(`${message} (see ${by})`);
