/** Words and signs that sanitisers of recordings put in the place of a credential; base64 may hold shorter words by chance. */
const MASKED = /redact|masked|removed|hidden|omitted|sanitiz|sanitis|scrubbed|filtered|[*•…‹<[({]|\.{3}|^x+$|^$/i;

export const isMasked = (text: string): boolean =>
  MASKED.test(text) || text.split('.').every((part) => new Set(part).size <= 1);
