/**
 * The places where a style or a defect may step in. A hook receives the value the faithful
 * server arrived at and returns the one to go on with.
 */
import type {
  AccessClaims,
  ApiKey,
  Caller,
  Changes,
  Json,
  KeyFilter,
  Pat,
  Recording,
  SsoIdentity,
  UpdateBody,
  User,
} from './model.ts';
import type { World } from './world.ts';

export type Operation = 'sso' | 'login' | 'refresh' | 'createPat' | 'scopes' | 'updateRecording' | 'listKeys';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface Context {
  world: World;
  operation: Operation;
  replica: number;
  /** the Authorization header as sent, and its credential part */
  authorization?: string;
  credential?: string;
  /** query and body as sent, for hooks that look at what validation takes away */
  rawQuery: Json;
  rawBody: Json;
  caller?: Caller;
  /** the user a sign-in is for */
  user?: User;
  claims?: AccessClaims;
  update?: { body: UpdateBody; before: Recording; changes: Changes };
  filter?: KeyFilter;
  pat?: Pat;
  presentedSecret?: string;
}

export interface HookValues {
  /** may refuse by throwing; runs before authentication */
  arrival: undefined;
  identity: SsoIdentity;
  claims: AccessClaims;
  accessToken: string;
  session: Json;
  patMatches: boolean;
  caller: Caller | undefined;
  patToken: string;
  /** id of the record the update is written to */
  writeId: string;
  changes: Changes;
  recordingBody: Json;
  keyFilter: KeyFilter;
  keyRows: ApiKey[];
  keyBodies: Json[];
  scopesBody: Json;
  answer: Answer;
}

type Change<T> = (value: T, context: Context) => T | Promise<T>;

export type Hooks = { [K in keyof HookValues]?: Change<HookValues[K]> } & {
  /** the record about to be stored; synchronous, so that reading and writing a record stay one step */
  saved?: (record: Recording, context: Context) => Recording;
};

export async function pipe<K extends keyof HookValues>(
  name: K,
  value: HookValues[K],
  context: Context,
): Promise<HookValues[K]> {
  let current = value;
  for (const hooks of context.world.hooks) {
    const change = hooks[name] as Change<HookValues[K]> | undefined;
    if (change) current = await change(current, context);
  }
  return current;
}

export function pipeSaved(record: Recording, context: Context): Recording {
  return context.world.hooks.reduce((current, hooks) => hooks.saved?.(current, context) ?? current, record);
}
