export const SSO_PATH = '/v1/auth/sso';
export const LOGIN_PATH = '/v1/auth/login';

/** The path of 4.2 for one recording. */
export function recordingPath(recordingId: string): string {
  return `/v1/echo/recordings/${encodeURIComponent(recordingId)}`;
}

/** The path of 4.3 for one tenant. */
export function apiKeysPath(tenantId: string): string {
  return `/v1/admin/tenants/${encodeURIComponent(tenantId)}/api-keys`;
}

/** An identifier that every usual format of identifiers lets through. */
export const SAMPLE_ID = '7d0d4a52-5f2c-4b1e-9c1d-0e6f8a3b2c4d';
