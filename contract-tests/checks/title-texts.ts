/** A text for titles, and what messages call it. */
export interface TitleText {
  what: string;
  text: string;
}

const named = (entries: readonly (readonly [what: string, text: string])[]): TitleText[] =>
  entries.map(([what, text]) => ({ what, text }));

/**
 * What a careless implementation changes anywhere in a title; one title can hold several of these. Each of them may be
 * refused, since limits of length and of characters are not shown (8). What is accepted must be answered as it was sent.
 */
const PIECES: readonly TitleText[] = named([
  // UTF-8, UTF-16 and utf8mb4 hold them; a column that does not has to refuse them.
  ['accented letters', 'Ünïcödé – naïve'],
  ['letters of other scripts', '日本語 עברית ελληνικά'],
  ['characters beyond the basic plane', '\u{1F3A7} \u{1D11E}'],
  // Two texts: no database normalises by itself, and nothing asks for it.
  ['composed and decomposed letters', '\u00e9 e\u0301 \u00c5 A\u030a \u1100\u1161'],
  // In these the joiners between the letters are part of how they are spelt.
  ['joined characters', '\u{1F469}\u200D\u{1F4BB} \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
  // Format characters are characters of the text; RFC 8259 ignores a byte order mark at the start of the whole body only.
  ['marks of writing direction', '\u202Babc\u202C \u2067def\u2069 \u200E\u200F'],
  ['a byte order mark in the middle', 'in\ufeffside'],
  // Escaping belongs to where a title is shown or queried. A firewall may refuse them.
  ['markup', '<b>"Q&A"</b> &amp; <script>1</script>'],
  ['quotes and backslashes', '\'quotes\' "double" \\ \\n \\u0041'],
  ['what looks like SQL', "Robert'); DROP TABLE titles; -- /* */"],
  ['what looks like a template', '{{x}} \u0024{x} #{x} <%= x %> %s %(x)s {0}'],
  // RFC 8259 escapes them and keeps them.
  ['two spaces and a tab', 'two  spaces\tand a tab'],
  ['line breaks', 'first line\r\nsecond line\nthird'],
]);

/** What is changed only where it is the whole title, or stands at its ends. It may be refused, and is kept where it is accepted. */
const WHOLE: readonly TitleText[] = named([
  // Frameworks that trim can be told not to; nothing in the document allows it.
  ['white space at both ends', '  a title \t'],
  ['a byte order mark at both ends', '\ufeffa title\ufeff'],
  ['a line break at its end', 'last line\n'],
  ['a file name', 'minutes.mp3'],
  // Beside a % that stands for itself a careless decoder does nothing.
  ['what is decoded in a URL', '100%25 a+b %20'],
  // What a careless serialiser reads as a number, a boolean, nothing, or a formula.
  ['digits', '00451'],
  ['digits with an exponent', '1e3'],
  ['the word null', 'null'],
  ['the word true', 'true'],
  ['a formula', '=1+1'],
  ['the name of what every object has', 'constructor'],
  // JSON escapes them, and every database holds them; what is built on XML has to refuse them.
  ['control characters', 'bell \u0007 escape \u001b unit \u001f delete \u007f'],
  // A store that has no empty text has to refuse it: the answer has a string for the title (2).
  ['no characters', ''],
]);

const ofLength = (length: number): TitleText => ({
  what: `${length.toLocaleString('en')} characters`,
  text: `${'even longer '.repeat(Math.ceil(length / 12)).slice(0, length - 8)}the end.`,
});

/** Titles of growing length: limits are not shown, so that the longest accepted one shows the most. */
const [MODERATE, LONG] = [ofLength(1_100), ofLength(10_000)];

/**
 * Whether a title that is accepted must be answered as it was sent. RFC 8259 (8.2) calls the fate of a lone surrogate
 * unpredictable, since UTF-8 has none, and U+0000 has no place in the texts of PostgreSQL; the document speaks of neither.
 * The suite sends none; explored and recorded ones are not judged.
 */
export const mustBeKept = (title: unknown): title is string => typeof title === 'string' && !/[\p{Cs}\0]/u.test(title);

/** The everyday title, which must be taken. */
export const PLAIN: TitleText = { what: 'plain text', text: 'Contract title 1' };

/** A title as an update carries it, with all texts that it shows. */
export interface CarriedTitle extends TitleText {
  shows: readonly TitleText[];
}

/** Several texts in one title; where that is refused or changed, each of them is sent alone. */
function together(text: (joined: string) => string, shows: readonly TitleText[]): CarriedTitle {
  return {
    what: shows.map(({ what }) => what).join(', '),
    text: text(shows.map((each) => each.text).join(' | ')),
    shows,
  };
}

/** Those of the texts that have these names. */
const texts = (...names: string[]): TitleText[] =>
  [...PIECES, ...WHOLE, MODERATE].filter(({ what }) => names.includes(what));

/** What decodes a title like a URL gives up at any other percent sign. */
const IN_URLS = 'what is decoded in a URL';
const CARRIED = [
  IN_URLS,
  'white space at both ends',
  'a byte order mark at both ends',
  'a formula',
  'a line break at its end',
];

/** The titles that a run sends, those that show most first. */
export const CARRIED_TITLES: readonly CarriedTitle[] = [
  together(
    (joined) => `  ${joined} \t`,
    [...PIECES.filter(({ what }) => what !== IN_URLS), MODERATE, ...texts('white space at both ends')],
  ),
  together((joined) => `\ufeff${joined}\ufeff`, [LONG, ...texts('a byte order mark at both ends')]),
  // A formula starts with its sign, and a last line ends with its break.
  together((joined) => `=1+1 ${joined}\n`, texts(IN_URLS, 'a formula', 'a line break at its end')),
  ...WHOLE.filter(({ what }) => !CARRIED.includes(what)).map((text) => ({ ...text, shows: [text] })),
];
