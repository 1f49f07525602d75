import type { CompiledValidator } from '../validation/compile.ts';

// Written by build.js, as validators.js.

/** Validators of fixtures, of a state, and of the members of a profile (by their names). */
export const files: Readonly<Record<string, CompiledValidator>>;
