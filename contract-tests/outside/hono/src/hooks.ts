import type { Context, MiddlewareHandler } from 'hono';
import type { ApiKey, Claims, Json, Pat, Principal, Recording, RecordingPatch, User, Via } from './model.ts';

export interface AppEnv {
  Variables: { principal: Principal; instance: number };
}
export type Ctx = Context<AppEnv>;

/** The protected operations. */
export type Operation = 'update' | 'keys' | 'scopes' | 'pats';

export interface SsoClaims {
  oid: string;
  tid: string;
  upn: string;
}
export interface GrantCall {
  c: Ctx;
  user: User;
  via: Via;
  claims?: SsoClaims;
}
export interface KeyQuery {
  c: Ctx;
  principal: Principal;
  tenantId: string;
  provider?: string;
  status?: string;
}
export interface UpdateCall {
  c: Ctx;
  principal: Principal;
  id: string;
  patch: RecordingPatch;
  raw: Json;
}

/** Every step of the server that a style or a defect may wrap: what goes in, what comes out. */
export interface Points {
  identify: [input: { c: Ctx; claims: SsoClaims }, output: User];
  checkPassword: [input: { c: Ctx; identifier: string; password: string }, output: User];
  grant: [input: GrantCall, output: Json];
  sign: [input: { user: User; via: Via; lifetime: number }, output: string];
  refresh: [input: { c: Ctx; refreshToken: string }, output: Json];
  showUser: [input: { user: User; via: Via }, output: Json];
  authenticate: [input: { c: Ctx; header: string | undefined; operation: Operation }, output: Principal];
  verifyJwt: [input: { c: Ctx; token: string; operation: Operation }, output: Claims];
  verifyPat: [input: { c: Ctx; id: string; secret: string; operation: Operation }, output: Pat];
  createPat: [input: { c: Ctx; principal: Principal; name: string }, output: Json];
  update: [input: UpdateCall, output: Recording];
  showRecording: [input: UpdateCall & { recording: Recording }, output: Json];
  listKeys: [input: KeyQuery, output: ApiKey[]];
  showKey: [input: { key: ApiKey; query: KeyQuery }, output: Json];
  showKeys: [input: { query: KeyQuery; views: Json[] }, output: unknown];
  scopes: [input: { c: Ctx; principal: Principal }, output: Json];
}

export type Step<P extends keyof Points> = (input: Points[P][0]) => Promise<Points[P][1]>;
export type Services = { [P in keyof Points]: Step<P> };

/** Advice around a step: may change the input, the output, or not call the step at all. */
export type Around<P extends keyof Points> = (input: Points[P][0], next: Step<P>) => Promise<Points[P][1]>;

/** One layer of advice; `http` is ordinary Hono middleware in front of everything. */
export type Hooks = { [P in keyof Points]?: Around<P> } & { http?: MiddlewareHandler<AppEnv> };

/** Put one layer around the services, in place, so that services calling each other meet it too. */
export function wrap(services: Services, hooks: Hooks): void {
  const around = <P extends keyof Points>(point: P): void => {
    const advice = hooks[point] as Around<P> | undefined;
    if (!advice) return;
    const inner = services[point] as Step<P>;
    services[point] = ((input) => advice(input, inner)) as Services[P];
  };
  for (const point of Object.keys(services) as (keyof Points)[]) around(point);
}
