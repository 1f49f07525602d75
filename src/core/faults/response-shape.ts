import { eachKey, inBody as of } from './bodies.ts';
import { type FaultRow, family } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { listShapeFaults } from './shape-lists.ts';
import { recordingShapeFaults } from './shape-recording.ts';
import { signInShapeFaults } from './shape-sign-in.ts';
import { objectOf, without } from './tools.ts';

const kebab = (name: string): string => name.replaceAll('_', '-');

/** A fault for each field: it is missing. */
const missing = (
  prefix: string,
  what: string,
  fields: Record<string, string>,
  drop: (name: string) => Hooks,
): FaultRow[] =>
  Object.entries(fields).map(([name, requirement]) => [
    `${prefix}-no-${kebab(name)}`,
    [requirement],
    `${what} lacks ${name}.`,
    drop(name),
  ]);

const missingFields: FaultRow[] = [
  ...missing(
    'sso',
    "The SSO login's response",
    { access_token: 'SSO-03', refresh_token: 'SSO-05', token_type: 'SSO-06', expires_in: 'SSO-07', user: 'SSO-09' },
    (name) => of('ssoLogin', (grant) => without(grant, name)),
  ),
  ...missing(
    'user',
    'The user who signed in',
    { id: 'SSO-10', email: 'SSO-11', username: 'SSO-12', confirmed: 'SSO-13', created_at: 'SSO-14' },
    (name) => of('ssoLogin', (grant) => ({ ...grant, user: without(objectOf(grant.user), name) })),
  ),
  ...missing(
    'recording',
    'The updated recording',
    {
      id: 'REC-10',
      title: 'REC-11',
      filename: 'REC-12',
      status: 'REC-13',
      method: 'REC-14',
      quality: 'REC-15',
      language: 'REC-16',
      diarization_enabled: 'REC-17',
      user_id: 'REC-18',
      created_at: 'REC-19',
      updated_at: 'REC-20',
    },
    (name) => of('updateRecording', (recording) => without(recording, name)),
  ),
  ...missing(
    'key',
    'A listed API key',
    { id: 'KEY-03', provider: 'KEY-04', name: 'KEY-05', status: 'KEY-06', created_at: 'KEY-07' },
    (name) => eachKey((key) => without(key, name)),
  ),
];

/** Faults of the shape of successful responses. */
export const responseShapeFaults = family('response shape', [
  ...missingFields,
  ...signInShapeFaults,
  ...recordingShapeFaults,
  ...listShapeFaults,
]);
