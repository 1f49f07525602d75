import { control, type Schemas, unwrap } from './client.ts';

export type Minted = Schemas['MintedToken'];

/** Name of every PAT that the dashboard creates. */
export const patName = 'Created in the dashboard';

/** Mints a token for a user. Changes no record but the token's own. `lifetime` is in seconds; default: the profile's. */
export const mint = (user: string, kind: Minted['kind'] = 'access', lifetime?: number): Promise<Minted> =>
  unwrap(
    control.POST('/tokens', {
      body: { user, kind, ...(lifetime && { lifetime }), ...(kind === 'pat' && { name: patName }) },
    }),
  );

/** The user as whom examples are tried: the suite's administrator, where there is one. */
export const defaultPersona = (personas: readonly Schemas['Persona'][]): Schemas['Persona'] | undefined =>
  personas.find(({ actor }) => actor === 'admin') ?? personas[0];

/** A command line that changes a recording's title. */
export const curlCommand = (baseUrl: string, recording: string, authorization: string): string =>
  `curl -X PATCH '${baseUrl}/v1/echo/recordings/${encodeURIComponent(recording)}' -H 'Authorization: ${authorization}' -H 'Content-Type: application/json' -d '{"title":"Hello"}'`;
