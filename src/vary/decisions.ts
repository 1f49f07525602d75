export type Decision = ReturnType<typeof decisionsIn>[number];

/** The decisions that the mocks of a run wrote: lines of gaps, a tab and an operation. */
export const decisionsIn = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      // '' for a request of no operation.
      const [gaps = '', operation = ''] = line.split('\t');
      return { gaps: gaps.split(',').filter(Boolean), operation };
    });

/** Where gaps decided a response: gap and operation. @param varied gaps that may hide each other's effect on the same response */
export const placesOf = (decisions: readonly Decision[], varied: ReadonlySet<string> = new Set()): Set<string> =>
  new Set(
    decisions.flatMap(({ gaps, operation }) =>
      gaps
        .filter((gap) => !gaps.some((other) => other !== gap && varied.has(other)))
        .map((gap) => `${gap}\t${operation}`),
    ),
  );

/** The operations whose responses each gap decided. */
export function operationsOf(decisions: readonly Decision[]): Map<string, Set<string>> {
  const operations = new Map<string, Set<string>>();
  for (const { gaps, operation } of decisions)
    for (const gap of gaps) operations.set(gap, (operations.get(gap) ?? new Set()).add(operation || 'no operation'));
  return operations;
}

/** The gaps that decided a response together with this one, in each response of some operation. */
export function companionsOf(gap: string, decisions: readonly Decision[]): Set<string> {
  const own = decisions.filter(({ gaps }) => gaps.includes(gap));
  const found = own.flatMap(({ operation, gaps }) => {
    const there = own.filter((decision) => decision.operation === operation);
    return gaps.filter((other) => other !== gap && there.every((decision) => decision.gaps.includes(other)));
  });
  return new Set(found);
}
