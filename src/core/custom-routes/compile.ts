import { isObject, type JsonObject } from '../spec/document.ts';
import { differencesFrom, shown } from './matchers.ts';
import type { Route, RouteAnswer, RouteDefinition, RouteRule, RouteTurn } from './route.ts';
import { rendered } from './templates.ts';

export interface RouteName {
  readonly key: string;
  readonly source: string;
}

/** A route as data, ready to be served. */
export function compileRule(rule: RouteRule, name: RouteName): Route {
  const answers = answersOf(rule);
  return routeOf(rule, name, {
    answer: async (turn) => rendered(inTurn(answers, turn.served, rule.after), turn),
    statuses: answers.map(statusOf),
  });
}

/** A route of a module, ready to be served. */
export function compileDefinition(definition: RouteDefinition, name: RouteName): Route {
  if (!('answer' in definition)) return compileRule(definition, name);
  const { answer } = definition;
  return routeOf(definition, name, {
    answer: async ({ request, caller, served, routeWorld: world }: RouteTurn) =>
      checked(await answer({ request, caller, served, world })),
    statuses: [],
    mayPass: true,
  });
}

const members: readonly string[] = ['status', 'headers', 'body', 'delay'] satisfies (keyof RouteAnswer)[];

/** @throws Error if a function returned something that is not an answer, such as a bare body, or cannot be sent */
function checked(returned: RouteAnswer | undefined): RouteAnswer | undefined {
  if (returned === undefined || returned === null) return undefined;
  const isAnswer = isObject(returned) && Object.keys(returned).every((name) => members.includes(name));
  if (!isAnswer) throw new Error(`an answer has ${members.join(', ')} only, and this is ${shown(returned)}`);
  if (returned.body instanceof Uint8Array) throw new Error('a body is JSON or a text, and this one is bytes');
  // Serialized here, where the journal can name the route.
  JSON.stringify(returned.body);
  return returned;
}

/** The answers of a rule: its sequence, or its single answer. */
export function answersOf({ answers, status, headers, body, delay }: RouteRule): readonly RouteAnswer[] {
  return (
    answers ?? [
      {
        ...(status !== undefined && { status }),
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
        ...(delay !== undefined && { delay }),
      },
    ]
  );
}

/** The status of an answer. */
export const statusOf = ({ status, body }: RouteAnswer): number => status ?? (body === undefined ? 204 : 200);

function inTurn(answers: readonly RouteAnswer[], served: number, after: RouteRule['after'] = 'last'): RouteAnswer {
  const at = after === 'first' ? served % answers.length : Math.min(served, answers.length - 1);
  return answers[at] ?? {};
}

interface Answering {
  readonly answer: Route['answer'];
  readonly statuses: readonly number[];
  /** It may leave a request to other routes. */
  readonly mayPass?: boolean;
}

function routeOf(
  { method = 'GET', path, auth = 'none', override = false, when, times, description }: Omit<RouteDefinition, 'answer'>,
  { key, source }: RouteName,
  { answer, statuses, mayPass = false }: Answering,
): Route {
  const operation: JsonObject = {
    summary: description ?? 'A custom route.',
    responses: responsesOf(statuses),
  };
  return {
    key,
    method,
    path,
    source,
    auth,
    override,
    times,
    when,
    isTotal: !mayPass && when === undefined && times === undefined,
    differences: (request) => differencesFrom(when, request),
    answer,
    operation,
  };
}

function responsesOf(statuses: readonly number[]): JsonObject {
  if (statuses.length === 0) return { default: { description: 'What the function answers.' } };
  return Object.fromEntries(statuses.map((status) => [String(status), { description: `Answer ${status}.` }]));
}
