import type { Exchange } from '../../http/exchange.ts';
import type { Journal } from '../../world/journal.ts';
import type { World } from '../../world/world.ts';

/** A world's journal: what the pipeline puts into it are its exchanges. */
export const journalOf = (world: World): Journal<Exchange> => world.journal as unknown as Journal<Exchange>;
