/** A goal, or anything else that one measurement may wrongly find missed, and the rounds that it took. */
export interface Settled<Item> {
  readonly item: Item;
  readonly rounds: number;
}

/** At most so many rounds. */
export const maxRounds = 3;

/**
 * Measures parts until all their items hold. A part with an item that does not hold is measured again, up to `atMost` rounds in
 * all; in these, only the items that did not hold before are judged. The order of the first round is kept.
 */
export async function settle<Part, Item extends { readonly name: string }>(
  parts: readonly Part[],
  measure: (part: Part, round: number) => Promise<readonly Item[]>,
  holds: (item: Item) => boolean,
  atMost = maxRounds,
): Promise<Settled<Item>[]> {
  const settled: Settled<Item>[][] = [];
  for (const part of parts) settled.push((await measure(part, 1)).map((item) => ({ item, rounds: 1 })));
  for (let round = 2; round <= atMost; round += 1) {
    for (const [at, part] of parts.entries()) {
      const before = settled[at] ?? [];
      if (before.every(({ item }) => holds(item))) continue;
      const again = new Map((await measure(part, round)).map((item) => [item.name, item]));
      settled[at] = before.map((one) =>
        holds(one.item) ? one : { item: again.get(one.item.name) ?? one.item, rounds: round },
      );
    }
  }
  return settled.flat();
}
