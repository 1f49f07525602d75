import type { RequestHandler } from 'express';
import express from 'express';
import type { Answers } from '../profiles/answers.ts';
import { type ApiDocument, type OperationId, operationsOf } from '../spec/document.ts';
import { resolve } from '../spec/resolve.ts';
import { assertValidDocument } from '../spec/validate.ts';
import { type AnswerRules, answerRules } from './answer-rules.ts';
import { requestSteps } from './request-steps.ts';

/** One operation as the pipeline needs it. */
export interface OperationPlan {
  readonly id: OperationId;
  /** Undefined: the operation reads no body. */
  readonly body: { readonly required: boolean } | undefined;
  readonly queryNames: ReadonlySet<string>;
  /** The one success status that the resolved spec documents. */
  readonly success: number;
}

/** Everything compiled for one set of answers. */
export interface Api {
  readonly answers: Answers;
  readonly document: ApiDocument;
  readonly plans: ReadonlyMap<OperationId, OperationPlan>;
  readonly rules: AnswerRules;
  /** Finds the operation: sets req.openapi. */
  readonly match: RequestHandler;
  /** Runs the operation's security handlers. */
  readonly authenticate: RequestHandler;
  /** Reads the body, decompressed, up to the profile's limit, into req.body as a Buffer. */
  readonly readBytes: RequestHandler;
  /** Validates parameters and body. */
  readonly validate: RequestHandler;
}

const compiled = new Map<string, Promise<Api>>();

/**
 * The pipeline of an answer set, compiled and warmed once.
 * @throws ConfigError when answers clash
 */
export function apiFor(answers: Answers): Promise<Api> {
  let api = compiled.get(answers.key);
  if (!api) {
    api = compile(answers);
    compiled.set(answers.key, api);
    api.catch(() => compiled.delete(answers.key));
  }
  return api;
}

async function compile(answers: Answers): Promise<Api> {
  const document = resolve(answers.all);
  const [steps] = await Promise.all([requestSteps(document, answers), assertValidDocument(document)]);
  const readBytes = express.raw({ type: () => true, limit: answers.get('body-size-limit'), inflate: true });
  return { answers, document, plans: plansOf(document), rules: answerRules(document, answers), readBytes, ...steps };
}

function plansOf(document: ApiDocument): Map<OperationId, OperationPlan> {
  return new Map(
    operationsOf(document).map(({ operation }) => [
      operation.operationId,
      {
        id: operation.operationId,
        body: operation.requestBody && { required: operation.requestBody.required === true },
        queryNames: new Set(
          (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => String(name)),
        ),
        success: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
      },
    ]),
  );
}
