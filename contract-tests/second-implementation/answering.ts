/** The hooks that most defects are made of: they change what a successful operation answers. */
import type { Defect, Hooks } from './hooks.ts';
import { type Call, isObject, type JsonObject, parseJson } from './http.ts';
import type { OperationId } from './server.ts';
import type { ApiKey } from './store.ts';

/** Changes to members of an object; an undefined member goes missing. */
export type Change<Of extends unknown[]> = JsonObject | ((...of: Of) => JsonObject);

const changed = <Of extends unknown[]>(change: Change<Of>, ...of: Of): JsonObject =>
  typeof change === 'function' ? change(...of) : change;

/** Replaces the answers of an operation that are objects; undefined: an answer without a body. */
export const replaces = (op: OperationId, replace: (body: JsonObject, call: Call) => unknown): Hooks => ({
  reply(reply, call) {
    if (call.op !== op || !isObject(reply.body)) return reply;
    const body = replace(reply.body, call);
    return body === undefined ? { status: 204 } : { ...reply, body };
  },
});

/** Changes members of the answers of an operation. */
export const changes = (op: OperationId, change: Change<[body: JsonObject, call: Call]>): Hooks =>
  replaces(op, (body, call) => ({ ...body, ...changed(change, body, call) }));

/** Replaces the lists of API keys. */
export const replacesList = (replace: (records: JsonObject[], call: Call) => unknown): Hooks => ({
  reply: (reply, call) =>
    call.op === 'keys' && Array.isArray(reply.body)
      ? { ...reply, body: replace(reply.body.filter(isObject), call) }
      : reply,
});

/** Changes members of each API key in the lists. */
export const changesKeys = (change: Change<[record: JsonObject, stored: ApiKey, call: Call]>): Hooks =>
  replacesList((records, call) =>
    records.map((record) => {
      const stored = call.app.store.keys.find((key) => key.id === record.id);
      return stored ? { ...record, ...changed(change, record, stored, call) } : record;
    }),
  );

/** Leaves all answers as they are, but those to some calls. */
export const only = (concerns: (call: Call) => boolean, { reply = (same) => same }: Hooks): Hooks => ({
  reply: (given, call) => (concerns(call) ? reply(given, call) : given),
});

/** The object that an update sent; undefined for any other call. */
export function sentBy({ op, text }: Call): JsonObject | undefined {
  const sent = op === 'update' ? parseJson(text) : undefined;
  return isObject(sent) ? sent : undefined;
}

/** A kind of defect: what they have in common, given what is each one's own. */
export const kindOf =
  <Own>(hooks: (own: Own) => Hooks) =>
  <Id extends string>(id: Id, requirements: readonly string[], description: string, own: Own): Defect<Id> => ({
    id,
    description,
    requirements,
    hooks: hooks(own),
  });

/** Whether a call carries a personal access token. */
export const isByPat = ({ app, headers }: Call): boolean =>
  headers.authorization?.startsWith(`Bearer ${app.style.patPrefix}_`) ?? false;
