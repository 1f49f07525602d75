import { isOk, statusOf } from '../log/entry.ts';
import { answersTo, questions } from './questions.ts';
import { isRefusedAsInvalid, one, type Read, undetermined } from './reader.ts';
import { mostOf } from './shapes.ts';

/** Requests that may be refused as invalid, which are sent without credentials too. */
const INVALID = ['keys-no-provider', 'update-text'];

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
    const all = Object.keys(questions()).flatMap((question) =>
      // Once for each question: how often one was asked says nothing.
      questions()[question]?.refusal === 'validation'
        ? (answersTo(look.log, question).find(isRefusedAsInvalid) ?? [])
        : [],
    );
    const [usual, ...same] = mostOf(all, statusOf);
    // Claims of a wrong type may be those of nobody.
    if (!usual) return asked[0] ? statusOf(asked[0]) : undetermined('nothing was refused');
    const apart = all.filter((entry) => statusOf(entry) !== statusOf(usual));
    const [other] = apart;
    if (!other) return statusOf(usual);
    look.by.add(other);
    const seen = `${statusOf(usual)}, but ${statusOf(other)}`;
    if (same.length < 2 * apart.length) undetermined(`invalid requests are refused with more than one status: ${seen}`);
    // One request may meet a separate check; the status of most is the answer.
    look.remark = `${other.answer.request.method} ${other.path} was refused with ${statusOf(other)}`;
    return statusOf(usual);
  },
  'media-type-status': (look) => {
    const [login, update] = [look.maybe('sso-as-text'), look.maybe('update-as-text')];
    const seen = {
      ...(login && { ssoLogin: statusOf(login) }),
      // An update that is accepted says nothing.
      ...(update && !isOk(update) && { updateRecording: statusOf(update) }),
    };
    const [status, ...others] = new Set(Object.values(seen));
    return others.length > 0 ? seen : (status ?? undetermined('nothing was refused'));
  },
};
