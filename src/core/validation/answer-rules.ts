import { type ApiDocument, type OperationId, operationsOf } from '../spec/document.ts';
import type { CompiledValidator, Validators } from './compile.ts';
import { answerOf, errorAnswer } from './schemas.ts';

export interface CheckedAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

export interface AnswerRules {
  /** `operation`: undefined if none was matched; `anyStatus`: the client chose the status (Prefer). */
  violation(answer: CheckedAnswer, operation: OperationId | undefined, anyStatus: boolean): string | undefined;
}

/** The rules of the resolved spec for responses: documented status, content type and body. */
export function answerRules(document: ApiDocument, validators: Validators): AnswerRules {
  const documented = new Map(
    operationsOf(document).map(({ operation }) => [
      operation.operationId,
      new Map(
        Object.entries(operation.responses).map(([status, { content }]) => [
          Number(status),
          Object.keys(content ?? {}),
        ]),
      ),
    ]),
  );
  // By operation; of errors, by undefined. Putting names together takes longer than most bodies.
  const used = new Map<OperationId | undefined, CompiledValidator | undefined>();
  const validatorOf = (operation: OperationId | undefined): CompiledValidator | undefined => {
    const validate = used.get(operation) ?? validators(operation ? answerOf(operation) : errorAnswer);
    used.set(operation, validate);
    return validate;
  };
  const errorTypes = Object.keys(document.components.responses.Error?.content ?? {});

  return {
    violation({ status, mediaType, body }, operation, anyStatus) {
      const types = operation && documented.get(operation)?.get(status);
      if (!types && operation && !anyStatus) return `status ${status} is not documented for ${operation}`;
      if (!(types ?? errorTypes).includes(mediaType))
        return `content type ${mediaType} is not documented for status ${status}`;
      const validate = validatorOf(types && status < 300 ? operation : undefined);
      return validate ? problemWith(body, validate) : `there is no schema for status ${status}`;
    },
  };
}

/** The violations of a body; undefined if it is valid. */
export function problemWith(body: unknown, validate: CompiledValidator): string | undefined {
  if (validate(body)) return undefined;
  return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`).join(', ');
}
