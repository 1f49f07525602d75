import { memberOf } from '../../../contract-tests/values/json.ts';
import { apiError } from '../operations/api-error.ts';
import { pathMatcher } from '../routes.ts';
import type { JsonObject } from '../spec/json.ts';
import type { AdHocRoute } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { shown } from './matchers.ts';
import type { Route, RouteAnswer, RouteDefinition, RouteRule, RouteTurn } from './route.ts';
import { rendered } from './templates.ts';

export type RouteName = Pick<Route, 'key' | 'source'>;

export function compileRoute(definition: RouteDefinition, { key, source }: RouteName): Route {
  const { method = 'GET', path, auth = 'none', override = false, when, times, description } = definition;
  const route = { key, source, method, path, paramsOf: pathMatcher(path), auth, override, times, when };
  const summary = description ?? 'A custom route.';
  if ('answer' in definition) {
    const operation = { summary, responses: { default: { description: 'What the function answers.' } } };
    // Not total: it may leave a request to other routes.
    return { ...route, isTotal: false, operation, answer: async (turn) => checked(await definition.answer(turn)) };
  }
  const answers = answersOf(definition);
  const statuses = answers.map((one) => [String(statusOf(one)), { description: `Answer ${statusOf(one)}.` }]);
  return {
    ...route,
    isTotal: when === undefined && times === undefined,
    operation: { summary, responses: Object.fromEntries(statuses) as JsonObject },
    answer: (turn) => answerOf(inTurn(answers, turn.served, definition.after), turn),
    examples: answers.map((one) => ({ name: one.name, status: statusOf(one), answer: (turn) => answerOf(one, turn) })),
  };
}

/** A body that is one expression about a record. */
const ofRecord = /^\s*\{\{-?\s*(recordings|users|tenants|api_keys|tables)\b/;

/** @throws ApiError if the body is a record that does not exist */
async function answerOf(answer: RouteAnswer, turn: RouteTurn): Promise<RouteAnswer> {
  const made = await rendered(answer, turn);
  const { body } = answer;
  if (made.body === null && typeof body === 'string' && ofRecord.test(body) && statusOf(answer) < 300)
    throw apiError(turn.answers, 'unknown-path', `There is no such record: ${body.trim()}.`);
  return made;
}

const members: readonly string[] = ['status', 'headers', 'body', 'delay'] satisfies (keyof RouteAnswer)[];

/** @throws Error if a function returned something that is not an answer, such as a bare body, or cannot be sent */
function checked(returned: RouteAnswer | undefined): RouteAnswer | undefined {
  if (returned === undefined || returned === null) return undefined;
  // A Response, a Map or a Date has no own members.
  const isPlain = Object.prototype.toString.call(returned) === '[object Object]';
  const isAnswer = isPlain && Object.keys(returned).every((name) => members.includes(name));
  if (!isAnswer) throw new Error(`an answer has ${members.join(', ')} only, and this is ${shown(returned)}`);
  if (returned.body instanceof Uint8Array) throw new Error('a body is JSON or a text, and this one is bytes');
  // Serialized here, where the journal can name the route.
  JSON.stringify(returned.body);
  return returned;
}

export const answersOf = (rule: RouteRule): readonly RouteAnswer[] => rule.answers ?? [rule];

export const statusOf = ({ status, body }: RouteAnswer): number => status ?? (body === undefined ? 204 : 200);

function inTurn(answers: readonly RouteAnswer[], served: number, after: RouteRule['after'] = 'last'): RouteAnswer {
  const at = after === 'first' ? served % answers.length : Math.min(served, answers.length - 1);
  return answers[at] ?? {};
}

const parameters = ({ path }: Route): number => path.split('{').length - 1;

/** Those without parameters first, and overriding ones before others; the sort is stable. */
export const bySpecificity = (routes: readonly Route[]): Route[] =>
  routes.toSorted((a, b) => parameters(a) - parameters(b) || Number(b.override) - Number(a.override));

const compiled = new WeakMap<AdHocRoute, Route>();

function compiledAdHoc(added: AdHocRoute): Route {
  const route = compiled.get(added) ?? compileRoute(added.rule, { key: added.id, source: added.id });
  compiled.set(added, route);
  return route;
}

/** All routes of a world, in the order in which they are tried: added routes first, newest first. */
export const routesOf = ({ services, routes }: World): Route[] => [
  ...routes.adHoc.map(compiledAdHoc).reverse(),
  ...services.routes.set.routes,
];

export const servedBy = ({ routes }: World, key: string): number => memberOf(routes.served, key) ?? 0;

/** The routes of a world with that path, in the order in which they are tried. */
export const candidatesFor = (world: World, path: string) =>
  routesOf(world).flatMap((route) => {
    const params = route.paramsOf(path);
    return params === undefined ? [] : [{ route, params }];
  });

export type Candidate = ReturnType<typeof candidatesFor>[number];
