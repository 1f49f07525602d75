import { api as precompiled, key as precompiledKey } from './generated/validators.js';
import type { Answers } from './profiles/answers.ts';
import { type FindRoute, routeTable } from './routes.ts';
import { type ApiDocument, type OperationId, operationsOf } from './spec/document.ts';
import { resolve } from './spec/resolve.ts';
import { type AnswerRules, answerRules } from './validation/answer-rules.ts';
import type { CompiledValidator, Validators } from './validation/compile.ts';
import { bodyOf, parametersIn, parametersOf, schemasOf } from './validation/schemas.ts';

/** One operation, ready to be served. */
export interface OperationPlan {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  /** Undefined: the operation reads no body. */
  readonly body: { readonly required: boolean } | undefined;
  readonly queryNames: ReadonlySet<string>;
  /** How a caller shows who it is; undefined: everybody may call. */
  readonly security: 'bearer' | 'refreshToken' | undefined;
  /** The one success status that the resolved spec documents. */
  readonly success: number;
  /** Validators of the request: of `{ query, params }`, and of `{ body }`. */
  readonly validators: { readonly parameters: CompiledValidator; readonly body: CompiledValidator | undefined };
}

/** Everything that is made once for one set of answers. */
export interface Api {
  readonly answers: Answers;
  readonly document: ApiDocument;
  readonly find: FindRoute<OperationPlan>;
  readonly rules: AnswerRules;
  readonly validators: Validators;
}

/** APIs that are kept for the next answers that are equal; those in use live on with their answers. */
const mostKept = 32;
const kept = new Map<string, Promise<Api>>();
const ready = new WeakMap<Answers, Api>();

/**
 * The API of an answer set, made once.
 * @throws ConfigError when answers clash
 */
export function apiFor(answers: Answers): Promise<Api> {
  const api = kept.get(answers.key) ?? makeApi(answers);
  // Put in anew, so that the first one is the one that nobody asked for the longest.
  kept.delete(answers.key);
  kept.set(answers.key, api);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  api.then(
    (made) => ready.set(answers, made),
    () => kept.delete(answers.key),
  );
  return api;
}

/** The API of these answers, where it is at hand: it is for every request but the first. */
export const readyApi = (answers: Answers): Api | undefined => ready.get(answers);

async function makeApi(answers: Answers): Promise<Api> {
  const document = resolve(answers.all);
  const validators =
    answers.key === precompiledKey ? (name: string) => precompiled[name] : await compiled(document, answers);
  const plans = plansOf(document, validators);
  const rules = answerRules(document, validators);
  return { answers, document, find: routeTable(plans), rules, validators };
}

/** Ajv is loaded where another profile than the default one is used. */
async function compiled(document: ApiDocument, answers: Answers): Promise<Validators> {
  const { compileWhenUsed } = await import('./validation/compile.ts');
  return compileWhenUsed(
    schemasOf(document, { takesUnknownQuery: answers.get('unknown-query') === 'ignore' }),
    document.components,
  );
}

const plansOf = (document: ApiDocument, validators: Validators): OperationPlan[] =>
  operationsOf(document).map(({ path, method, operation }) => {
    const { operationId: id, requestBody, responses, security = [] } = operation;
    const [scheme] = Object.keys(security[0] ?? {});
    const parameters = parametersIn(document, path, operation.parameters);
    return {
      id,
      method: method.toUpperCase(),
      path,
      body: requestBody && { required: requestBody.required === true },
      queryNames: new Set(parameters.filter((one) => one.in === 'query').map(({ name }) => String(name))),
      security: scheme as OperationPlan['security'],
      success: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
      get validators() {
        return { parameters: compiledFor(validators, parametersOf(id)), body: validators(bodyOf(id)) };
      },
    };
  });

function compiledFor(validators: Validators, name: string): CompiledValidator {
  const validator = validators(name);
  if (!validator) throw new Error(`There is no validator ${name}: run npm run build.`);
  return validator;
}
