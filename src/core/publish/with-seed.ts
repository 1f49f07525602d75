import { handle } from '../handle.ts';
import { loadWorlds } from '../load-worlds.ts';
import type { Answers } from '../profiles/answers.ts';
import type { JsonObject } from '../spec/document.ts';
import { shippedFixtures } from '../world/fixtures.ts';
import { portableServices } from '../world/world.ts';
import { publishedFor } from './publish.ts';

/** When the examples are made: the same document comes out each time. Later than all that the seed data tells of. */
const whenPublished = Date.UTC(2025, 5, 2, 9);

/** The document with examples from the shipped seed data. */
export async function publishedWithSeed(answers: Answers, server?: string): Promise<JsonObject> {
  const { main } = await loadWorlds(
    { answers, fixtures: shippedFixtures() },
    // The examples are about what the fixtures tell: nothing is generated.
    { recordings: 0 },
    portableServices(),
    () => {
      throw new Error('No example is about a generated record.');
    },
  );
  main.clock.freeze(whenPublished);
  return publishedFor(main, handle, server);
}
