import { expect, test } from 'vitest';
import { show, showSent } from './json.ts';

test('what is invisible in a text is escaped where it is shown, and nothing else', () => {
  expect(show('\ufeffa\u200db\u202ec')).toBe('"\\ufeffa\\u200db\\u202ec"');
  expect(show('e\u0301 \u00e9')).toBe('"e\\u0301 \u00e9"');
  expect(show('日本語 \u{1F3A7}')).toBe('"日本語 \u{1F3A7}"');
  expect(show('a\u00a0title')).toBe('"a\\u00a0title"');
});

test('a body of JSON is shown as it was sent, on one line; another text in quotes', () => {
  expect(showSent('{\n  "error": { "message": "a \\"b\\"", "id": 12345678901234567890 }\n}\n')).toBe(
    '{ "error": { "message": "a \\"b\\"", "id": 12345678901234567890 } }',
  );
  expect(showSent('<p title="x">')).toBe('"<p title=\\"x\\">"');
});
