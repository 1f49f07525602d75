import { asText } from '../../../../contract-tests/values/json.ts';
import {
  dereference,
  type InputOf,
  inputSchema,
  namedSchema,
  type OperationName,
  type Schema,
} from '../api/document.ts';
import { Failure } from '../api/failure.ts';

export type Values = Readonly<Record<string, string>>;

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind?: 'text' | 'number' | 'search' | 'password' | 'area' | 'choice' | 'checks' | undefined;
  /** What the entered text becomes; `list` is separated by spaces or commas. */
  readonly type?: 'string' | 'number' | 'boolean' | 'list' | 'json' | 'json or text';
  readonly initial?: string | undefined;
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly required?: boolean | undefined;
  readonly options?: readonly string[] | undefined;
  /** Texts shown for options, where not the values themselves. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Text of a choice's empty option, which it has only then. */
  readonly blank?: string | undefined;
  readonly description?: string | undefined;
  /** The field is part of the form only where this holds. */
  readonly when?: (values: Values) => boolean;
}

export function textOf({ type }: Pick<FormField, 'type'>, value: unknown): string {
  if (value === undefined || value === null) return '';
  return type === 'json' ? JSON.stringify(value, null, 2) : asText(value);
}

/** The value of an input's text, undefined for an empty one; throws Failure where JSON is expected and it is none. */
export function parseInput({ name, type = 'string' }: FormField, text: string): unknown {
  if (text === '') return undefined;
  if (type === 'number') return Number(text);
  if (type === 'boolean') return text === 'true';
  if (type === 'list') return text.split(/[\s,]+/);
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    if (type === 'json or text') return text;
    throw new Failure(`${name} is not valid JSON.`, 0, [{ field: name, message: 'This is not valid JSON.' }]);
  }
}

/** Integers with so few possible values are a choice. */
const fewValues = 10;

function choicesOf({ enum: values, items, type, minimum, maximum }: Schema): readonly string[] | undefined {
  const listed = values ?? items?.enum;
  if (listed) return listed.map(asText);
  if (type === 'boolean') return ['true', 'false'];
  if (type !== 'integer' || minimum === undefined || maximum === undefined || maximum - minimum >= fewValues) return;
  return Array.from({ length: maximum - minimum + 1 }, (_, index) => String(minimum + index));
}

function typeOf({ type, enum: values, items }: Schema): NonNullable<FormField['type']> {
  if (type === undefined) return values ? 'string' : 'json or text';
  if (items?.enum) return 'list';
  const types = [type].flat();
  if (types.includes('object') || types.includes('array')) return 'json';
  if (types.includes('boolean')) return 'boolean';
  return types.includes('integer') || types.includes('number') ? 'number' : 'string';
}

const kinds = {
  string: 'text',
  boolean: 'text',
  number: 'number',
  list: 'text',
  json: 'area',
  'json or text': 'area',
} as const;

const fieldsOf = ({ properties = {}, required = [] }: Schema): readonly FormField[] =>
  Object.entries(properties).map(([name, reference]) => {
    const schema = dereference(reference);
    const type = typeOf(schema);
    const options = choicesOf(schema);
    return {
      name,
      label: schema.title ?? name,
      type,
      kind: options ? (type === 'list' ? 'checks' : 'choice') : kinds[type],
      options,
      required: required.includes(name),
      initial: textOf({ type }, schema.default),
      description: schema.description,
    };
  });

type Look = Partial<Omit<FormField, 'name'>>;

export type Looks<O extends OperationName> = { readonly [Name in keyof InputOf<O>]?: Look };

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Fields of what an operation takes, in the order of `looks`, each as its schema says and `looks` changes it. */
export function operationFields<O extends OperationName>(operation: O, looks: Looks<O>): readonly FormField[] {
  const fields = fieldsOf(inputSchema(operation));
  return Object.entries(looks as Record<string, Look>).map(([name, look]) => {
    const field = fields.find((each) => each.name === name);
    if (!field) throw new Error(`${operation} has no field ${name} in the control plane's document.`);
    return { ...field, label: capitalized(field.label), ...look };
  });
}

export const recordFields = (schema: string): readonly FormField[] => fieldsOf(namedSchema(schema));

export const worldNameRule = (): string => namedSchema('WorldName').description ?? '';
