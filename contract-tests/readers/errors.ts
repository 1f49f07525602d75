import { STATUS_CODES } from 'node:http';
import { statusOf } from '../log/entry.ts';
import { readSpec } from '../spec-data.ts';
import { isObject } from '../values/json.ts';
import { bodyOf, learnErrors, type RefusalSample } from './error-shape.ts';
import { isGoodMember } from './keys.ts';
import { CLAIMS, type QuestionId } from './questions.ts';
import { isRefusedAsInvalid, Lenient, type Look, type Reader, reader, Undetermined } from './reader.ts';
import { answerFor } from './shape-learner.ts';

/** Requests that are refused, each for a reason of its own, and the fields that a refusal may name. */
const REFUSED: readonly { kind: string; question: QuestionId; fields?: readonly string[] }[] = [
  { kind: 'unknown-path', question: 'unknown-path' },
  { kind: 'method', question: 'sso-get' },
  { kind: 'malformed-json', question: 'sso-malformed' },
  { kind: 'media-type', question: 'sso-as-text' },
  { kind: 'validation', question: 'sso-wrong-claims', fields: CLAIMS },
  { kind: 'validation', question: 'sso-no-claims', fields: CLAIMS },
  { kind: 'validation', question: 'keys-no-provider', fields: ['provider'] },
  { kind: 'validation', question: 'update-text', fields: ['analysis'] },
  { kind: 'missing-credentials', question: 'keys-as-nobody' },
  { kind: 'invalid-credentials', question: 'keys-as-garbage' },
  { kind: 'forbidden', question: 'keys-as-member' },
  { kind: 'unknown-tenant', question: 'keys-unknown-tenant' },
  { kind: 'unknown-recording', question: 'update-unknown' },
];
const QUESTIONS_OF = REFUSED.map(({ question }) => question);

/** Refusals of a kind in a recording that are looked at, and kinds that a run must have met. */
const SAMPLES = 10;
const KINDS = 3;

/** Refusals of each kind that this target can be brought to. */
function refusals(look: Look): RefusalSample[] {
  const { isPartial } = look.log;
  const samples = REFUSED.flatMap(({ kind, question, fields = [] }) =>
    look.any(question, isPartial ? SAMPLES : 1).flatMap((entry): RefusalSample[] => {
      const isRefused = statusOf(entry) >= 400 && statusOf(entry) < 500;
      // No claims may be those of nobody.
      const isOther =
        (question === 'sso-no-claims' && !isRefusedAsInvalid(entry)) ||
        (kind === 'forbidden' && !isGoodMember(look, entry));
      return isRefused && !isOther ? [{ kind, answer: entry.answer, date: entry.date, fields }] : [];
    }),
  );
  const kinds = new Set(samples.map(({ kind }) => kind));
  if (kinds.size < (isPartial ? 1 : KINDS))
    throw new Undetermined(`only ${[...kinds].join(', ') || 'nothing'} was refused`);
  return samples;
}

/** The text that stands in a body at the place of `${code}`. */
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
export const errorReaders: readonly Reader[] = [
  reader({ gap: 'error-body', may: QUESTIONS_OF }, (look) => answerFor('error-body', learnErrors(refusals(look)))),
  // How codes are written: the style of the same words, else each by itself.
  reader({ gap: 'error-codes', may: QUESTIONS_OF }, (look) => {
    const samples = refusals(look);
    const shape = learnErrors(samples);
    const codes = new Map<string, { code: string; snake: string }>();
    for (const { kind, answer } of samples) {
      const { template } = shape.cases?.find((one) => one.for.includes(kind)) ?? shape;
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
  }),
];
