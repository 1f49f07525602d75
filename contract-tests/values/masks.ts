/** Words and signs that sanitisers of recordings put in the place of a credential: `[masked]`, `***`, `REDACTED`, `<token>`, `xxxx`. */
const MASKED = /redact|mask|remov|hidden|omit|sanitiz|sanitis|scrubbed|filtered|[*•…‹<[({]|\.{3}|^x+$|^$/i;

export const isMasked = (text: string): boolean =>
  MASKED.test(text) || text.split('.').every((part) => new Set(part).size <= 1);
