import { asText, memberOf } from '../../contract-tests/values/json.ts';
import type { ApiDocument, JsonObject } from '../core/spec/document.ts';
import type { Gap, Json } from '../core/spec/gaps.ts';
import { allowedAnswers, answerSchema } from '../core/spec/gaps.ts';
import { profileMembers } from '../core/spec/profile-members.ts';

/** The ledger and the kinds of errors as TypeScript types, in api-types.ts. */
export function gapTypes(gaps: readonly Gap[], kinds: readonly string[]): string {
  const fields = gaps.map(
    (gap) => `  /** ${gap.question} (${gap.section}) */\n  readonly '${gap.id}': ${typeOf(gap)};`,
  );
  return `import type { ErrorShape, Json, Shape } from './json.ts';\n\n/** An answer to every gap. */\nexport interface GapAnswers {\n${fields.join('\n')}\n}\n\n/** The id of a gap. */\nexport type GapId = keyof GapAnswers;\n\nexport type ErrorKind =${kinds.map((kind) => `\n  | '${kind}'`).join('')};\n`;
}

const literals = (values: readonly Json[]): string =>
  values
    .map((value) => (typeof value === 'string' ? `'${value}'` : value))
    .map(asText)
    .join(' | ');

function typeOf(gap: Gap): string {
  if (gap.answers && gap.schema) return `${literals(Object.keys(gap.answers))} | ${writtenType(gap)}`;
  const schema = answerSchema(gap);
  if (schema.anyOf) return writtenType(gap);
  if (Array.isArray(schema.enum)) return literals(schema.enum);
  if (schema.type === 'array') {
    const items = (schema.items as { enum?: Json[] }).enum;
    return items ? `readonly (${literals(items)})[]` : 'readonly string[]';
  }
  return schema.type === 'integer' ? 'number' : 'string';
}

interface Part {
  readonly type?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly Part[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly additionalProperties?: Part;
}

function writtenType({ id, placeholders, schema }: Gap): string {
  if (placeholders) return id === 'error-body' ? 'ErrorShape' : 'Shape';
  const of = ({ type, enum: values }: Part): string =>
    values
      ? literals(values)
      : (memberOf({ integer: 'number', object: 'Readonly<Record<string, Json>>' }, asText(type)) ?? 'string');
  const { anyOf, enum: values, properties, additionalProperties } = schema as Part;
  if (anyOf) return anyOf.map((one) => writtenType({ id, schema: one } as Gap)).join(' | ');
  if (values) return literals(values);
  if (!properties && !additionalProperties) return of(schema as Part);
  if (!properties) return `Readonly<Record<string, ${of(additionalProperties ?? {})}>>`;
  const members = Object.entries(properties).map(([name, property]) => `readonly ${name}: ${of(property)}`);
  return `{ ${members.join('; ')} }`;
}

/**
 * spec/schemas/profile.schema.json: the JSON Schema of profile files, for completion in editors.
 * @public build.js writes it
 */
export function profileSchema(gaps: readonly Gap[]): Record<string, Json> {
  const answers = gaps.map((gap) => [
    gap.id,
    { description: `${gap.question} (section ${gap.section}) One of: ${allowedAnswers(gap)}`, ...answerSchema(gap) },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://platform-mock.invalid/profile.schema.json',
    title: 'A profile: answers to the gaps that the source document leaves',
    type: 'object',
    properties: {
      ...profileMembers,
      answers: { type: 'object', properties: Object.fromEntries(answers), additionalProperties: false },
    },
    required: ['answers'],
    additionalProperties: false,
  };
}

/**
 * spec/schemas/routes.schema.json: the JSON Schema of files of routes, for completion in editors.
 * @public build.js writes it
 */
export function routesSchema({ components }: ApiDocument): Record<string, Json> {
  // What a file of routes is made of.
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).filter(([name]) => /^(Route|Matcher)/.test(name)),
  );
  const record = { type: 'object', required: ['id'], properties: { id: { type: 'string', minLength: 1 } } };
  const routes: JsonObject = { type: 'array', items: { $ref: '#/$defs/Route' } };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://platform-mock.invalid/routes.schema.json',
    title: 'Custom routes, in addition to the API',
    anyOf: [routes, { $ref: '#/$defs/File' }],
    $defs: {
      File: {
        type: 'object',
        additionalProperties: false,
        required: ['routes'],
        properties: {
          routes,
          tables: {
            type: 'object',
            description: 'Custom tables with their initial records.',
            additionalProperties: { type: 'array', items: record },
          },
        },
      },
      ...(JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/')) as JsonObject),
    },
  };
}
