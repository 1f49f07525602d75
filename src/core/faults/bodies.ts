import type { AnswerContext } from '../operations/behaviour.ts';
import type { OperationId } from '../spec/document.ts';
import type { Body, Hooks } from './hooks.ts';
import { objectOf } from './tools.ts';

/** Fields to set in a record, computed from it. */
export type Change = (record: Body, context: AnswerContext) => Body;

/** Hooks that replace the body of an operation's successes. */
export const inBody = (operation: OperationId, change: (body: Body, context: AnswerContext) => unknown): Hooks => ({
  bodies: { [operation]: change },
});

/** Hooks that set fields in the body of an operation's successes. */
const setting = (operation: OperationId, change: Change): Hooks =>
  inBody(operation, (body, context) => ({ ...body, ...change(body, context) }));

/** Hooks that set fields in the response to an SSO login. */
export const inGrant = (change: Change): Hooks => setting('ssoLogin', change);

/** Hooks that set fields of the user in the response to an SSO login. */
export const inUser = (change: Change): Hooks =>
  inGrant(({ user }, context) => ({ user: { ...objectOf(user), ...change(objectOf(user), context) } }));

/** Hooks that set fields of the recording in the response to an update. */
export const inRecording = (change: Change): Hooks => setting('updateRecording', change);

/** Hooks that replace the list of API keys. */
export const inKeyList = (change: (keys: Body[], context: AnswerContext) => unknown): Hooks =>
  inBody('listTenantApiKeys', (keys, context) => change(keys as unknown as Body[], context));

/** Hooks that replace each API key of the list. */
export const eachKey = (change: (key: Body, at: number, context: AnswerContext) => Body): Hooks =>
  inKeyList((keys, context) => keys.map((key, at) => change(key, at, context)));

/** Hooks that set fields of each API key of the list. */
export const inKeys = (change: (key: Body, at: number) => Body): Hooks =>
  eachKey((key, at) => ({ ...key, ...change(key, at) }));
