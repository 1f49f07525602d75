import { createMock } from '../../src/index.ts';
import type { Part } from '../part.ts';

/** The cost of reset, snapshot, restore and a new sandbox with 100,000 recordings, in milliseconds. */
export const worldCostsPart: Part = {
  name: 'reset, snapshot, sandbox',
  async measure() {
    const figures = await worldCosts();
    const goals = Object.entries(figures).map(([name, samples]) => ({ name, samples, unit: 'ms', atMost: 1 }));
    return { goals, text: [], figures };
  },
};

async function worldCosts() {
  const { world, worlds } = await createMock({ recordings: 100_000 });
  let at = 0;
  const change = () => {
    const recording = world.store.recordings.get('rec_kickoff');
    at += 1;
    if (recording) world.store.recordings.put({ ...recording, title: `Title ${at}` });
  };
  const image = world.image();
  return {
    reset: timed(() => world.reset(), change),
    snapshot: timed(() => world.image(), change),
    restore: timed(() => world.restore(image), change),
    'new sandbox': timed(() => worlds.sandbox(`s${at}`), change),
  };
}

function timed(work: () => unknown, before: () => void): number[] {
  const times: number[] = [];
  for (let round = 0; round < 500; round += 1) {
    before();
    const from = performance.now();
    work();
    times.push(performance.now() - from);
  }
  return times;
}
