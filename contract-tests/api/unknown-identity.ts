import { createHash } from 'node:crypto';

/** An identifier like that of admin, since a careless comparison ends early; else one in the form of a UUID. The same at every run. */
function identifierLike(oid: string, tid: string): string {
  const last = oid.at(-1) ?? '';
  if (oid.length >= 12 && /[0-9a-z]/i.test(last)) return oid.slice(0, -1) + (last === '7' ? '3' : '7');
  const hex = createHash('sha256').update(`platform-mock probe ${tid}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/**
 * The claims of somebody unknown in the directory of admin, whose claims are given: only the user is unknown. Always the same ones, so that at most
 * one user is ever made where signing in does that.
 */
export function unknownIdentity(admin: Record<string, string>): Record<string, string> & { upn: string } {
  const { tid = '', upn = '', ...others } = admin;
  const domain = upn.split('@')[1] ?? 'example.invalid';
  return { ...others, oid: identifierLike(admin.oid ?? '', tid), tid, upn: `platform-mock-probe@${domain}` };
}

/** What a run leaves behind where that identity was signed in, as the report tells it. */
export const userOfUnknown = (upn: string): string => `the user ${upn}, made by the SSO login of an unknown identity`;
