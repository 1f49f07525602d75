import type { Json } from '../spec/json.ts';
import type { Recording } from '../world/records.ts';

// Written by build.js: everything of spec/ and fixtures/ that the mock needs, so that it runs without files.

/** File name without extension -> content of the YAML file. */
type Files = Readonly<Record<string, Json>>;

export const version: string;
export const gaps: Json;
/** A section of the source document -> its title. */
export const sections: Readonly<Record<string, string>>;
export const openapi: Json;
/** Schema -> its fields, with the requirement that states each, and the one that no update writes it. */
export const recordFields: Readonly<
  Record<string, Readonly<Record<string, { readonly requirement: string; readonly readOnly?: string }>>>
>;
/** The schema of fault terms of spec/control.yaml, as a document. */
export const faultTerms: Json;
export const profiles: Files;
export const fixtures: Files;
/** Generated recordings of the default seed and vocabularies, in order. */
export const invented: { readonly seed: number; readonly recordings: readonly Recording[] };
