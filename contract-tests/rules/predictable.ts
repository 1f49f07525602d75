/** A lone surrogate: RFC 8259, section 8.2, calls the fate of such a text unpredictable. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether every JSON implementation and every database keeps a text; U+0000 is refused or cut off by several. */
export const isPredictable = (text: string): boolean => !LONE_SURROGATE.test(text) && !text.includes('\u0000');
