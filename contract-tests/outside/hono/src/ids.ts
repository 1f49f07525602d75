import { createHash } from 'node:crypto';

/** Identifiers and secrets of one server instance: unguessable enough for tests, the same on every run. */
export interface Ids {
  next(kind: string): string;
  secret(kind: string): string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const asUuid = (bytes: Buffer): string => {
  const hex = bytes.toString('hex');
  const variant = '89ab'[bytes.readUInt8(8) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export function createIds(): Ids {
  let count = 0;
  return {
    next(kind) {
      count += 1;
      return asUuid(digest(`${kind}:${count}`));
    },
    secret(kind) {
      count += 1;
      return digest(`secret:${kind}:${count}`).toString('base64url').replace(/[-_]/g, 'x');
    },
  };
}
