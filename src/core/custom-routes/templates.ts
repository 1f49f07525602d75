import { isObject, type Json, mapMembers } from '../spec/json.ts';
import type { RouteAnswer, RouteProblem, RouteTurn } from './route.ts';
import type { TemplateEngine } from './template-engine.ts';

/** A text without a template is served unchanged, and loads nothing. */
const isTemplate = (text: string): boolean => text.includes('{{') || text.includes('{%');

/** The content of a text that is nothing but one expression: its value keeps its type. */
function loneExpression(text: string): string | undefined {
  const trimmed = text.trim();
  const isOne = trimmed.startsWith('{{') && trimmed.endsWith('}}') && trimmed.indexOf('}}') === trimmed.length - 2;
  return isOne ? trimmed.slice(2, -2).replace(/^-/, '').replace(/-$/, '') : undefined;
}

let engine: Promise<TemplateEngine> | undefined;

function loadEngine(): Promise<TemplateEngine> {
  engine ??= import('./template-engine.ts').then(({ TemplateEngine }) => new TemplateEngine());
  return engine;
}

function textsIn(value: unknown, path: readonly (string | number)[] = []): RouteProblem[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, at) => textsIn(item, [...path, at]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]));
}

const templatesIn = ({ headers, body }: RouteAnswer) =>
  textsIn({ ...(headers && { headers }), body }).filter(({ text }) => isTemplate(text));

/** The mistakes in the templates of an answer, with their places: syntax errors and unknown names. */
export async function templateProblems(answer: RouteAnswer): Promise<RouteProblem[]> {
  const templates = templatesIn(answer);
  if (templates.length === 0) return [];
  const loaded = await loadEngine();
  return templates.flatMap(({ path, text }) => {
    const problem = loaded.problemIn(text);
    return problem === undefined ? [] : [{ path, text: problem }];
  });
}

export async function rendered(answer: RouteAnswer, turn: RouteTurn): Promise<RouteAnswer> {
  const templates = templatesIn(answer);
  if (templates.length === 0) return answer;
  const loaded = await loadEngine();
  const needsFaker = templates.some(({ text }) => text.includes('faker'));
  const faker = needsFaker ? await turn.world.faker() : undefined;
  const renderer = loaded.rendererFor(turn, faker);
  const { headers, body } = answer;
  const valueIn = (text: string): unknown => {
    const expression = loneExpression(text);
    return expression === undefined ? renderer.text(text) : plain(renderer.value(expression));
  };
  return {
    ...answer,
    ...(headers && { headers: withTexts(headers, renderer.text) as typeof headers }),
    ...(body !== undefined && { body: withTexts(body, valueIn) }),
  };
}

/** As JSON: records are read on demand. */
const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value) ?? 'null'));

const withTexts = (value: unknown, of: (text: string) => unknown): unknown =>
  typeof value === 'string' && isTemplate(value)
    ? of(value)
    : mapMembers(value as Json, (member) => withTexts(member, of) as Json);
