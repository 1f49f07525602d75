import { control, told } from '../../api/client.ts';

/** How a field of a record is entered. */
export interface FieldPlan {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'json';
  readonly choices: readonly string[];
  readonly hint: string | undefined;
  readonly required: boolean;
  readonly nullable: boolean;
}

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

let document: Promise<Document> | undefined;

/** The fields of a kind of record, as the control plane's own document lists them: forms follow it by themselves. */
export async function fieldsOf(schemaName: string): Promise<readonly FieldPlan[]> {
  document ??= told(control.GET('/openapi.json')) as Promise<unknown> as Promise<Document>;
  // A failure is not kept: the next form asks again.
  document.catch(() => {
    document = undefined;
  });
  const { schemas } = (await document).components;
  const follow = (schema: JsonSchema): JsonSchema => {
    const target = schema.$ref === undefined ? undefined : schemas[schema.$ref.split('/').at(-1) ?? ''];
    return target ? { ...follow(target), ...schema } : schema;
  };
  const { properties = {}, required = [] } = schemas[schemaName] ?? {};
  return Object.entries(properties).map(([name, raw]) => planOf(name, follow(raw), required.includes(name)));
}

function planOf(name: string, { type, enum: values, description }: JsonSchema, required: boolean): FieldPlan {
  const types = [type ?? 'string'].flat();
  const kind = values
    ? 'choice'
    : types.includes('boolean')
      ? 'boolean'
      : types.includes('integer') || types.includes('number')
        ? 'number'
        : types.includes('object') || types.includes('array')
          ? 'json'
          : 'text';
  return {
    name,
    kind,
    choices: (values ?? []).map(String),
    hint: description,
    required,
    nullable: types.includes('null'),
  };
}

/** A record's value as it stands in its input. */
export function entered({ kind }: FieldPlan, value: unknown): string {
  if (value === undefined || value === null) return '';
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

/**
 * What stands in an input, as the record's value; an empty one is `empty`.
 * @throws SyntaxError where JSON is wanted and this is none
 */
export function valueIn({ kind }: FieldPlan, text: string, empty: null | undefined): unknown {
  if (kind === 'boolean') return text === 'true';
  if (text === '' && empty !== undefined) return empty;
  if (kind === 'number') return text.trim() === '' ? undefined : Number(text);
  if (kind === 'json') return text.trim() === '' ? undefined : JSON.parse(text);
  return text;
}
