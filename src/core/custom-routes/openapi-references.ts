import { isObject, type JsonObject } from '../spec/document.ts';
import { type Json, memberAt } from '../spec/json.ts';

interface ReferenceProblem {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The value at a reference within a document: `#/components/schemas/Thing`. */
export function targetOf(document: JsonObject, reference: string): Json | undefined {
  const [, ...names] = reference.split('/');
  const decoded = names.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  return memberAt(document, decoded) as Json | undefined;
}

/** References that are unresolved, or lead out of the document. */
export function referenceProblems(document: JsonObject): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  const visit = (value: Json, path: readonly (string | number)[]): void => {
    if (Array.isArray(value)) value.forEach((item, at) => void visit(item, [...path, at]));
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const at = [...path, name];
      if (name !== '$ref' || typeof member !== 'string') visit(member, at);
      else if (!member.startsWith('#/'))
        problems.push({ path: at, text: `${member} is in another file, which is not read: bundle them into one` });
      else if (targetOf(document, member) === undefined) problems.push({ path: at, text: `${member} leads nowhere` });
      else if (leadsRound(document, member))
        problems.push({ path: at, text: `${member} leads back to itself, through references alone` });
    }
  };
  visit(document, []);
  return problems;
}

const mostSteps = 20;

/** Whether a reference only leads to other references. */
function leadsRound(document: JsonObject, reference: string): boolean {
  let found = targetOf(document, reference);
  for (let step = 0; step < mostSteps; step += 1) {
    if (!isObject(found) || typeof found.$ref !== 'string') return false;
    found = targetOf(document, found.$ref);
  }
  return true;
}

/** A function that follows an element's `$ref`, if it is one. */
export const dereferencedIn =
  (document: JsonObject) =>
  (element: Json | undefined): JsonObject => {
    let found = element;
    for (let step = 0; step < mostSteps && isObject(found) && typeof found.$ref === 'string'; step += 1)
      found = targetOf(document, found.$ref);
    return isObject(found) ? found : {};
  };

/** A copy as JSON Schema: OpenAPI 3.0 writes `exclusiveMinimum: true` with `minimum`, and `nullable: true`. */
export function normalized<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => normalized(item)) as T;
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normalized(member)]));
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof copy[exclusive] !== 'boolean') continue;
    if (copy[exclusive]) {
      copy[exclusive] = copy[bound] ?? 0;
      delete copy[bound];
    } else delete copy[exclusive];
  }
  return orNull(copy) as T;
}

function orNull({ nullable, ...schema }: JsonObject): JsonObject {
  if (typeof nullable !== 'boolean') return nullable === undefined ? schema : { ...schema, nullable };
  if (!nullable) return schema;
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const typed = { ...schema, type: [schema.type, 'null'] };
  return Array.isArray(schema.enum) ? { ...typed, enum: [...schema.enum, null] } : typed;
}
