/** For actors without an identifier to derive an unknown one from. */
const UNKNOWN = '6f1d0b52-3c7e-4a90-8d24-95b1c6e7a803';

/** The claims of somebody unknown, always the same: signing in may make a user. The last digit differs: comparisons may end early. */
export function unknownIdentity(admin: Record<string, string>): Record<string, string> & { upn: string } {
  const { oid = '', tid = '', upn = '', ...others } = admin;
  const known = oid.length >= 12 && /[0-9a-z]$/i.test(oid) ? oid : UNKNOWN;
  const domain = upn.split('@')[1] ?? 'example.invalid';
  const unknown = known.slice(0, -1) + (known.endsWith('7') ? '3' : '7');
  return { ...others, oid: unknown, tid, upn: `platform-mock-probe@${domain}` };
}

/** What a run leaves behind where that identity was signed in, as the report tells it. */
export const userOfUnknown = (upn: string): string => `the user ${upn}, made by the SSO login of an unknown identity`;
