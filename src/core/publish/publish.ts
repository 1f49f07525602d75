import { type ApiDocument, type JsonObject, operationsOf } from '../spec/document.ts';
import { pruneComponents } from '../spec/prune.ts';
import { resolve } from '../spec/resolve.ts';
import type { World } from '../world/world.ts';
import { withAcceptedWords } from './accepted-words.ts';
import { tellAssumed } from './assumed.ts';
import { withoutEmpty } from './documented.ts';
import { type Example, examplesOf, type Handle } from './examples.ts';
import { placeExamples } from './place-examples.ts';

/** What a document gets for its readers, beside what is valid. */
export interface Publication {
  readonly examples?: readonly Example[];
  /** Base URL of the API. */
  readonly server?: string | undefined;
}

/**
 * A resolved document for readers and generators: with examples, each assumption told, assumed values open, and nothing that
 * no operation uses. The mock itself validates by the resolved one.
 */
export function publish(document: ApiDocument, { examples = [], server }: Publication = {}): JsonObject {
  const used = pruneComponents({ ...(document as unknown as JsonObject), paths: withAcceptedWords(document) }, []);
  const told = withoutEmpty(tellAssumed(used) as JsonObject);
  return {
    ...told,
    ...(server !== undefined && { servers: [{ url: server }] }),
    paths: placeExamples(told.paths as JsonObject, examples),
  };
}

/** The document of a world: its answers, and examples from its records. */
export async function publishedFor(world: World, handle: Handle, server?: string): Promise<JsonObject> {
  const document = resolve(world.answers.all);
  const examples: Example[] = [];
  for (const { operation } of operationsOf(document))
    examples.push(...(await examplesOf(world, operation.operationId, handle)));
  return publish(document, { examples, server });
}
