import type { SandboxOptions } from '../doors/connect.ts';
import { createMock, type Mock, type MockFetch, type MockOptions, type RunningMock, startMock } from '../index.ts';

export type Seen = Awaited<ReturnType<ReturnType<typeof callerOf>>>;

export interface Call {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly raw?: string | Uint8Array;
}

export const keys = 'GET /v1/admin/tenants/ten_analytical/api-keys';
export const patch = 'PATCH /v1/echo/recordings/rec_kickoff';
export const scopes = 'GET /v1/api-tokens/scopes';

export const claimsOfAda = {
  oid: '0a6d3f18-52c7-4b1e-8f09-6b9c4d2e7a31',
  tid: '7c1f0a52-3b64-4e0c-9d51-0f6a3c2b8e10',
  upn: 'ada@analytical.example',
};

/** Calls the mock at a base URL. `line` is method and path, e.g. `GET /v1/api-tokens/scopes`. */
export const callerOf =
  (baseUrl: string, send: MockFetch = fetch) =>
  async (line: string, { token, headers = {}, json, raw }: Call = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const body = json === undefined ? raw : JSON.stringify(json);
    const response = await send(baseUrl + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: body as BodyInit }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    const basis = response.headers.get('x-mock-basis');
    const parsed: unknown = isJson ? JSON.parse(text) : text;
    return { status: response.status, body: parsed, text, headers: response.headers, basis };
  };

export class TestMock<M extends Mock = Mock> implements AsyncDisposable {
  private constructor(
    readonly mock: M,
    private readonly send: MockFetch,
  ) {}

  /** On a free port. */
  static async start(options: MockOptions = {}): Promise<TestMock<RunningMock>> {
    return new TestMock(await startMock({ ...options, port: 0 }), fetch);
  }

  /** Behind `mock.fetch`, for behaviour that is the same at every door. A request costs an eighth of one over HTTP. */
  static async withoutPort(options: MockOptions = {}): Promise<TestMock> {
    const mock = await createMock(options);
    return new TestMock(mock, mock.fetch);
  }

  get worlds() {
    return this.mock.worlds;
  }

  get world() {
    return this.mock.world;
  }

  call(line: string, call?: Call): Promise<Seen> {
    return callerOf(this.mock.baseUrl, this.send)(line, call);
  }

  sso(userId = 'usr_ada', claims: readonly string[] = ['oid', 'tid', 'upn']): Promise<Seen> {
    const sso = Object.entries(this.world.store.users.get(userId)?.sso ?? {});
    return this.call('POST /v1/auth/sso', {
      json: Object.fromEntries(sso.filter(([claim]) => claims.includes(claim))),
    });
  }

  async token(userId = 'usr_ada'): Promise<string> {
    const answers = this.world.answers.get('sso-required-claims');
    const { body } = await this.sso(userId, answers.length > 0 ? undefined : ['oid']);
    return (body as { access_token: string }).access_token;
  }

  /** A sandbox with these options: its control plane, calls of its API, and tokens for them. */
  async sandbox(options?: SandboxOptions) {
    const box = await this.mock.sandbox(undefined, options);
    const call: TestMock['call'] = (line, extras) => this.call(line.replace(' ', ` /~${box.name}`), extras);
    const mint = async (user = 'usr_ada', terms = {}) =>
      (await box.control.POST('/tokens', { body: { user, ...terms } })).data.token;
    return { ...box, call, mint };
  }

  async update(json: unknown, { recording = 'rec_kickoff', user = 'usr_ada' } = {}): Promise<Seen> {
    return this.call(`PATCH /v1/echo/recordings/${recording}`, { token: await this.token(user), json });
  }

  /** The title of a recording, or the status of the refusal. @param prefix of a sandbox */
  async title(prefix = '', recording = 'rec_kickoff'): Promise<unknown> {
    const { status, body } = await this.call(`GET ${prefix}/_mock/state/recordings/${recording}`);
    return status === 200 ? field(body, 'title') : status;
  }

  /** Sets the title by the control plane. @returns the status */
  async rename(title: string, prefix = ''): Promise<number> {
    return (await this.call(`PATCH ${prefix}/_mock/state/recordings/rec_kickoff`, { json: { title } })).status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mock.close();
  }
}

/** What each of so many calls gives, one after the other. */
export async function inTurn<T>(count: number, ask: (at: number) => Promise<T>): Promise<T[]> {
  const given: T[] = [];
  for (let at = 0; at < count; at += 1) given.push(await ask(at));
  return given;
}

/** The field of a body, however deep: `field(body, 'error', 'code')`. */
export const field = (body: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], body);
