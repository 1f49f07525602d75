import { type Api, apiFor } from '../api.ts';
import { nextTurn } from '../slices.ts';
import { type ApiDocument, type JsonObject, operationsOf } from '../spec/document.ts';
import { pruneComponents } from '../spec/prune.ts';
import type { WorldImage } from '../world/image.ts';
import { isStoreAt } from '../world/store.ts';
import { World } from '../world/world.ts';
import { withAcceptedWords } from './accepted-words.ts';
import { tellAssumed } from './assumed.ts';
import { withoutEmpty } from './documented.ts';
import { type Example, examplesOf, type Handle } from './examples.ts';
import { placeExamples } from './place-examples.ts';

/** A resolved document for readers and generators: examples, marked assumptions, open assumed values, no unused components. */
export function publish(document: ApiDocument, examples: readonly Example[] = []): JsonObject {
  const used = pruneComponents({ ...(document as unknown as JsonObject), paths: withAcceptedWords(document) }, []);
  const told = withoutEmpty(tellAssumed(used) as JsonObject);
  return { ...told, paths: placeExamples(told.paths as JsonObject, examples) };
}

/** A published document, and the state of a world whose examples it has. */
interface Made {
  readonly image: WorldImage;
  readonly document: Promise<JsonObject>;
}

/** The latest one of each set of answers. */
const made = new WeakMap<Api, Made>();

/** A world's document: its answers, and examples from its records; cached while answers, records and clock are the same. */
export async function publishedFor(world: World, handle: Handle, server?: string): Promise<JsonObject> {
  const api = await apiFor(world.answers);
  let known = made.get(api);
  if (!known || !isLike(world, known.image)) {
    // A fixed image: the world may change between the turns that this takes.
    const image = world.image();
    known = { image, document: documentOf(api, new World(image, world.services), handle) };
    made.set(api, known);
    known.document.catch(() => made.delete(api));
  }
  return { ...(await known.document), ...(server !== undefined && { servers: [{ url: server }] }) };
}

function isLike(world: World, { seed, seedLayer, store, clock }: WorldImage): boolean {
  const { offset, frozenAt } = world.clock.setting;
  return (
    world.seed === seed &&
    world.seedLayer === seedLayer &&
    isStoreAt(world.store, store) &&
    offset === clock.offset &&
    frozenAt === clock.frozenAt
  );
}

async function documentOf({ document }: Api, world: World, handle: Handle): Promise<JsonObject> {
  const examples: Example[] = [];
  for (const { operation } of operationsOf(document)) {
    examples.push(...(await examplesOf(world, operation.operationId, handle)));
    await nextTurn();
  }
  return publish(document, examples);
}
