/** The phases of a run, in their order: harmless ones first, what may lock a caller out last. */
export const PHASE_NAMES = [
  'establish',
  'scopes',
  'others',
  'lists',
  'updates',
  'identifiers',
  'overlaps',
  'reads',
  'strangers',
  'late',
  'own',
  'invalid',
  'refusals',
  'explore',
  'members',
] as const;
export type PhaseName = (typeof PHASE_NAMES)[number];
