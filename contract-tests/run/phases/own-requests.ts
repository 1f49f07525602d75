import { isOk } from '../../log/entry.ts';
import type { OwnRequest } from '../../plan/model.ts';
import type { Session } from '../../session/session.ts';
import { requestKey } from '../../wire/write-guard.ts';
import { modelOf, type Run } from './phase.ts';

/** Whether it may change something at the target. */
export const isWriting = ({ method, reads }: OwnRequest): boolean =>
  !(reads || method === 'GET' || method === 'OPTIONS');

/** The line of the plan. */
export const ownLine = ({ id, method, path }: OwnRequest): string => `${method} ${path} (request ${id} of --model)`;

/** Sends the requests that a file of `--model` names, each once by each of its callers; only rules of that team judge them. */
export async function ownRequests(run: Run): Promise<void> {
  const { asker, session } = run;
  for (const request of modelOf(run).requests) {
    const { id, method, query, json, as } = request;
    const path = pathOf(request, session);
    if (path === undefined) {
      asker.problems.set(
        'own',
        `request ${id} was not sent: neither its params nor the target file say what ${request.path} names`,
      );
      continue;
    }
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
    const key = requestKey({ method, path: path + search });
    const kinds = isWriting(request) ? (['writes', 'unrepeatable'] as const) : (['sessionRequests'] as const);
    for (const caller of as) {
      const headers = caller === 'nobody' ? {} : await asker.as(caller);
      if (!headers) {
        asker.problems.set('own', `request ${id} was not sent as ${caller}: the target file has no such credentials`);
        continue;
      }
      const sending = { method, path: path + search, headers, json };
      const sent = await session.allowing(key, kinds, () => asker.ask(sending, { for: id, odd: ['request'] }));
      if (sent && isOk(sent) && isWriting(request)) session.leftovers.add(`what ${ownLine(request)} changed`);
    }
  }
}

/** The path, with what it names filled in; undefined where something is not given. */
function pathOf({ path, params = {} }: OwnRequest, { target }: Session): string | undefined {
  const values: Record<string, unknown> = { ...target.resources, ...params };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => typeof values[name] !== 'string')) return undefined;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}
