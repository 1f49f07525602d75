/** Titles that a careless implementation changes on the way, and how the run carries them: many in one where that is possible. */

/** Titles by what is in them. The first must be taken; limits of titles are not shown, so the others may be refused. */
export const TITLES = {
  'plain text': 'Contract title 1',
  Unicode: 'Ünïcödé – 日本語 – \u{1F3A7} – עברית – e\u0301',
  // In these the joiners between the letters are part of how they are spelt.
  'joined characters': '\u{1F469}\u200D\u{1F4BB} \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
  markup: '<b>"Q&A"</b> &amp; \'quotes\' \\ %20 {{x}} %s',
  'what is decoded in a URL': '100%25 a+b',
  'white space': '  two  spaces\tand a tab ',
  'line breaks': 'first line\r\nsecond line',
  'a line break at its end': 'last line\n',
  // What a careless serialiser reads as a number, a boolean, nothing, or a formula.
  digits: '00451',
  'digits with an exponent': '1e3',
  'the word null': 'null',
  'the word true': 'true',
  'a formula': '=1+1',
  'the name of what every object has': 'constructor',
  'no characters': '',
  '300 characters': `${'long title '.repeat(27)}end`,
  '1,100 characters': `${'even longer '.repeat(91)}the end.`,
} as const;

export type TitleKind = keyof typeof TITLES;

/** A title as an update carries it, with all kinds that it shows. */
export interface CarriedTitle {
  title: string;
  shows: readonly TitleKind[];
}

/** Several kinds in one title, in an order in which none hides another: blanks are at its ends, and so are line breaks. */
const together = (...shows: TitleKind[]): CarriedTitle => ({
  title: shows.map((kind) => TITLES[kind]).join(' '),
  shows,
});
const alone = (kind: TitleKind): CarriedTitle => ({ title: TITLES[kind], shows: [kind] });

const SPACED = together(
  'white space',
  'Unicode',
  'joined characters',
  'markup',
  'line breaks',
  '300 characters',
  '1,100 characters',
);

/** The titles that the run sends, those that show most first. */
export const CARRIED_TITLES: readonly CarriedTitle[] = [
  // Blanks at both ends.
  { ...SPACED, title: `${SPACED.title} ` },
  together('a formula', 'what is decoded in a URL', 'a line break at its end'),
  alone('digits'),
  alone('digits with an exponent'),
  alone('the word null'),
  alone('the word true'),
  alone('the name of what every object has'),
  alone('no characters'),
];
