import { sleep } from '../wire/time.ts';

/** Waits between two looks, in milliseconds: together about as long as replicas usually lag behind. */
const WAITS = [100, 300, 800, 1800];

/**
 * What `look` gives once `isSettled` holds of it, else the last of a few looks within three seconds: a deployment of
 * several instances may show a write a little later.
 */
export async function settled<T>(look: () => Promise<T>, isSettled: (seen: T) => boolean): Promise<T> {
  let seen = await look();
  for (const wait of WAITS) {
    if (isSettled(seen)) return seen;
    await sleep(wait);
    seen = await look();
  }
  return seen;
}
