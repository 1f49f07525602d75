import { isObject } from '../../../core/spec/json.ts';

type Element = Record<string, unknown>;

const containers = ['properties', 'schemas', 'parameters'];
const methods = ['get', 'put', 'post', 'patch', 'delete'];

export function markBasis(document: Element): void {
  const visit = (element: unknown): void => {
    if (Array.isArray(element)) for (const item of element) visit(item);
    if (!isObject(element)) return;
    for (const [key, value] of Object.entries(element)) {
      if (key === 'example' || key === 'examples') continue;
      const isContainer = containers.includes(key) && typeof value === 'object' && value !== null;
      if (isContainer) for (const member of Object.values(value)) if (isObject(member)) mark(member);
      if (methods.includes(key) && isObject(value))
        value.summary = `${value.summary ?? ''} — ${basisOfOperation(value)}`;
      visit(value);
    }
  };
  visit(document);
}

/** Adds the header by which the errors that an operation documents are asked for, to be chosen from a list. */
export function offerErrors({ paths }: Element): void {
  for (const operation of Object.values(paths as Record<string, object>).flatMap((path) => Object.values(path))) {
    const { responses = {}, parameters = [] } = operation;
    const errors = Object.entries<{ content?: Record<string, { examples?: object }> }>(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([, { content = {} }]) => Object.values(content))
      .flatMap(({ examples = {} }) => Object.keys(examples));
    const schema = { type: 'string', enum: errors.map((name) => `example=${name}`) };
    const description = 'Asks for a documented error.';
    if (errors.length > 0)
      operation.parameters = [...parameters, { name: 'Prefer', in: 'header', description, schema }];
  }
}

const basisOf = (description: unknown): string =>
  /\bAssumed( in part)?\b/.exec(String(description))?.[0].toLowerCase() ?? 'documented';

/** An operation whose body, or whose successful response, is assumed is so in part. */
function basisOfOperation({ description, requestBody, responses, 'x-basis': own }: Element): string {
  if (own !== undefined) return String(own);
  const successes = Object.entries(responses ?? {}).filter(([status]) => status.startsWith('2'));
  const bodies = [requestBody, ...successes.map(([, response]) => response)];
  const isAssumed = bodies.some((body) => isObject(body) && basisOf(body.description) === 'assumed');
  return isAssumed ? 'assumed in part' : basisOf(description);
}

function mark(element: Element): void {
  const { description, $ref } = element;
  if ($ref === undefined && basisOf(description) === 'documented')
    element.description = `${description === undefined ? '' : `${String(description).replace(/[^.!?]$/, '$&.')} `}Documented.`;
}
