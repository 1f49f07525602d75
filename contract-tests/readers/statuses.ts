import { isOk, statusOf } from '../log/entry.ts';
import { loadModel } from '../plan/model.ts';
import { loadGaps } from '../spec-data.ts';
import { answersTo } from './questions.ts';
import { agreeing, allowedStatus, isAccepted, isRefusedAsInvalid, Lenient, type Read, Undetermined } from './reader.ts';

/** Requests that may be refused as invalid, each with the same without credentials. */
const INVALID = [
  ['a made-up provider', 'keys-no-provider', 'keys-no-provider-as-nobody'],
  ['analysis as text', 'update-text', 'update-text-as-nobody'],
] as const;

/** How many times as many have to agree as are apart. */
const MOST_AGREE = 2;

/** What other gaps ask that may be refused as invalid: a target that does so with another status has no single answer. */
function alsoInvalid(): string[] {
  const gaps = loadGaps().filter(({ answers }) => answers?.refuse === 'refused as invalid');
  const rows = gaps.map(({ id }) => loadModel().gaps[id]);
  return [...new Set(rows.flatMap((row) => [...(row?.asks ?? []), ...(row?.may ?? [])]))];
}

/** The statuses of refusals, and which of two faults is refused first. */
export const statuses: Readonly<Record<string, Read>> = {
  'error-precedence': (look) => {
    const missing = statusOf(look.take('keys-as-nobody'));
    const seen = INVALID.flatMap(([what, question, asNobody]) => {
      const invalid = look.maybe(question);
      // Only what is refused with good credentials, too.
      if (!invalid || !isRefusedAsInvalid(invalid) || statusOf(invalid) === missing) return [];
      const both = statusOf(look.take(asNobody));
      if (both === missing || both === statusOf(invalid))
        return [{ what, value: both === missing ? 'credentials' : 'validation' }];
      throw new Undetermined(`invalid gives ${statusOf(invalid)}, without credentials ${missing}, both ${both}`);
    });
    return agreeing(seen, 'nothing that may be sent is refused as invalid with its own status');
  },
  'validation-status': (look) => {
    const [claims, text] = [look.maybe('sso-wrong-claims'), look.maybe('update-text')];
    const seen = [...(text && isRefusedAsInvalid(text) ? [{ what: 'analysis as text', value: statusOf(text) }] : [])];
    // Claims of a wrong type may be those of nobody.
    if (claims && (seen.length === 0 || isRefusedAsInvalid(claims)))
      seen.unshift({ what: 'wrong claims', value: allowedStatus('validation-status', claims) });
    const status = agreeing(seen, 'nothing was refused');
    // Once for each question: how often one was asked says nothing.
    const others = alsoInvalid().flatMap((question) => {
      const refused = answersTo(look.log, question).filter(isRefusedAsInvalid);
      return refused.find((entry) => statusOf(entry) !== status) ?? refused.slice(0, 1);
    });
    const apart = others.filter((entry) => statusOf(entry) !== status);
    const [other] = apart;
    if (!other) return status;
    look.by.add(other);
    // One request may meet a separate check; the status of most is the answer.
    if (seen.length + others.length - apart.length > MOST_AGREE * apart.length)
      return new Lenient(
        status,
        () => false,
        `${other.answer.request.method} ${other.path} was refused with ${statusOf(other)}`,
      );
    throw new Undetermined(`invalid requests are refused with more than one status: ${status}, but ${statusOf(other)}`);
  },
  'media-type-status': (look) => {
    const asked = { ssoLogin: look.maybe('sso-as-text'), updateRecording: look.maybe('update-as-text') };
    const seen = Object.entries(asked).flatMap(([operation, entry]) => {
      // An update that is accepted says nothing.
      const isRead = entry !== undefined && !(operation === 'updateRecording' && isOk(entry));
      return isRead ? [[operation, allowedStatus('media-type-status', entry)] as const] : [];
    });
    const statuses = new Set(seen.map(([, status]) => status));
    const [status] = statuses;
    if (status === undefined) throw new Undetermined('nothing was refused');
    return statuses.size === 1 ? status : Object.fromEntries(seen);
  },
  'options-requests': (look) => {
    const status = statusOf(look.take('sso-options'));
    if (status === 204) return 'allow';
    if (status === statusOf(look.take('sso-get'))) return 'refuse';
    throw new Undetermined(`OPTIONS was answered ${status}`);
  },
  'missing-body': (look) => {
    const status = statusOf(look.take('sso-no-body'));
    const none = look.any('sso-no-claims', 1);
    const [invalid] = none.some(isRefusedAsInvalid) ? none : look.any('sso-wrong-claims', 1);
    if (invalid && status === statusOf(invalid)) return 'validation';
    const [text] = look.any('sso-as-text', 1);
    if (text && status === statusOf(text)) return 'media-type';
    throw new Undetermined(`it gets ${status}, wrong claims ${invalid && statusOf(invalid)}`);
  },
  'unknown-query': (look) => {
    const seen = ['scopes', 'keys'].flatMap((list) => {
      const entry = look.any(list).some(isOk) ? look.maybe(`${list}-unknown-parameter`) : undefined;
      return entry ? [{ what: list, value: isAccepted(entry) ? 'ignore' : 'refuse' }] : [];
    });
    return agreeing(seen, 'neither the token scopes nor the API keys are answered without it');
  },
};
