/** Median milliseconds of each work, in 101 interleaved turns: other load affects all alike, so that they can be compared with each other. */
export function medianTimes(works: readonly ((at: number) => unknown)[]): number[] {
  const times: number[][] = works.map(() => []);
  for (let at = 0; at < 101; at += 1) {
    for (const [which, work] of works.entries()) {
      const started = performance.now();
      work(at);
      times[which]?.push(performance.now() - started);
    }
  }
  return times.map((ofOne) => ofOne.sort((a, b) => a - b)[50] ?? Number.NaN);
}
