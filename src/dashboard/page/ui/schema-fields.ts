import {
  type BodyOf,
  bodySchema,
  type ControlDocument,
  dereference,
  type OperationName,
  type QueryOf,
  querySchema,
  type Schema,
  useDocument,
} from '../api/document.tsx';
import { type FormField, textOf } from './form-field.ts';

/** A form field with what its schema says beyond the form. */
export interface SchemaField extends FormField {
  readonly description: string | undefined;
  readonly nullable: boolean;
}

/** How a form shows a field of a schema, where not by default. */
type Look = Partial<Omit<FormField, 'name'>>;
type Looks<T> = { readonly [Name in keyof T]?: Look };

/** Integers with so few possible values are a choice. */
const fewValues = 10;

/** The values that a field may have, or the items of a list. */
function choicesOf({ enum: values, items, type, minimum, maximum }: Schema): readonly string[] | undefined {
  const listed = values ?? items?.enum;
  if (listed) return listed.map(String);
  if (type === 'boolean') return ['true', 'false'];
  if (type !== 'integer' || minimum === undefined || maximum === undefined || maximum - minimum >= fewValues) return;
  return Array.from({ length: maximum - minimum + 1 }, (_, index) => String(minimum + index));
}

function typeOf({ type = 'string' }: Schema): NonNullable<FormField['type']> {
  const types = [type].flat();
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('integer') || types.includes('number')) return 'number';
  return types.includes('object') || types.includes('array') ? 'json' : 'string';
}

const kinds = { string: 'text', boolean: 'text', number: 'number', list: 'text', json: 'area' } as const;

function fieldOf(name: string, schema: Schema, required: boolean): SchemaField {
  const type = typeOf(schema);
  const options = choicesOf(schema);
  return {
    name,
    label: name,
    type,
    kind: options ? 'choice' : kinds[type],
    options,
    required,
    initial: schema.default === undefined ? undefined : textOf({ type }, schema.default),
    description: schema.description,
    nullable: [schema.type].flat().includes('null'),
  };
}

function fieldsOf(document: ControlDocument, { properties = {}, required = [] }: Schema): readonly SchemaField[] {
  return Object.entries(properties).map(([name, schema]) =>
    fieldOf(name, dereference(document, schema), required.includes(name)),
  );
}

/** The named fields in the order of `looks`, each as its schema says and `looks` changes it. */
function withLooks(fields: readonly SchemaField[], looks: Looks<Record<string, unknown>>): readonly FormField[] {
  return Object.entries(looks).map(([name, look]) => {
    const field = fields.find((each) => each.name === name);
    if (!field) throw new Error(`The control plane's document has no field ${name}.`);
    return { ...field, ...look };
  });
}

/** Fields of an operation's request body. */
export function useBodyFields<O extends OperationName>(operation: O, looks: Looks<BodyOf<O>>): readonly FormField[] {
  const document = useDocument();
  return withLooks(fieldsOf(document, bodySchema(document, operation)), looks);
}

/** Fields of an operation's query. */
export function useQueryFields<O extends OperationName>(operation: O, looks: Looks<QueryOf<O>>): readonly FormField[] {
  const document = useDocument();
  return withLooks(fieldsOf(document, querySchema(document, operation)), looks);
}

/** All fields of a record, by the name of its schema. */
export function useRecordFields(schema: string): readonly SchemaField[] {
  const document = useDocument();
  return fieldsOf(document, document.components.schemas[schema] ?? {});
}
