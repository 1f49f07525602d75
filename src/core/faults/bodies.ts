import isDeepEqual from 'fast-deep-equal';
import type { AnswerContext } from '../operations/behaviour.ts';
import { isObject, type OperationId } from '../spec/document.ts';
import type { Body, Hooks } from './hooks.ts';

/** What becomes of a record in a success; `at` is its place in a list. */
export type Change<To = unknown> = (record: Body, context: AnswerContext, at: number) => To;

/** A value as an object; empty if it is anything else. */
export const objectOf = (value: unknown): Body => (isObject(value) ? value : {});

/** The body of a request or response as an object; empty if it is anything else. */
export const sentOf = ({ body }: { readonly body?: unknown }): Body => objectOf(body);

/** `record` without some of its members. */
export const without = (record: Body, ...names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** Hooks that replace the body of an operation's successes; the body is a copy and may be modified. */
export const inBody =
  (operation: OperationId) =>
  (change: Change): Hooks => ({
    present: (answer, context) => {
      if (context.operation !== operation || answer.status >= 300) return undefined;
      const body = change(structuredClone(answer.body) as Body, context, 0);
      return body === undefined || isDeepEqual(body, answer.body) ? undefined : { ...answer, body };
    },
  });

/** Hooks that replace the list of API keys. */
export const inKeyList = (change: (keys: Body[], context: AnswerContext) => unknown): Hooks =>
  inBody('listTenantApiKeys')((keys, context) => change(keys as unknown as Body[], context));

/** Hooks that replace each API key of the list. */
export const eachKey = (change: Change): Hooks =>
  inKeyList((keys, context) => keys.map((key, at) => change(key, context, at)));

const setting =
  (hooksOf: (change: Change) => Hooks) =>
  (change: Change<Body>): Hooks =>
    hooksOf((record, context, at) => ({ ...record, ...change(record, context, at) }));

const replacingUser = (change: Change): Hooks =>
  inBody('ssoLogin')((grant, context, at) => ({ ...grant, user: change(objectOf(grant.user), context, at) }));

export const inGrant = setting(inBody('ssoLogin'));

export const inUser = setting(replacingUser);

export const inRecording = setting(inBody('updateRecording'));

export const inKeys = setting(eachKey);
