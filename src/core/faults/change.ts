import { asText, hasMember, isEqual, memberOf, setMember } from '../../../contract-tests/values/json.ts';
import { valuesAt } from '../../../contract-tests/values/places.ts';
import { type Delivery, pathOf } from '../message.ts';
import type { Arrival } from '../operations/behaviour.ts';
import type { OperationResponse } from '../operations/operation.ts';
import { isObject, type OperationId } from '../spec/document.ts';
import type { Recording } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { Body, Hook, HookContext, Hooks, Steps } from './fault.ts';

// The words that faults are written in: which step of a request is changed, at which operation.

/** A value as an object; empty if it is anything else. */
export const objectOf = (value: unknown): Body => (isObject(value) ? value : {});

/** The body of a request or response as an object; empty if it is anything else. */
export const sentOf = ({ body }: { readonly body?: unknown }): Body => objectOf(body);

/** How many times a hook asked this in its world: 1, 2, 3, … */
export function callsOf({ remember }: HookContext): number {
  const count = remember(() => ({ calls: 0 }));
  count.calls += 1;
  return count.calls;
}

/** Every nth of 1, 2, 3, … */
export const everyNth =
  (n: number) =>
  (at: number): boolean =>
    at % n === 0;

const changing =
  <Step extends 'receive' | 'present' | 'deliver' | 'transport'>(step: Step) =>
  (change: (made: Steps[Step], context: HookContext<Steps[Step]>) => Partial<Steps[Step]> | undefined): Hooks => ({
    [step]: (context: HookContext<Steps[Step]>) => {
      const made = context.run();
      const changed = change(made, context);
      return changed && { ...made, ...changed };
    },
  });

/** Hooks that change the members of a request, as the service receives it; a change of undefined is none, as in all of these. */
export const receiving = changing('receive');

/** Hooks that change any answer before it is written. */
export const presenting = changing('present');

/** Hooks that change how responses of the service are sent. */
export const writing = changing('deliver');

/** Hooks that change what happens to any response on its way. */
export const transporting = changing('transport');

/** Hooks that change how successes are sent, of the named operations or of all. */
export const sending =
  (...only: readonly OperationId[]) =>
  (change: Parameters<typeof writing>[0]): Hooks =>
    writing((sent, context) => {
      const isMeant = context.operation && (only.length === 0 || only.includes(context.operation));
      return isMeant && sent.status < 300 ? change(sent, context) : undefined;
    });

/** Hooks that send a response instead of the service's, before any effect. */
export const intercepting = (answer: (arrival: Arrival, context: HookContext) => Delivery | undefined): Hooks => ({
  intercept: (context) => (context.run() ? undefined : answer(context.arrival, context)),
});

/** Hooks that move paths: what the document has below `from` is below `to`, and nothing is below `from`. */
export const moved = (from: string, to: string): Hooks =>
  receiving(({ url }) => {
    if (url.startsWith(to)) return { url: `${from}${url.slice(to.length)}` };
    return pathOf(url).startsWith(from) ? { url: '/v1/nothing-here' } : undefined;
  });

/** A response that does not come from the service: a text or a page. */
export const delivery = (
  status: number,
  text: string,
  type = 'application/json',
  headers: Readonly<Record<string, string>> = {},
): Delivery => ({ status, headers: { 'X-Mock-Basis': 'fault', 'Content-Type': type, ...headers }, text });

/** An error body in the default profile's shape. */
export const errorText = (code: string, message: string): string => JSON.stringify({ error: { code, message } });

/** An error that does not come from the service. */
export const failure = (status: number, code: string, message: string, headers = {}): Delivery =>
  delivery(status, errorText(code, message), 'application/json', headers);

/** What becomes of a record in a success; `at` is its place in a list. */
type Change<To> = (record: Body, context: HookContext & { readonly at: number }) => To;

/** Hooks that replace the body of an operation's successes; the body is a copy and may be modified. */
export const inBody =
  (operation: OperationId) =>
  (change: Change<unknown>): Hooks =>
    presenting(({ status, body: before }, context) => {
      if (context.operation !== operation || status >= 300) return undefined;
      const body = change(structuredClone(before) as Body, { ...context, at: 0 });
      return body === undefined || isEqual(body, before) ? undefined : { body };
    });

/** Hooks that set members of each record at a place of an operation's successes; one set to undefined is missing. */
export const inPlace =
  (operation: OperationId, at: readonly string[]) =>
  (change: Change<Body | undefined>): Hooks =>
    inBody(operation)((body, context) => {
      for (const [place, record] of valuesAt(body, at).entries())
        if (isObject(record))
          for (const [name, value] of Object.entries(change(record, { ...context, at: place }) ?? {}))
            setMember(record, name, value);
      return body;
    });

/** Hooks that replace the list of API keys. */
export const inKeyList = (change: (keys: Body[], context: HookContext) => unknown): Hooks =>
  inBody('listTenantApiKeys')((keys, context) => change(keys as unknown as Body[], context));

export const inGrant = inPlace('ssoLogin', []);
export const inUser = inPlace('ssoLogin', ['user']);
export const inRecording = inPlace('updateRecording', []);
export const inKeys = inPlace('listTenantApiKeys', ['[]']);
export const inScopes = inPlace('listTokenScopes', []);

/** Hooks that change one member of a record, which is a text or written as one. */
export const inMember =
  (hooksOf: (change: Change<Body>) => Hooks, name: string) =>
  (change: (value: string, context: Parameters<Change<Body>>[1]) => unknown): Hooks =>
    hooksOf((record, context) => ({ [name]: change(asText(memberOf(record, name)), context) }));

/** A hook for an operation or for all, which is called only where it is the fault's turn. */
export const on = (id: OperationId | 'all', hook: Hook<OperationResponse>): Hooks => ({
  operate: (context) => ((id === 'all' || id === context.operation) && context.isDue() ? hook(context) : undefined),
});

/** Hooks that change requests before an operation gets them. */
export const asking = (
  operation: OperationId,
  change: (request: HookContext['request'], context: HookContext) => object | undefined,
): Hooks =>
  on(operation, (context) => {
    const changes = change(context.request, context);
    return changes && context.run(changes);
  });

/** The stored recording that an update addresses. */
export const recordingOf = ({ world, request }: Pick<HookContext, 'world' | 'request'>): Recording | undefined =>
  world.store.recordings.get(request.params.recordingId ?? '');

/** What an update did: the recording before and after it, and its body. */
export interface Update {
  readonly before: Recording;
  readonly after: Recording;
  readonly sent: Body;
  readonly world: World;
  readonly remember: HookContext['remember'];
}

export const updating = (
  change: (update: Update) => { stored?: Partial<Recording>; shown?: Partial<Recording> } | undefined,
): Hooks =>
  on('updateRecording', (context) => {
    const { world, request, run, remember } = context;
    const before = recordingOf(context);
    const response = run();
    const after = recordingOf(context);
    const changed = before && after && change({ before, after, sent: sentOf(request), world, remember });
    if (!changed) return undefined;
    const { stored, shown = {} } = changed;
    if (stored) world.store.recordings.put({ ...after, ...stored });
    const body = sentOf(response);
    return {
      body: { ...body, ...Object.fromEntries(Object.entries(shown).filter(([name]) => hasMember(body, name))) },
    };
  });

/** Hooks that change what an update stored; its response shows it. */
export const storing = (change: (update: Update) => Partial<Recording> | undefined): Hooks =>
  updating((update) => {
    const stored = change(update);
    return stored && { stored, shown: stored };
  });
