import { median, ratios, short, spreadOf, table } from './statistics.ts';

/** What is wanted of a figure. Its value is the median of the samples. */
export interface Goal {
  readonly name: string;
  readonly samples: readonly number[];
  readonly unit: string;
  /** Samples of another server, measured in turn. Their ratios are judged, sample by sample. */
  readonly of?: readonly number[];
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Whether it is missed only if the spread excludes 1 as well; of one or two samples, it never does. */
  readonly isNoisy?: boolean;
}

export interface Settled {
  readonly goal: Goal;
  readonly rounds: number;
}

const judged = ({ samples, of }: Goal): readonly number[] => (of ? ratios(samples, of) : samples);

/** Whether the median meets the goal; a missing value does not. */
export function isMet(goal: Goal): boolean {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal;
  const values = judged(goal);
  const value = median(values);
  const [low, high] = spreadOf(values);
  const isBeyondSpread = values.length > 2 && (low > 1 || high < 1);
  return (value >= atLeast && value <= atMost) || (goal.isNoisy === true && values.length > 0 && !isBeyondSpread);
}

export const goalsTable = (settled: readonly Settled[]): string =>
  table(
    settled.map(({ goal, rounds }) => {
      const unit = goal.of ? 'x' : goal.unit;
      const [low, high] = spreadOf(judged(goal));
      const wanted = goal.atLeast === undefined ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
      return {
        goal: goal.name,
        measured: `${short(median(goal.samples))} ${goal.unit}`,
        other: goal.of ? short(median(goal.of)) : '',
        ratio: goal.of ? `${median(judged(goal)).toFixed(3)} x` : '',
        spread: goal.samples.length < 2 ? '' : `${short(low)}–${short(high)}`,
        wanted: `${wanted} ${unit}`,
        '': isMet(goal) ? `met${rounds > 1 ? `, round ${rounds}` : ''}` : `MISSED in ${rounds} rounds`,
      };
    }),
  );

/** One line about the goals that were missed in every round; undefined where there are none. */
export function missedLine(settled: readonly Settled[]): string | undefined {
  const missed = settled.filter(({ goal }) => !isMet(goal));
  const names = missed.map(({ goal }) => `${goal.name} (${short(median(judged(goal)))} ${goal.of ? 'x' : goal.unit})`);
  if (missed.length === 0) return undefined;
  return `FAILED: ${missed.length} of ${settled.length} goals missed in ${maxRounds} rounds: ${names.join(', ')}`;
}

export const maxRounds = 3;

/** Measures parts, and those with a missed goal again, up to three rounds: in these, only the goals missed before are judged. */
export async function settle<Part>(
  parts: readonly Part[],
  measure: (part: Part, round: number) => Promise<readonly Goal[]>,
): Promise<Settled[]> {
  const settled = new Map<Part, Settled[]>();
  for (let rounds = 1; rounds <= maxRounds; rounds += 1)
    for (const part of parts) {
      const before = settled.get(part);
      if (before?.every(({ goal }) => isMet(goal))) continue;
      const now = new Map((await measure(part, rounds)).map((goal) => [goal.name, { goal, rounds }]));
      const judge = (one: Settled) => (isMet(one.goal) ? one : (now.get(one.goal.name) ?? { ...one, rounds }));
      settled.set(part, before?.map(judge) ?? [...now.values()]);
    }
  return [...settled.values()].flat();
}
