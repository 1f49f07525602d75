import type { RequestHandler } from 'express';
import { validatorSteps } from '../server/http/request-steps.ts';
import { type JsonObject, type OperationObject, operationsOf } from '../core/spec/document.ts';
import { newAjv, type ValidateFunction } from '../core/spec/schema-check.ts';
import { type ControlOperation, controlDocument, dereferenced } from './document.ts';

/** One operation of the control plane, ready to be served. */
export interface ControlPlan {
  readonly id: ControlOperation;
  readonly operation: OperationObject;
  readonly item: JsonObject;
  /** The one success status that is documented. */
  readonly success: number;
  /** Says what is wrong with an answer of that status. Undefined: it has no JSON body. */
  readonly answer: (() => ValidateFunction) | undefined;
}

export interface CompiledControl {
  readonly match: RequestHandler;
  readonly validate: RequestHandler;
  readonly plans: ReadonlyMap<string, ControlPlan>;
  /** Validates with a schema of the document, by its name. */
  readonly schema: (name: string) => ValidateFunction;
}

let compiled: Promise<CompiledControl> | undefined;

/** The control plane's document, compiled on first use: start-up time matters. */
export function compiledControl(): Promise<CompiledControl> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<CompiledControl> {
  const document = controlDocument();
  const { match, validate } = await validatorSteps(document, {
    takesUnknownQuery: false,
    // Who may call was decided before.
    handlers: { controlToken: () => true },
    warms: false,
  });
  const ajv = newAjv({ allErrors: true }).addSchema(
    { ...document, $id: 'control' } as never,
    undefined,
    undefined,
    false,
  );
  const plans = operationsOf(document).map(({ path, operation }): [string, ControlPlan] => {
    const [status = '', response] = Object.entries(operation.responses).find(([key]) => key.startsWith('2')) ?? [];
    const content = dereferenced(response as unknown as JsonObject).content as
      | Record<string, { schema: JsonObject }>
      | undefined;
    const schema = content?.['application/json']?.schema;
    const compiledAnswer = schema && once(() => ajv.compile(rooted(schema)));
    return [
      operation.operationId,
      {
        id: operation.operationId as unknown as ControlOperation,
        operation,
        item: document.paths[path] as unknown as JsonObject,
        success: Number(status),
        answer: compiledAnswer,
      },
    ];
  });
  const schema = (name: string): ValidateFunction => {
    const found = ajv.getSchema(`control#/components/schemas/${name}`);
    if (!found) throw new Error(`spec/control.yaml has no schema ${name}`);
    return found as ValidateFunction;
  };
  return { match, validate, plans: new Map(plans), schema };
}

/** A schema whose references are to the whole document. */
const rooted = (schema: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"control#/components')) as JsonObject;

/** Does the work when it is first asked for. */
function once<T>(work: () => T): () => T {
  let done: { readonly result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
}
