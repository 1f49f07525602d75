import { openapi } from '../generated/data.js';
import type { JsonObject } from './document.ts';

/** spec/openapi.yaml as it is written, with the keywords that resolve() applies. Never change it: copy. */
export const apiTemplate = (): JsonObject => openapi as JsonObject;
