import type { Json } from './gaps.ts';

/** Members of a profile file other than `answers`: name -> JSON Schema. */
export const profileMembers: Readonly<Record<string, Record<string, Json>>> = {
  name: { type: 'string', minLength: 1 },
  description: { type: 'string' },
  learnedFrom: {
    description: 'Base URL of the deployment where `learn` observed the answers.',
    type: 'string',
    format: 'uri',
    pattern: '^https?://',
  },
  learnedAt: {
    description: 'When `learn` observed the answers, e.g. 2026-01-31T12:00:00Z.',
    type: 'string',
    format: 'date-time',
  },
};
