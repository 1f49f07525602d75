import { isOk, statusOf } from '../log/entry.ts';
import type { QuestionId } from './questions.ts';
import {
  agreeing,
  allowedStatus,
  isAccepted,
  isRefusedAsInvalid,
  type Look,
  type Reader,
  reader,
  Undetermined,
  unexpected,
} from './reader.ts';

/** A reader whose answer is the status of one request. */
const statusReader = (gap: string, question: QuestionId): Reader =>
  reader({ gap, of: [question], repeats: true }, (look) => allowedStatus(gap, look.take(question)));

/** The status with which the protected reads refuse a caller: both have to agree. */
const credentialsReader = (gap: string, asker: 'nobody' | 'garbage'): Reader =>
  reader({ gap, of: [`keys-as-${asker}`], may: [`scopes-as-${asker}`], repeats: true }, (look) =>
    agreeing(
      [
        ...observed(look, gap, `keys-as-${asker}`, 'the API keys'),
        // Where their path is unknown, nothing can be said about it.
        ...observed(look, gap, `scopes-as-${asker}`, 'the token scopes'),
      ],
      'nothing was refused',
    ),
  );

function observed(look: Look, gap: string, question: QuestionId, what: string): { what: string; value: number }[] {
  const entry = look.maybe(question);
  return entry ? [{ what, value: allowedStatus(gap, entry) }] : [];
}

/** Requests that may be refused as invalid, each with the same without credentials. */
const INVALID = [
  ['a made-up provider', 'keys-no-provider', 'keys-no-provider-as-nobody'],
  ['analysis as text', 'update-text', 'update-text-as-nobody'],
] as const;

/** Requests of other gaps that are invalid: a target that refuses them with another status has no single answer. */
const ALSO_INVALID: readonly QuestionId[] = [
  'keys-no-provider',
  'keys-unknown-parameter',
  'scopes-unknown-parameter',
  'update-empty',
  'update-unknown-field',
  'update-number',
  'update-null',
  'update-unknown-key',
];

/** The statuses of refusals, and which of two faults is refused first. */
export const statusReaders: readonly Reader[] = [
  reader(
    {
      gap: 'error-precedence',
      of: ['keys-as-nobody', 'keys-no-provider'],
      may: ['keys-no-provider-as-nobody', 'update-text', 'update-text-as-nobody'],
      repeats: true,
    },
    (look) => {
      const missing = statusOf(look.take('keys-as-nobody'));
      const seen = INVALID.flatMap(([what, question, asNobody]) => {
        const invalid = look.maybe(question);
        // Only what is refused with good credentials, too.
        if (!invalid || !isRefusedAsInvalid(invalid) || statusOf(invalid) === missing) return [];
        const both = statusOf(look.take(asNobody));
        if (both !== missing && both !== statusOf(invalid))
          throw new Undetermined(`invalid gives ${statusOf(invalid)}, without credentials ${missing}, both ${both}`);
        return [{ what, value: both === missing ? 'credentials' : 'validation' }];
      });
      return agreeing(seen, 'nothing that may be sent is refused as invalid with a status of its own');
    },
  ),
  credentialsReader('missing-credentials-status', 'nobody'),
  credentialsReader('invalid-credentials-status', 'garbage'),
  reader({ gap: 'validation-status', of: ['sso-wrong-claims'], may: ['update-text'], repeats: true }, (look) => {
    const text = look.maybe('update-text');
    const seen = [
      ...observed(look, 'validation-status', 'sso-wrong-claims', 'claims of the wrong type'),
      ...(text && isRefusedAsInvalid(text) ? [{ what: 'analysis as text', value: statusOf(text) }] : []),
    ];
    const status = agreeing(seen, 'nothing was refused');
    const others = ALSO_INVALID.flatMap((question) => look.seen(question)).filter(isRefusedAsInvalid);
    const other = others.find((entry) => statusOf(entry) !== status);
    if (!other) return status;
    look.by.add(other);
    throw new Undetermined(`invalid requests are refused with more than one status: ${status}, but ${statusOf(other)}`);
  }),
  statusReader('malformed-json-status', 'sso-malformed'),
  reader({ gap: 'media-type-status', of: ['sso', 'sso-as-text'], repeats: true }, (look) => {
    // As application/json the same body succeeds.
    if (!look.log.isPartial) look.success('sso', 'The SSO login');
    return allowedStatus('media-type-status', look.take('sso-as-text'));
  }),
  statusReader('method-status', 'sso-get'),
  reader({ gap: 'options-requests', of: ['sso-options'], may: ['sso-get'], repeats: true }, (look) => {
    const options = look.take('sso-options');
    if (statusOf(options) === 204) return 'allow';
    return statusOf(options) === statusOf(look.take('sso-get')) ? 'refuse' : unexpected('OPTIONS', options);
  }),
  reader(
    {
      gap: 'missing-body',
      of: ['sso-no-body'],
      may: ['sso-no-claims', 'sso-wrong-claims', 'sso-as-text'],
      repeats: true,
    },
    (look) => {
      const status = statusOf(look.take('sso-no-body'));
      const none = look.any('sso-no-claims', 1);
      const [invalid] = none.some(isRefusedAsInvalid) ? none : look.any('sso-wrong-claims', 1);
      if (invalid && status === statusOf(invalid)) return 'validation';
      const [text] = look.any('sso-as-text', 1);
      if (text && status === statusOf(text)) return 'media-type';
      throw new Undetermined(`it gets ${status}, wrong claims ${invalid && statusOf(invalid)}`);
    },
  ),
  statusReader('unknown-path-status', 'unknown-path'),
  reader(
    {
      gap: 'unknown-query',
      of: ['scopes'],
      may: ['scopes-unknown-parameter', 'keys-unknown-parameter', 'keys'],
      repeats: true,
    },
    (look) => {
      const note = (what: string, known: QuestionId, question: QuestionId) => {
        const entry = look.any(known).some(isOk) ? look.maybe(question) : undefined;
        return entry ? [{ what, value: isAccepted(what, entry) ? 'ignore' : 'refuse' }] : [];
      };
      return agreeing(
        [
          ...note('the token scopes', 'scopes', 'scopes-unknown-parameter'),
          ...note('the API keys', 'keys', 'keys-unknown-parameter'),
        ],
        'neither the token scopes nor the API keys are answered without it',
      );
    },
  ),
];
