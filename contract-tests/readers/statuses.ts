import { isOk, statusOf } from '../log/entry.ts';
import { loadModel } from '../plan/model.ts';
import { loadGaps } from '../spec-data.ts';
import { answersTo } from './questions.ts';
import { allowedStatus, isAccepted, isRefusedAsInvalid, one, type Read, undetermined } from './reader.ts';

/** Requests that may be refused as invalid, which are sent without credentials too. */
const INVALID = ['keys-no-provider', 'update-text'];

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
    const seen = INVALID.flatMap((question) => {
      const invalid = look.maybe(question);
      // Only what is refused with good credentials, too.
      if (!invalid || !isRefusedAsInvalid(invalid) || statusOf(invalid) === missing) return [];
      const nobodys = look.maybe(`${question}-as-nobody`);
      if (!nobodys) return [];
      const both = statusOf(nobodys);
      if (both === missing) return 'credentials';
      if (both === statusOf(invalid)) return 'validation';
      return undetermined(`invalid gives ${statusOf(invalid)}, without credentials ${missing}, both ${both}`);
    });
    return one('both', seen) ?? undetermined('nothing that may be sent is refused as invalid with its own status');
  },
  'validation-status': (look) => {
    const asked = ['sso-wrong-claims', 'update-text'].flatMap((question) => look.maybe(question) ?? []);
    // Claims of a wrong type may be those of nobody.
    const first = asked.find(isRefusedAsInvalid) ?? asked[0];
    const status = first ? allowedStatus('validation-status', first) : undetermined('nothing was refused');
    // Once for each question: how often one was asked says nothing.
    const others = alsoInvalid().flatMap((question) => {
      const refused = answersTo(look.log, question).filter(isRefusedAsInvalid);
      return refused.find((entry) => statusOf(entry) !== status) ?? refused.slice(0, 1);
    });
    const all = [...asked.filter(isRefusedAsInvalid), ...others];
    const apart = all.filter((entry) => statusOf(entry) !== status);
    const [other] = apart;
    if (!other) return status;
    look.by.add(other);
    if (all.length - apart.length <= MOST_AGREE * apart.length)
      undetermined(`invalid requests are refused with more than one status: ${status}, but ${statusOf(other)}`);
    // One request may meet a separate check; the status of most is the answer.
    look.remark = `${other.answer.request.method} ${other.path} was refused with ${statusOf(other)}`;
    return status;
  },
  'media-type-status': (look) => {
    const asked = { ssoLogin: look.maybe('sso-as-text'), updateRecording: look.maybe('update-as-text') };
    const seen = Object.entries(asked).flatMap(([operation, entry]) =>
      // An update that is accepted says nothing.
      entry && !(operation === 'updateRecording' && isOk(entry))
        ? [[operation, allowedStatus('media-type-status', entry)] as const]
        : [],
    );
    const [status, ...others] = new Set(seen.map(([, each]) => each));
    if (others.length > 0) return Object.fromEntries(seen);
    return status ?? undetermined('nothing was refused');
  },
  'options-requests': (look) => {
    const status = statusOf(look.take('sso-options'));
    if (status === 204) return 'allow';
    return status === statusOf(look.take('sso-get')) ? 'refuse' : undetermined(`OPTIONS was answered ${status}`);
  },
  'missing-body': (look) => {
    const status = statusOf(look.take('sso-no-body'));
    const none = look.any('sso-no-claims', 1);
    const [invalid] = none.some(isRefusedAsInvalid) ? none : look.any('sso-wrong-claims', 1);
    if (invalid && status === statusOf(invalid)) return 'validation';
    const [text] = look.any('sso-as-text', 1);
    if (text && status === statusOf(text)) return 'media-type';
    return undetermined(`it gets ${status}, wrong claims ${invalid && statusOf(invalid)}`);
  },
  'unknown-query': (look) => {
    const seen = ['scopes', 'keys'].flatMap((list) => {
      const entry = look.any(list).some(isOk) ? look.maybe(`${list}-unknown-parameter`) : undefined;
      return entry ? [isAccepted(entry) ? 'ignore' : 'refuse'] : [];
    });
    return (
      one('lists answer', seen) ?? undetermined('neither the token scopes nor the API keys are answered without it')
    );
  },
};
