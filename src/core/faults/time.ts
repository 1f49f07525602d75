import { asNumber, asText } from '../../../contract-tests/values/json.ts';
import { callsOf, inMember, inRecording } from './change.ts';
import { family } from './fault.ts';
import { apiKey, changed, grant, recording, user } from './members.ts';

const epoch = (iso: unknown): number => Math.floor(Date.parse(asText(iso)) / 1000);
const dateOnly = (iso: unknown): string => asText(iso).slice(0, 10);

export const timeFaults = family('time', {
  ...changed(user, {
    created_at: {
      epoch: ['is in seconds since 1970', epoch],
      'date-only': ['is a date without a time', dateOnly],
      impossible: ['is 30 February', (iso) => asText(iso).replace(/-\d\d-\d\dT/, '-02-30T')],
    },
  }),
  ...changed(recording, {
    created_at: {
      'date-only': ['is a date without a time', dateOnly],
      'epoch-text': ['is in milliseconds since 1970, as a string', (iso) => String(Date.parse(asText(iso)))],
    },
    updated_at: {
      'for-people': ['is an HTTP date', (iso) => new Date(asText(iso)).toUTCString()],
      null: ['is null', () => null],
    },
  }),
  ...changed(apiKey, {
    created_at: {
      'with-space': ['has a space instead of T', (iso) => asText(iso).replace('T', ' ')],
      epoch: ['is in seconds since 1970', epoch],
    },
  }),
  "created-at-moves REC-24 REC-38: The recording's created_at advances by an hour with every update.": inMember(
    inRecording,
    'created_at',
  )((iso, context) => new Date(Date.parse(iso) + callsOf(context) * 3_600_000).toISOString()),
  ...changed(
    grant,
    {
      expires_in: {
        minutes: ['is in minutes', (seconds) => Math.round(asNumber(seconds) / 60)],
        milliseconds: ['is in milliseconds', (seconds) => asNumber(seconds) * 1000],
        doubled: ['is twice the lifetime of the token', (seconds) => asNumber(seconds) * 2],
        negative: ['is negative', (seconds) => -asNumber(seconds)],
      },
    },
    'SSO-08',
  ),
});
