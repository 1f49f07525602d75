import { table } from '../../contract-tests/report/markdown-text.ts';
import { asText, memberOf } from '../../contract-tests/values/json.ts';
import { type ApiDocument, isObject, type JsonObject, operationsOf } from '../core/spec/document.ts';
import { anchorLink, basisLinks, code, text } from './api-page-text.ts';

type LocatedOperation = ReturnType<typeof operationsOf>[number] & {
  readonly operation: Readonly<Record<'summary' | 'x-source', string>>;
};

/** The operations that a section documents. */
export const operationsIn = (document: ApiDocument, section: string): LocatedOperation[] =>
  (operationsOf(document) as LocatedOperation[]).filter(({ operation }) => operation['x-source'] === section);

/** Schemas with a separate table; others are rendered inline. */
export const records = ['User', 'Recording', 'TenantApiKey'];
const ownTables = [...records, 'Error'];

/** One operation: request, response and errors. */
export function operationMarkdown({ path, method, operation }: LocatedOperation, document: ApiDocument): string {
  const { summary, requestBody, responses } = operation;
  const shared = memberOf(document.paths, path)?.parameters ?? [];
  const parameters = [...shared, ...(operation.parameters ?? [])];
  const isProtected = (operation.security ?? []).length > 0;
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const refusals = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
  return [
    `**${code(`${method.toUpperCase()} ${path}`)}**: ${text(summary)}`,
    `Operation ${code(operation.operationId)}. Basis: ${basisLinks([operation as unknown as JsonObject])}. ${isProtected ? 'Needs a bearer token ([5](#5)).' : 'Needs no credentials.'}`,
    parameters.length === 0 ? '' : parameterTable(parameters, document),
    requestBody === undefined ? '' : bodyMarkdown('Request body', requestBody as JsonObject, document),
    success === undefined ? '' : bodyMarkdown(`Response ${code(success[0])}`, success[1] as JsonObject, document),
    `Refusals: ${refusals.map(([status, { description }]) => `${code(status)} ${text(description)}`).join(' · ')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The table of one schema, below its anchor. */
export function ownTable(name: string, document: ApiDocument): string {
  const schema = memberOf(document.components.schemas, name) ?? {};
  return `<a id="${name}"></a>\n\n**${name}** (${basisLinks([schema])})\n\n${fieldTable(schema, document)}`;
}

function parameterTable(parameters: readonly JsonObject[], document: ApiDocument): string {
  const rows = parameters.map((parameter) => [
    code(asText(parameter.name)),
    asText(parameter.in),
    typeText(parameter.schema, document),
    parameter.required === true ? 'yes' : 'no',
    basisLinks([parameter, ...chain(parameter.schema as JsonObject, document)]),
  ]);
  return table(['Parameter', 'In', 'Type', 'Required', 'Basis'], rows);
}

/** A request or response body: a link if the schema has a table, otherwise its fields. */
function bodyMarkdown(title: string, body: JsonObject, document: ApiDocument): string {
  const [media] = Object.values((body.content ?? {}) as Record<string, { readonly schema: JsonObject }>);
  const schema = media?.schema ?? {};
  const line = `${title} (${basisLinks([body, ...chain(schema, document)])})`;
  if (linkOf(schema) !== undefined || schema.type === 'array') return `${line}: ${typeText(schema, document)}`;
  return `${line}:\n\n${fieldTable(target(schema, document), document)}`;
}

function fieldTable(schema: JsonObject, document: ApiDocument): string {
  return table(['Field', 'Type', 'Required', 'Basis'], fieldRows(schema, document));
}

function fieldRows(
  schema: JsonObject,
  document: ApiDocument,
  prefix = '',
  inherited = basisLinks([schema]),
): string[][] {
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).flatMap(([name, field]) => {
    const basis = basisLinks(chain(field, document)) || inherited;
    const row = [code(prefix + name), typeText(field, document), required.includes(name) ? 'yes' : 'no', basis];
    const nested = nestedObject(field, document);
    const suffix = field.type === 'array' ? '[].' : '.';
    return [row, ...(nested ? fieldRows(nested, document, `${prefix}${name}${suffix}`, basis) : [])];
  });
}

function nestedObject(field: JsonObject, document: ApiDocument): JsonObject | undefined {
  const inner = field.type === 'array' && isObject(field.items) ? field.items : field;
  if (linkOf(inner) !== undefined) return undefined;
  const schema = target(inner, document);
  return isObject(schema.properties) ? schema : undefined;
}

function typeText(schema: unknown, document: ApiDocument): string {
  if (!isObject(schema)) return 'any';
  const link = linkOf(schema);
  if (link !== undefined) return link;
  const { type, format, enum: values, const: only, items } = target(schema, document);
  if (only !== undefined) return code(asText(only));
  if (Array.isArray(values)) return values.map((value) => code(asText(value))).join(', ');
  if (type === 'array') return `array of ${typeText(items, document)}`;
  return text([type ?? 'any'].flat().map(asText).join(' or ')) + (format === undefined ? '' : `, ${asText(format)}`);
}

function linkOf(schema: JsonObject): string | undefined {
  const name = nameOf(schema);
  return name !== undefined && ownTables.includes(name) ? anchorLink(name) : undefined;
}

const nameOf = ({ $ref }: JsonObject): string | undefined =>
  typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;

/** The schema behind references and single-element allOf. */
const target = (schema: JsonObject, document: ApiDocument): JsonObject => chain(schema, document).at(-1) ?? schema;

function chain(schema: JsonObject, document: ApiDocument): JsonObject[] {
  const name = nameOf(schema);
  const [only] = (schema.allOf ?? []) as JsonObject[];
  const next = name === undefined ? only : memberOf(document.components.schemas, name);
  return next === undefined ? [schema] : [schema, ...chain(next, document)];
}
