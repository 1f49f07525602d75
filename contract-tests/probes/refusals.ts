import { STATUS_CODES } from 'node:http';
import type { Session } from '../session/session.ts';
import { readSpec } from '../spec-data.ts';
import { isObject } from '../values/json.ts';
import { bodyOf, refusals } from './error-samples.ts';
import { type LearnedErrors, learnErrors } from './error-shape.ts';
import { type Probe, Undetermined } from './probe.ts';
import { answerFor } from './shape-learner.ts';

const SENDS =
  'GET of an unknown path, of the SSO login and of API keys (without credentials, with bad ones, with a made-up provider or tenant, as member), SSO with no JSON; where writes are allowed, SSO with claims of the wrong type and as text/plain, PATCH of a recording with a made-up id, and with analysis as text';

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

/** The code of each kind of refusal, as the target writes it. */
function codesOf(samples: Awaited<ReturnType<typeof refusals>>, shape: LearnedErrors): Map<string, string> {
  const codes = new Map<string, string>();
  for (const { kind, answer } of samples) {
    const { template } = shape.cases?.find((one) => one.for.includes(kind)) ?? shape;
    const code = codeAt(template, bodyOf(answer));
    if (code !== undefined && !codes.has(kind)) codes.set(kind, code);
  }
  return codes;
}

interface Kinds {
  'x-error-kinds': Record<string, { code?: string }>;
}

/** The code that the answer `snake` has for a kind. */
function snakeCode(kind: string, status: number): string {
  const { 'x-error-kinds': kinds } = readSpec('openapi') as Kinds;
  return kinds[kind]?.code ?? (STATUS_CODES[status] ?? 'error').toLowerCase().replaceAll(/[^a-z]+/g, '_');
}

const STYLES = { snake: /^[a-z]+(?:_[a-z]+)*$/, 'upper-snake': /^[A-Z]+(?:_[A-Z]+)*$/ } as const;

/** How codes are written: as the profile says where they keep to it, else the style of the same words, else each by itself. */
async function codesAnswer(session: Session): Promise<unknown> {
  const samples = await refusals(session);
  const codes = codesOf(samples, learnErrors(samples));
  if (codes.size === 0) throw new Undetermined('refusals carry no code');
  const given = session.config.answers['error-codes'];
  if ((given === 'snake' || given === 'upper-snake') && [...codes.values()].every((code) => STYLES[given].test(code)))
    return given;
  const statuses = new Map(samples.map(({ kind, answer }) => [kind, answer.response.status]));
  const own = [...codes].map(([kind, code]) => ({ code, snake: snakeCode(kind, statuses.get(kind) ?? 0) }));
  if (own.every(({ code, snake }) => code === snake)) return 'snake';
  if (own.every(({ code, snake }) => code === snake.toUpperCase())) return 'upper-snake';
  return Object.fromEntries([...codes].toSorted());
}

/** The bodies of refusals: each kind of them has its shape. */
export const errorProbes: Probe[] = [
  {
    gap: 'error-body',
    sends: SENDS,
    needs: [],
    observe: async (session) => answerFor('error-body', learnErrors(await refusals(session))),
  },
  { gap: 'error-codes', sends: 'the refusals of error-body', needs: [], observe: codesAnswer },
];
