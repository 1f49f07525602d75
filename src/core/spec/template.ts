import { openapi } from '../generated/data.js';
import type { JsonObject } from './document.ts';

/** spec/openapi.yaml with the keywords that resolve() applies. Shared: copy it before changing it. */
export const apiTemplate = (): JsonObject => openapi as JsonObject;
