import { FLAWS, type FlawKind, isOk, isRefused, type ProtectedId, statusOf } from '../log/entry.ts';
import { answerOf, type Judged, of, open, type Rule, shown, violated } from './rule.ts';
import { isGood, nameOf } from './tokens-in-use.ts';

/** Bad credentials: each kind is refused by each operation (part 5). */

/** Each operation refuses each kind of bad credentials. A refusal counts only if valid credentials succeed. */
export const refusalRule = (kind: FlawKind, operation: ProtectedId): Rule => ({
  id: `auth-${kind}-${operation}`,
  requirements: [FLAWS[kind].requirement],
  title: `${nameOf(operation)} refuses ${kind === 'no-credentials' ? 'a request without credentials' : FLAWS[kind].what}`,
  judge(log) {
    const own = of(log, operation);
    const control = own.find((entry) => isOk(entry) && isGood(entry));
    const hasHeaders =
      !log.isPartial || log.entries.some(({ answer }) => answer.request.headers.Authorization !== undefined);
    return own
      .filter(({ credential }) => credential.flaw?.kind === kind)
      .flatMap((entry): Judged => {
        const { flaw } = entry.credential;
        if (kind === 'no-credentials' && entry.hasCookies) return [];
        if (isOk(entry) && kind === 'no-credentials' && !hasHeaders)
          return open(
            'the recording has no Authorization header at all, as exporters leave them out; export it with sensitive data',
          );
        if (isOk(entry) || (statusOf(entry) >= 500 && !log.isPartial && control))
          return violated({
            message: `${nameOf(operation)} ${isOk(entry) ? 'accepts' : 'fails on'} ${flaw?.what}.`,
            expected: 'a refusal (4xx)',
            actual: answerOf(entry),
            by: [entry],
          });
        if (!isRefused(entry)) return [];
        if (!control && !log.isPartial)
          return open(
            `${nameOf(operation)} does not succeed with valid credentials either, so a refusal shows nothing`,
          );
        return shown(...(control ? [control] : []), entry);
      });
  },
});
