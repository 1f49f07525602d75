import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Progress } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function start(isTTY: boolean, plainLines = true) {
  let written = '';
  const write = (text: string): void => {
    written += text;
  };
  vi.stubGlobal('process', { ...process, stderr: { isTTY, columns: 80, write } });
  const progress = new Progress(8, plainLines);
  const step = (name: string, seconds: number): void => {
    progress.begin(name);
    vi.advanceTimersByTime(seconds * 1000);
    progress.end();
  };
  return { progress, step, written: () => written };
}

test('on a terminal one line is rewritten, and removed at the end', () => {
  const { progress, step, written } = start(true);
  for (const name of ['one', 'two', 'three', 'four']) step(name, 30);
  const last = stripVTControlCharacters(written()).split('\r').at(-1);
  expect(last).toBe(`${'█'.repeat(12)}${'░'.repeat(12)}  4 of 8  2 min 0 s, about 2 min 0 s left  four`);
  progress.stop();
  expect(written().endsWith('\r\u001b[2K')).toBe(true);
  expect(written()).not.toContain('\n');
});

test.each([
  ['a line every ten seconds, also while one step takes long', true, '1 of 8  10 s  two\n'],
  ['none where the command prints marks', false, ''],
])('elsewhere there is %s', (_what, plainLines, expected) => {
  const { progress, step, written } = start(false, plainLines);
  for (const name of ['one', 'two', 'three']) step(name, 6);
  progress.stop();
  expect(written()).toBe(expected);
});
