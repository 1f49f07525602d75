import type { CompiledValidator } from '../validation/compile.ts';

// Written by build.js: what src/core/validation/compile.ts would compile at run time, compiled ahead of it (Ajv standalone).

/** The answers (their key) that `api` is for: the default profile's. */
export const key: string;
export const api: Readonly<Record<string, CompiledValidator>>;
/** Validators of stored records and of the terms of faults, as spec/control.yaml has them, by name. */
export const records: Readonly<Record<string, CompiledValidator>>;
export const gapAnswers: Readonly<Record<string, CompiledValidator>>;
