/** Why a part of the run cannot be sent. It is no fault of the target. */
export class CannotAsk extends Error {
  override name = 'CannotAsk';
}

/** The message names what would enable it. */
export const untested = (message: string): CannotAsk => new CannotAsk(message);

/** What it builds on failed; the rule named reports that. */
export const blocked = (by: string, message: string): CannotAsk => new CannotAsk(`${message} (see ${by})`);
