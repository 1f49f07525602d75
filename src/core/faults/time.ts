import { inGrant, inKeys, inRecording, inUser } from './bodies.ts';
import { family } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { counter } from './tools.ts';

const ofUser = (form: (iso: string) => unknown): Hooks =>
  inUser(({ created_at }) => ({ created_at: form(String(created_at)) }));

const ofRecording = (name: 'created_at' | 'updated_at', form: (iso: string) => unknown): Hooks =>
  inRecording((recording) => ({ [name]: form(String(recording[name])) }));

const ofKeys = (form: (iso: string, at: number) => unknown): Hooks =>
  inKeys(({ created_at }, at) => ({ created_at: form(String(created_at), at) }));

const lifetime = (change: (seconds: number) => unknown): Hooks =>
  inGrant(({ expires_in }) => ({ expires_in: change(Number(expires_in)) }));

const epoch = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
const dateOnly = (iso: string): string => iso.slice(0, 10);
const asHttpDate = (iso: string): string => new Date(iso).toUTCString();
const withSpace = (iso: string): string => iso.replace('T', ' ');

const movingCreation = (): Hooks => {
  const count = counter();
  return inRecording(({ created_at }, { world }) => {
    const moved = Date.parse(String(created_at)) + count(world) * 3_600_000;
    return { created_at: new Date(moved).toISOString() };
  });
};

/** Faults of dates, times and lifetimes. */
export const timeFaults = family('time', [
  ['user-created-epoch', ['SSO-14'], "The user's created_at is in seconds since 1970.", ofUser(epoch)],
  ['user-created-date-only', ['SSO-14'], "The user's created_at is a date without a time.", ofUser(dateOnly)],
  [
    'user-created-impossible',
    ['SSO-14'],
    "The user's created_at is 30 February.",
    ofUser((iso) => iso.replace(/-\d\d-\d\dT/, '-02-30T')),
  ],
  [
    'recording-created-date-only',
    ['REC-19'],
    "The recording's created_at is a date without a time.",
    ofRecording('created_at', dateOnly),
  ],
  [
    'recording-created-epoch-text',
    ['REC-19'],
    "The recording's created_at is in milliseconds since 1970, as a string.",
    ofRecording('created_at', (iso) => String(Date.parse(iso))),
  ],
  [
    'recording-updated-for-people',
    ['REC-20'],
    "The recording's updated_at is an HTTP date.",
    ofRecording('updated_at', asHttpDate),
  ],
  ['recording-updated-null', ['REC-20'], "The recording's updated_at is null.", ofRecording('updated_at', () => null)],
  ['key-created-with-space', ['KEY-07'], "An API key's created_at has a space instead of T.", ofKeys(withSpace)],
  ['key-created-epoch', ['KEY-07'], "An API key's created_at is in seconds since 1970.", ofKeys(epoch)],
  [
    'one-key-created-at-25',
    ['KEY-07'],
    "Only the second API key's created_at has the hour 25.",
    ofKeys((iso, at) => (at === 1 ? iso.replace(/T\d\d/, 'T25') : iso)),
  ],
  [
    'created-at-moves',
    ['REC-24', 'REC-38'],
    "The recording's created_at advances by an hour with every update.",
    movingCreation(),
  ],
  [
    'created-at-is-now',
    ['REC-24', 'REC-38'],
    "The recording's created_at is the time of the update.",
    inRecording(({ updated_at }) => ({ created_at: updated_at })),
  ],
  [
    'sso-expires-in-minutes',
    ['SSO-08'],
    "The SSO login's expires_in is in minutes.",
    lifetime((seconds) => Math.round(seconds / 60)),
  ],
  [
    'sso-expires-in-milliseconds',
    ['SSO-08'],
    "The SSO login's expires_in is in milliseconds.",
    lifetime((seconds) => seconds * 1000),
  ],
  [
    'sso-expires-in-doubled',
    ['SSO-08'],
    "The SSO login's expires_in is twice the lifetime of the token.",
    lifetime((seconds) => seconds * 2),
  ],
  [
    'sso-expires-at',
    ['SSO-08'],
    "The SSO login's expires_in is the time of expiry, in seconds since 1970.",
    lifetime((seconds) => Math.floor(Date.now() / 1000) + seconds),
  ],
  ['sso-expires-in-negative', ['SSO-08'], "The SSO login's expires_in is negative.", lifetime((seconds) => -seconds)],
]);
