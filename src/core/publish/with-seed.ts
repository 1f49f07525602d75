import { handle } from '../handle.ts';
import { loadWorlds } from '../load-worlds.ts';
import type { Answers } from '../profiles/answers.ts';
import type { JsonObject } from '../spec/document.ts';
import { shippedFixtures } from '../world/fixtures.ts';
import { portableServices } from '../world/world.ts';
import { publishedFor } from './publish.ts';

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
  // Later than all seed data, and fixed: the same document results each time.
  main.clock.freeze(Date.UTC(2025, 5, 2, 9));
  return publishedFor(main, handle, server);
}
