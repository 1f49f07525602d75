/** An operation on a register, as its client saw it. Times are in milliseconds of one clock. */
export interface Operation {
  readonly kind: 'write' | 'read';
  /** The value written or read. No value is written twice, nor is the first one of the register. */
  readonly value: string;
  readonly from: number;
  /** Time of the answer. `Infinity`: unknown whether and when the write happened. Leave out such reads: they say nothing. */
  readonly to: number;
}

/** A write and the reads of its value, which happen without a write of another value in between: the first to end, the last to begin. */
interface Cluster {
  readonly write: Operation;
  firstTo: Operation;
  lastFrom: Operation;
}

/**
 * Finds what keeps a history of a register from being linearizable: whether each operation can be given a moment between its start
 * and its end so that each read gives the value written last. Exact, and fast, because values are unique (Gibbons and Korach,
 * "Testing shared memories", 1997); in general the question is NP-complete, and checkers search.
 *
 * The operations of one value happen together, so only the order of these clusters is open. A must come before B where an operation
 * of A is over before one of B begins: where `A.firstTo < B.lastFrom`. Pairs in which both hold are contradictions, and there are no
 * others: in a longer circle of "must come before", let A be the cluster with the earliest `firstTo`. The one before it in the
 * circle, C, has `C.firstTo < A.lastFrom`; and `A.firstTo` is not after the `firstTo` of C's own predecessor, which is before
 * `C.lastFrom`. So A and C contradict each other already.
 * @param first what the register held before
 * @returns the contradictions; none where the history is linearizable
 * @throws Error where a value is written twice
 */
export function contradictions(history: readonly Operation[], first: string): string[] {
  const start = { kind: 'write', value: first, from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY } as const;
  const clusters = new Map<string, Cluster>();
  for (const write of [start, ...history.filter(({ kind }) => kind === 'write')]) {
    if (clusters.has(write.value)) throw new Error(`${write.value} is written twice: histories need unique values`);
    clusters.set(write.value, { write, firstTo: write, lastFrom: write });
  }
  const found: string[] = [];
  for (const read of history.filter(({ kind }) => kind === 'read')) {
    const cluster = clusters.get(read.value);
    if (!cluster) found.push(`${shown(read)}: no client wrote that`);
    else if (read.to < cluster.write.from) found.push(`${shown(read)}: before ${shown(cluster.write)}`);
    else {
      if (read.to < cluster.firstTo.to) cluster.firstTo = read;
      if (read.from > cluster.lastFrom.from) cluster.lastFrom = read;
    }
  }
  const all = [...clusters.values()];
  for (const [at, a] of all.entries())
    for (const b of all.slice(at + 1))
      if (a.firstTo.to < b.lastFrom.from && b.firstTo.to < a.lastFrom.from)
        found.push(`${seen(a)} cannot be in any order with ${seen(b)}`);
  return found;
}

const seen = ({ firstTo, lastFrom }: Cluster): string => `(${shown(firstTo)} … ${shown(lastFrom)})`;

const shown = ({ kind, value, from, to }: Operation): string =>
  `${kind} ${JSON.stringify(value)} [${from.toFixed(1)}, ${to.toFixed(1)}]`;
