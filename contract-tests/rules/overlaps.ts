import { OPERATIONS, type OperationId, prefixOf } from '../api/operations.ts';
import { isFailure, isOk, overlappingIn } from '../log/entry.ts';
import { type DocumentRule, isOdd, type Judge, notSucceeded, of, open, rulesOf, shown } from './rule.ts';

/** What succeeds alone does not fail while other requests are under way. One failure, or one of an operation that fails alone as well, may be trouble. */
const worksAtOnce =
  (operation: OperationId): Judge =>
  (log) => {
    const overlapping = overlappingIn(log.entries);
    const own = of(log, operation);
    const alone = own.filter((entry) => !overlapping.has(entry) && !isOdd(entry));
    const overlapped = own.filter(
      (entry) => overlapping.has(entry) && (entry.asked?.odd.join() ?? 'overlap') === 'overlap',
    );
    const control = alone.find(isOk);
    const failures = overlapped.filter(isFailure);
    const [first] = failures;
    // Those of one moment have one cause.
    const second = failures.find((each) => first && each.begin > first.end);
    if (!control) return [];
    if (!first) return overlapped.filter(isOk).map((entry) => shown(control, entry));
    if (!second || log.isPartial || alone.some(isFailure))
      return [open(`${OPERATIONS[operation].name} failed once while other requests were under way`)];
    const { name } = OPERATIONS[operation];
    const advice = 'It fails where other requests are under way, and succeeds alone.';
    return [{ ...notSucceeded(name, second, advice), by: [control, first, second] }];
  };

/** The operations that the rounds of requests at once hold. */
const ASKED = ['sso', 'api-keys', 'scopes', 'recording'] as const;

/** @param others the rules that report whether an operation works: its requirement is theirs */
export const overlapRules = (others: readonly DocumentRule[]): DocumentRule[] =>
  ASKED.flatMap((operation) =>
    rulesOf(operation, [
      {
        id: `${prefixOf(operation)}-at-once`,
        requirements: others.find(({ id }) => id === OPERATIONS[operation].reportedBy)?.requirements.slice(0, 1) ?? [],
        title: `${OPERATIONS[operation].name} does not fail while other requests are under way`,
        isOptional: true,
        phases: ['overlaps', ...(operation === 'sso' ? (['strangers', 'late'] as const) : [])],
        judge: worksAtOnce(operation),
      },
    ]),
  );
