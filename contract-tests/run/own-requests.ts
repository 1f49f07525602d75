import { isOk } from '../log/entry.ts';
import type { OwnRequest } from '../plan/model.ts';
import type { Session } from '../session/session.ts';
import { asText, memberOf } from '../values/json.ts';
import { requestKey } from '../wire/write-guard.ts';
import { type Run, searchOf } from './steps.ts';

/** Whether it may change something at the target. */
export const isWriting = ({ method, reads }: OwnRequest) => !(reads || method === 'GET' || method === 'OPTIONS');

/** The line of the plan. */
export const ownLine = ({ id, method, path }: OwnRequest): string => `${method} ${path} (request ${id} of --model)`;

/** Sends the requests that a file of `--model` names, each once by each of its callers; only rules of that team judge them. */
export async function ownRequests(run: Run): Promise<void> {
  const { session } = run;
  for (const request of run.model.requests) {
    const { id, method, query, json, as } = request;
    const path = pathOf(request, session);
    const say = (why: string): unknown => run.problems.set('own', `request ${id} was not sent${why}`);
    if (path === undefined) {
      say(`: neither its params nor the target file say what ${request.path} names`);
      continue;
    }
    const key = requestKey({ method, path: path + searchOf(query ?? {}) });
    const effect = isWriting(request) ? 'lasting' : 'session';
    for (const caller of as) {
      if (caller !== 'nobody' && !(await run.as(caller))) say(` as ${caller}: the target file has no such credentials`);
      const sending = () => run.askFor({ method, path, query, json }, caller, { for: id, odd: ['request'] });
      const sent = await session.allowing(key, effect, sending);
      if (sent && isOk(sent) && isWriting(request)) session.told.add(`what ${ownLine(request)} changed`);
    }
  }
}

/** The path, with what it names filled in; undefined where something is not given. */
function pathOf({ path, params = {} }: OwnRequest, { target }: Session): string | undefined {
  const values: Record<string, unknown> = { ...target.resources, ...params };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => typeof memberOf(values, name) !== 'string')) return undefined;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(memberOf(values, name))));
}
