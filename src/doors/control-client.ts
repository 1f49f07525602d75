import createClient, {
  type Client,
  type ClientOptions,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import type { components, paths } from '../core/spec/control-types.ts';

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';
type PathsWith<Name extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<Name>, unknown> ? Path : never;
}[keyof paths];

/** As the method of openapi-fetch, but every response has data: an error is thrown. */
type ControlMethod<Name extends Method> = <
  Path extends PathsWith<Name>,
  Init extends MaybeOptionalInit<paths[Path], Lowercase<Name> & keyof paths[Path]>,
>(
  path: Path,
  ...init: object extends Init ? [(Init & Record<string, unknown>)?] : [Init & Record<string, unknown>]
) => Promise<
  OfResource<
    Init,
    Extract<
      FetchResponse<paths[Path][Lowercase<Name> & keyof paths[Path]] & object, Init, `${string}/${string}`>,
      { readonly data: unknown }
    >
  >
>;

type Schemas = components['schemas'];

/** The records of each resource in `/state/{resource}`. */
interface Records {
  tenants: Schemas['Tenant'];
  users: Schemas['User'];
  recordings: Schemas['Recording'];
  'api-keys': Schemas['ApiKey'];
  pats: Schemas['Pat'];
  'refresh-tokens': Schemas['RefreshToken'];
}

/** A response with the record, or the records, of the resource that the request names. */
type OfResource<Init, Answer extends { readonly data: unknown }> = Init extends {
  readonly params: { readonly path: { readonly resource: infer Resource extends keyof Records } };
}
  ? Omit<Answer, 'data'> & {
      readonly data: Answer['data'] extends { items: unknown }
        ? Omit<Answer['data'], 'items'> & { readonly items: Records[Resource][] }
        : Answer['data'] extends undefined
          ? undefined
          : Records[Resource];
    }
  : Answer;

/** The control plane, typed by its own OpenAPI document: `control.PATCH('/clock', { body: { seconds: 60 } })`. */
export type ControlClient = { readonly [Name in Method]: ControlMethod<Name> } & Pick<Client<paths>, 'use' | 'eject'>;

export type ClientFetch = (request: Request) => Promise<Response>;

type ErrorContent = components['schemas']['Error']['error'];

/** An error response of the control plane, with the call, the reason and the error of each field. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';

  constructor(
    call: string,
    readonly status: number,
    readonly error: ErrorContent | undefined,
  ) {
    super(
      [`${call}: ${status} ${error?.message ?? 'without a reason'}`, ...(error?.details ?? []).map(hint)].join('\n'),
    );
  }
}

const hint = ({ field, allowed, example }: NonNullable<ErrorContent['details']>[number]): string =>
  `  ${field}: ${[allowed && `allowed: ${allowed}`, example !== undefined && `for example ${JSON.stringify(example)}`].filter(Boolean).join('; ')}`;

/** The global Request, looked up when one is made: Node loads it on first access, which takes a tenth of a mock's start. */
const LaterRequest = new Proxy(Constructed as unknown as typeof Request, {
  construct: (_target, [input, init]: [RequestInfo, RequestInit]) => new Request(input, init),
  get: (_target, name) => Reflect.get(Request, name),
});

/** A constructor that returns the request: arrow functions cannot be one. */
function Constructed(): void {}

/** A client that looks up the global fetch at each call: a test may replace it after the client was made. */
export const lateClient = <Paths extends object>(
  baseUrl: string,
  fetch: ClientFetch | undefined,
  options: ClientOptions = {},
) =>
  createClient<Paths>({
    baseUrl,
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
    Request: LaterRequest,
    ...options,
  });

/** A client for the control plane of the world at `baseUrl`. Refused calls throw ControlRefusal: tests need not check responses. */
export function controlClient(
  baseUrl: string,
  { token, fetch }: { readonly token?: string | undefined; readonly fetch?: ClientFetch | undefined } = {},
): ControlClient {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const client = lateClient<paths>(`${baseUrl.replace(/\/$/, '')}/_mock`, fetch, { headers });
  client.use({
    onError({ request, error }) {
      const { cause, message } = error as Error;
      const why = cause instanceof Error && cause.message !== '' ? cause.message : message;
      return new Error(`${request.method} ${request.url}: ${why}. Does the mock run there?`, { cause: error });
    },
    async onResponse({ request, response }) {
      if (response.ok) return;
      const body = (await response.json().catch(() => undefined)) as components['schemas']['Error'] | undefined;
      throw new ControlRefusal(`${request.method} ${new URL(request.url).pathname}`, response.status, body?.error);
    },
  });
  return client as ControlClient;
}
