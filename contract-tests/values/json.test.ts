import { expect, test } from 'vitest';
import { show } from './json.ts';

test('what is invisible in a text is escaped where it is shown, and nothing else', () => {
  expect(show('\ufeffa\u200db\u202ec')).toBe('"\\ufeffa\\u200db\\u202ec"');
  expect(show('e\u0301 \u00e9')).toBe('"e\\u0301 \u00e9"');
  expect(show('日本語 \u{1F3A7}')).toBe('"日本語 \u{1F3A7}"');
  expect(show('a\u00a0title')).toBe('"a\\u00a0title"');
});
