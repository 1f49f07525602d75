import type { Answers } from '../../core/profiles/answers.ts';
import { type ApiDocument, type OperationId, operationsOf } from '../../core/spec/document.ts';
import { resolve } from '../../core/spec/resolve.ts';
import { answerRules } from './answer-rules.ts';
import type { Api, OperationPlan } from './compiled-api.ts';
import { bytesReader } from './read-bytes.ts';
import { requestSteps } from './request-steps.ts';

/** Pipelines that are kept for the next answers that are equal; those in use live on with their answers. */
const mostKept = 32;
const compiled = new Map<string, Promise<Api>>();
const ready = new WeakMap<Answers, Api>();

/**
 * The pipeline of an answer set, compiled and warmed once.
 * @throws ConfigError when answers clash
 */
export function apiFor(answers: Answers): Promise<Api> {
  const api = compiled.get(answers.key) ?? compile(answers);
  // Put in anew, so that the first one is the one that nobody wanted for longest.
  compiled.delete(answers.key);
  compiled.set(answers.key, api);
  const [oldest] = compiled.keys();
  if (compiled.size > mostKept && oldest !== undefined) compiled.delete(oldest);
  api.then(
    (made) => ready.set(answers, made),
    () => compiled.delete(answers.key),
  );
  return api;
}

/** The pipeline of these answers, where it is at hand: it is for every request but the first. */
export const readyApi = (answers: Answers): Api | undefined => ready.get(answers);

async function compile(answers: Answers): Promise<Api> {
  const document = resolve(answers.all);
  // The default document's validity is proved by a test of this package; start-up time matters.
  if (Object.keys(answers.differences()).length > 0) {
    const { assertValidDocument } = await import('../../testing/valid-document.ts');
    await assertValidDocument(document);
  }
  const steps = await requestSteps(document, answers);
  const readBytes = bytesReader(answers.get('body-size-limit'));
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
        isProtected: (operation.security ?? []).length > 0,
        success: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
      },
    ]),
  );
}
