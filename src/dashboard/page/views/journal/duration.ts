/** Milliseconds, as exact as people read them. */
export const shortDuration = (milliseconds: number): string =>
  `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
