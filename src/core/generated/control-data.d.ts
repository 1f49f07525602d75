import type { Json } from '../spec/json.ts';

/** spec/control.yaml, apart from data.js: loaded with the control plane. */
export const control: Json;
