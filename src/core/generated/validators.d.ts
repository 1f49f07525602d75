import type { CompiledValidator } from '../validation/compile.ts';

// Written by build.js: what src/core/validation/compile.ts would compile at run time, compiled ahead of it (Ajv standalone).

/** The answers (their key) that `api` is for: the default profile's. */
export const key: string;
/** Validators of the API, by name. */
export const api: Readonly<Record<string, CompiledValidator>>;
/** Validators of stored records and of the terms of faults, as spec/control.yaml has them, by name. */
export const records: Readonly<Record<string, CompiledValidator>>;
/** Validators of answers, by gap. */
export const gapAnswers: Readonly<Record<string, CompiledValidator>>;
