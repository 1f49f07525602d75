import { Validator } from '@seriousme/openapi-schema-validator';
import type { ApiDocument, JsonObject } from '../core/spec/document.ts';

// One for all documents: it keeps the compiled schema of OpenAPI.
const validator = new Validator();

/** Checks that a resolved document is OpenAPI 3.1, before listening; throws with every finding. */
export async function assertValidDocument(document: ApiDocument): Promise<void> {
  // The validator modifies its input.
  const result = await validator.validate(structuredClone(document) as unknown as JsonObject);
  if (!result.valid) throw new Error(`The resolved OpenAPI document is not valid: ${JSON.stringify(result.errors)}`);
}
