import {
  type BodyOf,
  dereference,
  inputSchema,
  namedSchema,
  type OperationName,
  type QueryOf,
  type Schema,
} from '../api/document.ts';
import { type FormField, textOf } from './form-field.ts';

/** A form field with what its schema says beyond the form. */
export interface SchemaField extends FormField {
  readonly description: string | undefined;
}

/** How a form shows a field of a schema, where not by default. */
type Look = Partial<Omit<FormField, 'name'>>;
type Looks<T> = { readonly [Name in keyof T]?: Look };
type InputOf<O extends OperationName> = [BodyOf<O>] extends [never] ? QueryOf<O> : BodyOf<O>;

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
  if (types.includes('object') || types.includes('array')) return 'json';
  if (types.includes('boolean')) return 'boolean';
  return types.includes('integer') || types.includes('number') ? 'number' : 'string';
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
  };
}

const fieldsOf = ({ properties = {}, required = [] }: Schema): readonly SchemaField[] =>
  Object.entries(properties).map(([name, schema]) => fieldOf(name, dereference(schema), required.includes(name)));

/**
 * Fields of an operation's request body or query, in the order of `looks`, each as its schema says and `looks` changes
 * it.
 */
export function operationFields<O extends OperationName>(operation: O, looks: Looks<InputOf<O>>): readonly FormField[] {
  const fields = fieldsOf(inputSchema(operation));
  return Object.entries(looks as Record<string, Look>).map(([name, look]) => {
    const field = fields.find((each) => each.name === name);
    if (!field) throw new Error(`${operation} has no field ${name} in the control plane's document.`);
    return { ...field, ...look };
  });
}

/** All fields of a record, by the name of its schema. */
export const recordFields = (schema: string): readonly SchemaField[] => fieldsOf(namedSchema(schema));

/** What the name of a sandbox or snapshot may be, in words. */
export const worldNameRule = (): string => namedSchema('WorldName').description ?? '';
