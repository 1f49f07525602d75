import { setImmediate as nextTurn } from 'node:timers/promises';

/** Counts the turns of the event loop, in each of which others could be answered, until `work` is done. */
export async function turnsOf(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const over = work.finally(() => {
    isOver = true;
  });
  for (; !isOver; turns += 1) await nextTurn();
  await over;
  return turns;
}
