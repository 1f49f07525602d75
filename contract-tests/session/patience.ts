import { sleep } from '../wire/time.ts';

/** How long a deployment may need until all its instances show a write, and know a new token. */
export const PATIENCE_MS = 3_000;
/** Waits between two looks, in milliseconds: together that long. */
const WAITS = [100, 200, 400, 800, 1_500];

/**
 * What `look` gives once `isSettled` holds of it, else the last of a few looks within three seconds: a deployment of
 * several instances may show a write a little later.
 * @param first what was seen already, instead of a first look
 */
export async function settled<T>(look: () => Promise<T>, isSettled: (seen: T) => boolean, first?: T): Promise<T> {
  let seen = first ?? (await look());
  for (const wait of WAITS) {
    if (isSettled(seen)) return seen;
    await sleep(wait);
    seen = await look();
  }
  return seen;
}
