import { family } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { counter, eachKey, sentOf } from './tools.ts';

const inUser = (form: (iso: string) => unknown): Hooks => ({
  bodies: {
    ssoLogin: (grant) => {
      const user = sentOf({ body: grant.user });
      return { ...grant, user: { ...user, created_at: form(String(user.created_at)) } };
    },
  },
});

const inRecording = (name: 'created_at' | 'updated_at', form: (iso: string) => unknown): Hooks => ({
  bodies: { updateRecording: (body) => ({ ...body, [name]: form(String(body[name])) }) },
});

const inKeys = (form: (iso: string, at: number) => unknown): Hooks =>
  eachKey((key, at) => ({ ...key, created_at: form(String(key.created_at), at) }));

const lifetime = (change: (seconds: number) => unknown): Hooks => ({
  bodies: { ssoLogin: (grant: Body) => ({ ...grant, expires_in: change(Number(grant.expires_in)) }) },
});

const epoch = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
const dateOnly = (iso: string): string => iso.slice(0, 10);
const forPeople = (iso: string): string => new Date(iso).toUTCString();
const withSpace = (iso: string): string => iso.replace('T', ' ');

const movingCreation = (): Hooks => {
  const count = counter();
  return {
    bodies: {
      updateRecording: (body, { world }) => {
        const moved = Date.parse(String(body.created_at)) + count(world) * 3_600_000;
        return { ...body, created_at: new Date(moved).toISOString() };
      },
    },
  };
};

/** Faults of dates, times and lifetimes. */
export const timeFaults = family('time', [
  ['user-created-epoch', ['SSO-14'], "The user's created_at counts seconds since 1970.", inUser(epoch)],
  ['user-created-date-only', ['SSO-14'], "The user's created_at is a date without a time.", inUser(dateOnly)],
  [
    'user-created-impossible',
    ['SSO-14'],
    "The user's created_at is 30 February.",
    inUser((iso) => iso.replace(/-\d\d-\d\dT/, '-02-30T')),
  ],
  [
    'recording-created-date-only',
    ['REC-19'],
    "The recording's created_at is a date without a time.",
    inRecording('created_at', dateOnly),
  ],
  [
    'recording-created-epoch-text',
    ['REC-19'],
    "The recording's created_at counts milliseconds since 1970, as a string.",
    inRecording('created_at', (iso) => String(Date.parse(iso))),
  ],
  [
    'recording-updated-for-people',
    ['REC-20'],
    "The recording's updated_at is written as in HTTP headers.",
    inRecording('updated_at', forPeople),
  ],
  ['recording-updated-null', ['REC-20'], "The recording's updated_at is null.", inRecording('updated_at', () => null)],
  ['key-created-with-space', ['KEY-07'], "An API key's created_at has a space in place of the T.", inKeys(withSpace)],
  ['key-created-epoch', ['KEY-07'], "An API key's created_at counts seconds since 1970.", inKeys(epoch)],
  [
    'one-key-created-at-25',
    ['KEY-07'],
    "Only the second API key's created_at is at 25 o'clock.",
    inKeys((iso, at) => (at === 1 ? iso.replace(/T\d\d/, 'T25') : iso)),
  ],
  [
    'created-at-moves',
    ['REC-24', 'REC-38'],
    "The recording's created_at moves on by an hour with every update.",
    movingCreation(),
  ],
  [
    'created-at-is-now',
    ['REC-24', 'REC-38'],
    "The recording's created_at is the time of the update.",
    { bodies: { updateRecording: ({ updated_at, ...body }) => ({ ...body, created_at: updated_at, updated_at }) } },
  ],
  [
    'sso-expires-in-minutes',
    ['SSO-08'],
    'The SSO login answers expires_in in minutes.',
    lifetime((seconds) => Math.round(seconds / 60)),
  ],
  [
    'sso-expires-in-milliseconds',
    ['SSO-08'],
    'The SSO login answers expires_in in milliseconds.',
    lifetime((seconds) => seconds * 1000),
  ],
  [
    'sso-expires-in-doubled',
    ['SSO-08'],
    'The SSO login answers twice the lifetime that the token has.',
    lifetime((seconds) => seconds * 2),
  ],
  [
    'sso-expires-at',
    ['SSO-08'],
    'The SSO login answers in expires_in when the token ends, in seconds since 1970.',
    lifetime((seconds) => Math.floor(Date.now() / 1000) + seconds),
  ],
  [
    'sso-expires-in-negative',
    ['SSO-08'],
    'The SSO login answers a negative expires_in.',
    lifetime((seconds) => -seconds),
  ],
]);
