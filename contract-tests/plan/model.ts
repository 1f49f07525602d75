import type { IDENTIFIERS } from '../api/identifiers.ts';
import type { Method, OperationId } from '../api/operations.ts';
import type { TargetField } from '../api/target-fields.ts';
import type { Actor, ModelCoverage } from '../model.ts';
import { readSpec } from '../spec-data.ts';

/** One value of a dimension (spec/coverage.yaml). */
export interface Value {
  id: string;
  /** Why it is asked. */
  why: string;
  value?: unknown;
  /** A conforming target may refuse it. */
  odd?: true;
  /** It is sent in one title with others, and alone after a difference. */
  join?: true;
  /** Its body is ASCII, with other characters as `\\u` and four digits. */
  isEscaped?: true;
  /** The mark of the run is added: what it shows is not at the end of the text. */
  isMarked?: true;
  /** It is sent together with this field. */
  with?: string;
  /** Only a run with a budget above the default sends it. */
  rare?: true;
  /** Another part of the run sends it. */
  elsewhere?: 'refresh' | 'rounds' | 'own-rounds';
  /** Texts of falling length: the longest one that is accepted is looked for. */
  ladder?: { text: string; lengths: readonly number[] };
  count?: number;
}

export interface OperationModel {
  /** The dimensions whose values are combined, each with each. */
  pairs?: readonly (readonly [string, string])[];
  dimensions: Readonly<Record<string, readonly Value[]>>;
}

/** A request by which its answers are found in a log. */
export interface QuestionRow {
  /** The operation, or another path; neither where helpers of the session send it. */
  of?: OperationId;
  path?: string;
  method?: Method;
  as?: 'admin' | 'member' | 'nobody' | 'garbage';
  query?: Record<string, string>;
  json?: unknown;
  /** A body that need not be JSON, and its media type. */
  text?: string;
  type?: string;
  /** Which recording or tenant, where it is not the one that the target file names first. */
  id?: keyof typeof IDENTIFIERS | 'other';
  writes?: true;
  says?: string;
  note?: string;
  needs?: readonly TargetField[];
  refusal?: string;
  fields?: readonly string[];
  /** Exchanges that answer it as well: of any log, and of a recording. */
  also?: Meant;
  recorded?: Meant;
}

/** What exchanges have in common: of each property a value, or several (SAID in contract-tests/readers/questions.ts). */
export type Meant = Readonly<Record<string, unknown>>;

/** `admin.jwt`, `member.pat`: an actor of the target file with a kind of credential. */
export type Caller = `${Actor}.${'jwt' | 'login' | 'pat'}`;

/** Requests of a phase, sent by each of the callers in turn; or what code sends. */
export interface Step extends Omit<QuestionRow, 'as'> {
  as?: Caller | readonly Caller[];
  /** The code that sends it. */
  do?: string;
  /** The kind of run that sends it: every one, or only one with a budget above the default; else all but quick ones. */
  runs?: 'always' | 'long';
  /** Another disposable recording than the first one. */
  on?: 'second';
  /** A title that names the run. */
  title?: string;
  headers?: Record<string, string>;
  for?: string;
  /** Parts that a conforming target may refuse. */
  odd?: readonly string[];
  /** These are under way at the same time. */
  overlap?: readonly Step[];
  /** It is sent only where the request before it was accepted. */
  when?: 'accepted';
  /** It is not sent where the log has a success of it. */
  once?: true;
  times?: number;
  /** The value of the model that it asks. */
  covers?: string;
}

/** A part of a run. */
export interface Phase {
  name: string;
  /** The rules that it serves, as a pattern of their names. */
  rules: string;
  /** Requests that it usually sends: its part of a budget that is given; 0 where it must not be cut short. */
  share: number;
  /** What it sends that may change the target, a line each. */
  writes?: readonly string[];
  steps: readonly Step[];
}

/** The questions whose answers show a gap. */
export interface GapRow {
  after?: string;
  asks?: readonly string[];
  may?: readonly string[] | 'refusals';
  repeats?: true;
  /** By question: the answer for each kind of answer to it, the first that fits. */
  shows?: Readonly<Record<string, readonly (readonly [kind: string, answer: string])[]>>;
  /** Placeholders of a body: their meaning, and how their members are named. */
  members?: readonly (readonly [placeholder: string, holds: string, name?: string])[];
  /** The placeholder for which the body is there. */
  main?: string;
}

/** A plain request of a file of `--model`. */
export interface OwnRequest {
  id: string;
  why: string;
  method: Method;
  /** Below the base URL, with names in braces. */
  path: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  json?: unknown;
  /** Who asks. */
  as: readonly (`${Actor}.${'jwt' | 'login' | 'pat'}` | 'nobody')[];
  /** It changes nothing, although it is no GET. */
  reads?: true;
}

/** What may be asked of a target. */
export interface Model {
  budget: { quick: number; default: number; most: number };
  recording: OperationModel;
  'api-keys': OperationModel;
  scopes: OperationModel;
  identifiers: readonly Value[];
  strangers: readonly Value[];
  phases: readonly Phase[];
  questions: Readonly<Record<string, QuestionRow>>;
  gaps: Readonly<Record<string, GapRow>>;
  requests: readonly OwnRequest[];
}

let model: Model | undefined;

/** The model of this version; read once. */
export function loadModel(): Model {
  model ??= { ...(readSpec('coverage') as Omit<Model, 'requests'>), requests: [] };
  return model;
}

/** The values of a dimension that a run with this budget sends. */
export function valuesOf({ dimensions }: OperationModel, dimension: string, withRare: boolean): readonly Value[] {
  return (dimensions[dimension] ?? []).filter(({ rare }) => withRare || !rare);
}

/** The text of a value: as it is, repeated, or of the given length. */
export function textOf({ value }: Value): unknown {
  const repeated = value as { repeat?: string; times?: number } | undefined;
  return typeof value === 'object' && typeof repeated?.repeat === 'string'
    ? repeated.repeat.repeat(repeated.times ?? 1).trim()
    : value;
}

/** A text of so many characters, which ends in a unique word: one that was cut off is no longer the same. */
export function textOfLength(text: string, length: number): string {
  const end = 'the end.';
  const characters = [...text.repeat(Math.ceil(length / [...text].length) + 1)];
  return length > 2 * end.length
    ? characters.slice(0, length - end.length).join('') + end
    : characters.slice(0, length).join('');
}

/** What of the model was asked, by the names of its values. */
export function coverageOf(model: Model, covered: ReadonlySet<string>): ModelCoverage {
  const named = (prefix: string, values: readonly Value[] = []): string[] => values.map(({ id }) => `${prefix}.${id}`);
  const all = [
    ...(['recording', 'api-keys', 'scopes'] as const).flatMap((operation) =>
      Object.entries(model[operation].dimensions).flatMap(([name, values]) => named(`${operation}.${name}`, values)),
    ),
    ...named('identifiers', model.identifiers),
    ...named('strangers', model.strangers),
  ];
  const leftOut = all.filter((name) => !covered.has(name));
  return { values: all.length, asked: all.length - leftOut.length, leftOut };
}
