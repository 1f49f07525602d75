import type { Recording } from '../model.ts';
import type { World } from '../world.ts';

/** The recording in the store, to be looked at or spoiled. */
export const stored = (world: World, id: string): Recording | undefined =>
  world.store.recordings.find((recording) => recording.id === id);
