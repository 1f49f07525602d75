import { control, type Schemas, told } from './client.ts';

export type Minted = Schemas['MintedToken'];

/** Has a token made; nothing of the world's records but the token's own is touched. */
export const mint = (
  user: string,
  kind: Minted['kind'] = 'access',
  defect: Minted['defect'] = 'none',
): Promise<Minted> =>
  told(
    control.POST('/tokens', { body: { user, kind, defect, ...(kind === 'pat' && { name: 'Made in the dashboard' }) } }),
  );

/** A command line that changes a recording's title. */
export const curlLine = (baseUrl: string, recording: string, authorization: string): string =>
  `curl -X PATCH '${baseUrl}/v1/echo/recordings/${encodeURIComponent(recording)}' -H 'Authorization: ${authorization}' -H 'Content-Type: application/json' -d '{"title":"Hello"}'`;
