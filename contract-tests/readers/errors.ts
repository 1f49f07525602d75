import { STATUS_CODES } from 'node:http';
import type { OperationId } from '../api/operations.ts';
import { statusOf } from '../log/entry.ts';
import { readSpec } from '../spec-data.ts';
import { isObject } from '../values/json.ts';
import { bodyOf, learnErrors, type RefusalSample } from './error-shape.ts';
import { isGoodMember } from './keys.ts';
import { questions } from './questions.ts';
import { isRefusedAsInvalid, Lenient, type Look, type Read, Undetermined } from './reader.ts';
import { answerFor } from './shape-learner.ts';

/** Refusals of a kind in a recording that are looked at, and kinds that a run must have met. */
const SAMPLES = 10;
const KINDS = 3;

/** The operations as `spec/openapi.yaml` names them. */
const OPERATION_IDS: Readonly<Record<OperationId, string>> = {
  sso: 'ssoLogin',
  recording: 'updateRecording',
  'api-keys': 'listTenantApiKeys',
  scopes: 'listTokenScopes',
  login: 'login',
  pat: 'createApiToken',
};

/** Refusals of each kind that this target can be brought to. */
function refusals(look: Look): RefusalSample[] {
  const { isPartial } = look.log;
  const samples = Object.entries(questions()).flatMap(([question, { refusal: kind, fields = [] }]): RefusalSample[] => {
    if (kind === undefined) return [];
    return look.any(question, isPartial ? SAMPLES : 1).flatMap((entry) => {
      const isRefused = statusOf(entry) >= 400 && statusOf(entry) < 500;
      // No claims may identify no user.
      const isOther =
        (question === 'sso-no-claims' && !isRefusedAsInvalid(entry)) ||
        (kind === 'forbidden' && !isGoodMember(look, entry));
      if (!isRefused || isOther) return [];
      const { answer, date, operation: id } = entry;
      return [{ kind, answer, date, fields, ...(id ? { operation: OPERATION_IDS[id] } : {}) }];
    });
  });
  const kinds = new Set(samples.map(({ kind }) => kind));
  if (kinds.size >= (isPartial ? 1 : KINDS)) return samples;
  throw new Undetermined(`only ${[...kinds].join(', ') || 'nothing'} was refused`);
}

/** The text of a body at the place of `${code}`. */
function codeAt(template: unknown, body: unknown): string | undefined {
  if (template === '${code}') return typeof body === 'string' ? body : undefined;
  if (Array.isArray(template) && Array.isArray(body)) return codeAt(template[0], body[0]);
  if (!isObject(template) || !isObject(body)) return undefined;
  for (const [name, inside] of Object.entries(template)) {
    const code = codeAt(inside, body[name.replace(/\?$/, '')]);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** The code that the answer `snake` has for a kind. */
function snakeCode(kind: string, status: number): string {
  const { 'x-error-kinds': kinds } = readSpec('openapi') as { 'x-error-kinds': Record<string, { code?: string }> };
  return kinds[kind]?.code ?? (STATUS_CODES[status] ?? 'error').toLowerCase().replaceAll(/[^a-z]+/g, '_');
}

const STYLES: Readonly<Record<string, RegExp>> = {
  snake: /^[a-z]+(?:_[a-z]+)*$/,
  'upper-snake': /^[A-Z]+(?:_[A-Z]+)*$/,
};

/** The bodies of refusals (7): each kind of them has its shape. */
export const errors: Readonly<Record<string, Read>> = {
  'error-body': (look) => answerFor('error-body', learnErrors(refusals(look))),
  // How codes are written: the style of the same words, else each by itself.
  'error-codes': (look) => {
    const samples = refusals(look);
    const shape = learnErrors(samples);
    const codes = new Map<string, { code: string; snake: string }>();
    for (const { kind, answer, operation = '' } of samples) {
      const { template } =
        shape.cases?.find((one) =>
          [one.for?.includes(kind) ?? true, one.at?.includes(operation) ?? true].every(Boolean),
        ) ?? shape;
      const code = codeAt(template, bodyOf(answer));
      if (code !== undefined && !codes.has(kind))
        codes.set(kind, { code, snake: snakeCode(kind, answer.response.status) });
    }
    const all = [...codes.values()];
    if (all.length === 0) throw new Undetermined('refusals carry no code');
    if (all.every(({ code, snake }) => code === snake)) return 'snake';
    if (all.every(({ code, snake }) => code === snake.toUpperCase())) return 'upper-snake';
    const own = Object.fromEntries([...codes].map(([kind, { code }]) => [kind, code]).toSorted());
    return new Lenient(own, (style) => all.every(({ code }) => STYLES[String(style)]?.test(code) === true));
  },
};
