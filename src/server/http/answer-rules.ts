import type { Answers } from '../../core/profiles/answers.ts';
import { type ApiDocument, type MediaTypes, type OperationId, operationsOf } from '../../core/spec/document.ts';
import { newAjv, type ValidateFunction } from '../../core/spec/schema-check.ts';
import { errorMediaType } from './error-body.ts';

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

type Contents = ReadonlyMap<string, ValidateFunction>;

/** Compiles what the resolved spec says about answers: documented status, content type, body. */
export function answerRules(document: ApiDocument, answers: Answers): AnswerRules {
  const ajv = newAjv().addSchema({ ...document, $id: 'api' } as never);
  const compileContent = (content: MediaTypes, pointer: string): Contents =>
    new Map(
      Object.keys(content).map((type) => [
        type,
        ajv.compile({ $ref: `api#${pointer}/content/${pointerPart(type)}/schema` }),
      ]),
    );
  const errors = compileContent({ [errorMediaType(answers)]: { schema: {} } }, '/components/responses/Error');
  const documented = new Map<OperationId, Map<number, Contents>>(
    operationsOf(document).map(({ path, method, operation }) => [
      operation.operationId,
      new Map(
        Object.entries(operation.responses).map(([status, { content }]) => [
          Number(status),
          // All errors share one schema: compile it once.
          status.startsWith('2')
            ? compileContent(content ?? {}, `/paths/${pointerPart(path)}/${method}/responses/${status}`)
            : errors,
        ]),
      ),
    ]),
  );

  return {
    violation({ status, mediaType, body }, operation, anyStatus) {
      const contents = operation && documented.get(operation)?.get(status);
      if (!contents && operation && !anyStatus) return `status ${status} is not documented for ${operation}`;
      const validate = (contents ?? errors).get(mediaType);
      if (!validate) return `content type ${mediaType} is not documented for status ${status}`;
      return validate(body) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' });
    },
  };
}

const pointerPart = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
