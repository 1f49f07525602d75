import type { CompiledValidator } from '../validation/compile.ts';

// Written by build.js, as validators.js; loaded with the control plane.

export const control: Readonly<Record<string, CompiledValidator>>;
