import { answersOf } from '../../core/custom-routes/compile.ts';
import { linearPattern } from '../../core/custom-routes/linear-pattern.ts';
import type { RouteProblem, RouteRule } from '../../core/custom-routes/route.ts';
import { templateProblems } from '../../core/custom-routes/templates.ts';
import { didYouMean } from '../../core/profiles/did-you-mean.ts';
import { isObject } from '../../core/spec/document.ts';
import { findingsOf } from '../../core/validation/refusal.ts';
import { explain } from '../explain.ts';
import { findControl } from '../plans.ts';

/** The mistakes in a route as data: its shape, its path, its templates. */
export async function routeProblems(value: unknown): Promise<readonly RouteProblem[]> {
  const shape = shapeProblems(value);
  if (shape.length > 0) return shape;
  const rule = value as RouteRule;
  return [
    ...pathProblems(rule.path),
    ...patternProblems(rule),
    ...sequenceProblems(rule),
    ...(await textProblems(rule)),
  ];
}

/** Checks against the schema of POST /_mock/routes. */
function shapeProblems(body: unknown): RouteProblem[] {
  const found = findControl('POST', '/routes');
  if (typeof found !== 'object' || !('operation' in found)) throw new Error('There is no POST /_mock/routes.');
  const { body: validate } = found.operation;
  if (!validate || validate({ body })) return [];
  // anyOf also reports all its branches; one finding per path is enough.
  const all = findingsOf(validate.errors);
  const choices = all.filter(({ keyword }) => keyword === 'anyOf').map(({ path }) => path);
  const told = all.filter(({ path }) => !choices.some((choice) => path.startsWith(`${choice}/`)));
  return [...new Map(told.map((finding) => [finding.path, finding])).values()].map((finding) => {
    const { allowed, field, message } = explain(finding, found.operation);
    const known = finding.keyword === 'required' ? undefined : allowed?.replace(/^fields /, '');
    // Shorter than the validator's message.
    const what = ['anyOf', 'enum'].includes(finding.keyword) ? 'is not a value that is allowed here' : message;
    const path = partsOf(finding.path);
    const isUnknown = finding.keyword === 'additionalProperties';
    const hint = isUnknown && known ? didYouMean(String(path.at(-1)), known.split(', ')) : '';
    return {
      path,
      text: `${field === 'body' ? 'a route' : field} ${what}${known ? `; allowed: ${known}` : ''}${hint}`,
    };
  });
}

/** `/body/answers/0/status` -> `['answers', 0, 'status']` */
const partsOf = (path: string): (string | number)[] =>
  path
    .split('/')
    .slice(2)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

export function pathProblems(path: string): RouteProblem[] {
  const wrong = (text: string): RouteProblem[] => [{ path: ['path'], text: `path ${text}` }];
  if (!path.startsWith('/')) return wrong(`must start with /: /${path}`);
  if (/^\/(_mock(\/|$)|~|%7e)/i.test(path)) return wrong('is one of the mock itself: /_mock and /~NAME are taken');
  if (/[?#\s]/.test(path)) return wrong('has no query: put its parameters below when.query');
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  if (/[{}]/.test(path.replaceAll(/\{[^{}]+\}/g, ''))) return wrong('has a brace too many: parameters are {name}');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? [] : wrong(`has the parameter ${twice} twice`);
}

/** Patterns that cannot run in linear time: a client's text must not decide how long matching takes. */
const patternProblems = ({ when = {} }: RouteRule): RouteProblem[] =>
  Object.entries(when).flatMap(([place, matchers]) =>
    Object.entries(matchers).flatMap(([name, matcher]): RouteProblem[] => {
      const source = isObject(matcher) ? matcher.matches : undefined;
      try {
        if (typeof source === 'string') linearPattern(source);
        return [];
      } catch (error) {
        const path = ['when', place, name, 'matches'];
        return [{ path, text: `${path.join('.')} ${(error as Error).message}` }];
      }
    }),
  );

function sequenceProblems(rule: RouteRule): RouteProblem[] {
  const { answers, after } = rule;
  if (!answers)
    return after ? [{ path: ['after'], text: 'after needs answers: it says what follows the last of them' }] : [];
  const both = (['status', 'headers', 'body', 'delay'] as const).filter((name) => rule[name] !== undefined);
  return both.map((name) => ({ path: [name], text: `${name} is not allowed with answers: put it into each of them` }));
}

async function textProblems(rule: RouteRule): Promise<RouteProblem[]> {
  const problems = await Promise.all(
    answersOf(rule).map(async (answer, at) => {
      const place = rule.answers ? ['answers', at] : [];
      return (await templateProblems(answer)).map(({ path, text }) => ({ path: [...place, ...path], text }));
    }),
  );
  return problems.flat();
}

export function tableProblems(tables: unknown): RouteProblem[] {
  if (tables === undefined) return [];
  if (!isObject(tables)) return [{ path: [], text: 'tables must be a map from a table to its records' }];
  return Object.entries(tables).flatMap(([name, records]) => {
    if (!Array.isArray(records)) return [{ path: [name], text: `${name} must be a list of records` }];
    const ids = records.map((record) => (isObject(record) ? record.id : undefined));
    return ids.flatMap((id, at): RouteProblem[] => {
      const path = [name, at, 'id'];
      if (typeof id !== 'string' || id === '') return [{ path, text: `${name}.${at} needs an id, a text` }];
      return ids.indexOf(id) === at ? [] : [{ path, text: `the id ${id} is used twice in ${name}` }];
    });
  });
}
