/** Identifiers: unguessable-looking, yet the same on every start. */
import { createHash } from 'node:crypto';
import type { Settings } from './settings.ts';

export type IdKind = 'ten' | 'usr' | 'rec' | 'key' | 'pat';

export function createIds(form: Settings['ids']) {
  let last = 0;
  return (kind: IdKind): string => {
    last += 1;
    if (form === 'numeric') return String(104_000 + last * 17);
    const digest = createHash('sha256').update(`${kind}:${last}`).digest('hex').slice(0, 16);
    // The id of a PAT stands between "_" and "." inside the token, so it carries neither.
    return kind === 'pat' ? digest : `${kind}-${digest}`;
  };
}
