import { type ApiDocument, type OperationId, operationsOf } from '../spec/document.ts';
import type { CompiledValidator, Validators } from './compile.ts';
import { answerOf, errorAnswer } from './schemas.ts';

/** An answer as it would be sent. */
export interface CheckedAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

/** Says what is wrong with an answer of ours, or nothing. */
export interface AnswerRules {
  /**
   * @param operation undefined where none was reached
   * @param anyStatus the client chose the status itself (Prefer)
   */
  violation(answer: CheckedAnswer, operation: OperationId | undefined, anyStatus: boolean): string | undefined;
}

/** What the resolved spec says about answers: documented status, content type, body. */
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
  const errorTypes = Object.keys(document.components.responses.Error?.content ?? {});

  return {
    violation({ status, mediaType, body }, operation, anyStatus) {
      const types = operation && documented.get(operation)?.get(status);
      if (!types && operation && !anyStatus) return `status ${status} is not documented for ${operation}`;
      if (!(types ?? errorTypes).includes(mediaType))
        return `content type ${mediaType} is not documented for status ${status}`;
      const validate = validators(operation && types && status < 300 ? answerOf(operation) : errorAnswer);
      return validate ? problemWith(body, validate) : `there is no schema for status ${status}`;
    },
  };
}

/** What is wrong with an answer's body; undefined where nothing is. */
export function problemWith(body: unknown, validate: CompiledValidator): string | undefined {
  if (validate(body)) return undefined;
  return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`).join(', ');
}
