import { decodeJwt } from '../checks/formats.ts';

/** A credential that the target took, and where it came from. */
export interface Bearer {
  token: string;
  source: string;
  /** When it was answered, by this process's clock in milliseconds; absent where it was given. */
  receivedAt?: number;
}

/** Whether four fifths of the lifetime that a JWT states are over. Counted from its receipt: clocks may differ. */
export function isNearlySpent({ token, receivedAt }: Bearer): boolean {
  const { exp, iat } = decodeJwt(token)?.payload ?? {};
  if (receivedAt === undefined || typeof exp !== 'number' || typeof iat !== 'number') return false;
  return exp > iat && performance.now() - receivedAt > (exp - iat) * 800;
}
