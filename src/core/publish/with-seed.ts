import { handle } from '../handle.ts';
import { loadWorlds } from '../load-worlds.ts';
import type { Answers } from '../profiles/answers.ts';
import type { JsonObject } from '../spec/document.ts';
import { shippedFixtures } from '../world/fixtures.ts';
import { portableServices } from '../world/world.ts';
import { publishedFor } from './publish.ts';

/** Fixed time of the examples, later than all seed data: the same document results each time. */
const whenPublished = Date.UTC(2025, 5, 2, 9);

/** The document with examples from the shipped seed data. */
export async function publishedWithSeed(answers: Answers, server?: string): Promise<JsonObject> {
  const { main } = await loadWorlds(
    { answers, fixtures: shippedFixtures() },
    // The examples use the fixtures only: no records are generated.
    { recordings: 0 },
    portableServices(),
    () => {
      throw new Error('No example is about a generated record.');
    },
  );
  main.clock.freeze(whenPublished);
  return publishedFor(main, handle, server);
}
