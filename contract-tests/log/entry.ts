import type { LaxForm } from '../api/lax-forms.ts';
import type { Actors } from '../api/named-actors.ts';
import type { OperationId } from '../api/operations.ts';
import type { Stored } from '../api/reading.ts';
import { type Answer, isSuccess, jsonOf, OF_GATEWAY, sentIn } from '../values/answer.ts';
import { type JsonObject, objectOf } from '../values/json.ts';

/** Kinds of credentials that a protected operation must refuse (part 5). */
export const FLAWS = {
  'no-credentials': { requirement: 'AUT-03', what: 'no Authorization header' },
  garbage: { requirement: 'AUT-04', what: 'a bearer token that is neither a JWT nor a PAT' },
  'refresh-token': { requirement: 'AUT-04', what: 'a refresh token', signer: 'actors.admin.sso' },
  'tampered-jwt': { requirement: 'AUT-05', what: 'a JWT that was tampered with' },
  'unsigned-jwt': { requirement: 'AUT-06', what: 'a JWT without a signature' },
  'pat-wrong-secret': { requirement: 'AUT-07', what: 'a PAT with a wrong secret', isOfPat: true },
} as const;
export type FlawKind = keyof typeof FLAWS;
export const FLAW_KINDS = Object.keys(FLAWS) as FlawKind[];

/** Why a credential must be refused, or is (another spelling of a good one: gap lax-tokens), and in words how it differs from a good one. */
type Flaw = { kind: FlawKind | 'lax-token'; what: string };

export type Way = 'sso' | 'login' | 'pat' | 'elsewhere';

/** Where a token came from: `n` is the place in the log, `at` milliseconds since 1970, `lifetime` seconds, as announced. */
export interface Issued {
  way: Way;
  answer: Answer;
  at: number;
  n: number;
  lifetime?: number;
}

export type Kind = 'none' | Exclude<FlawKind, 'no-credentials'> | 'jwt' | 'pat' | 'masked' | 'opaque';

export interface Credential {
  kind: Kind;
  token?: string;
  issued?: Issued;
  /** Whose it is: the actor of the target file, else the body of the sign-in that handed it out. */
  who?: string;
  flaw?: Flaw;
  /** In which forms a good token was sent instead of as it is. */
  forms?: readonly LaxForm[];
}

/** What the planner knows of a request that it sent. */
export interface Asked {
  for: string;
  /** Parts of the request that a conforming target may refuse; with none of them, the request must be accepted. */
  odd: readonly string[];
  flaw?: Flaw;
  /** Its body was sent in two parts, some milliseconds apart. */
  isSegmented?: true;
}

/** An exchange as it comes from a run, a recording or a proxy. */
export interface Recorded {
  answer: Answer;
  /** Order of sending and of the complete answer on one scale: two exchanges overlap where these ranges do. */
  begin: number;
  end: number;
  /** When it was sent and answered, in milliseconds on the clock of the log. */
  startedAt: number;
  endedAt: number;
  date: number;
  /** Whether the log holds the bodies: exporters of recordings may leave them out. */
  hasRequestBody: boolean;
  hasBody: boolean;
  hasCookies: boolean;
}

/** An exchange with what is known of it: what rules and readers judge. */
export interface Entry extends Recorded {
  n: number;
  /** The operation that was requested; undefined for any other path of the service. */
  operation: OperationId | undefined;
  path: string;
  /** The recording or tenant that the path addresses, decoded. */
  resource?: string;
  query: readonly (readonly [name: string, value: string])[];
  credential: Credential;
  /** A refresh token that an answer handed out; the body around it, unless it is the bearer token; what exchanged it before. */
  refresh?: { token: string; template?: JsonObject; exchanged?: Answer };
  /** What an operation that the target file names (`reads`) showed of a recording. */
  stored?: Stored;
  /** Absent in traffic that the suite did not send. */
  asked?: Asked;
}

/** The exchanges of a run or a recording, in the order in which they were answered. */
export interface Log {
  readonly entries: readonly Entry[];
  readonly actors: Actors;
  readonly resources?: Readonly<Record<string, unknown>>;
  /** The log is a recording: others may have sent requests that it does not hold. */
  readonly isPartial: boolean;
  /** Requests were refused for their number; where the log is of a run, it does not hold these. */
  readonly isLimited?: boolean;
}

export const sentOf = ({ answer }: Entry): unknown => sentIn(answer);

export const sentObject = (entry: Entry): JsonObject => objectOf(sentOf(entry));

export const jsonIn = ({ answer }: Entry): unknown => jsonOf(answer);

export const objectIn = (entry: Entry): JsonObject => objectOf(jsonIn(entry));

export const statusOf = ({ answer }: Pick<Entry, 'answer'>): number => answer.response.status;

/** Words and signs that sanitisers of recordings put in the place of a credential; base64 may hold shorter words by chance. */
const MASKED = /redact|masked|removed|hidden|omitted|sanitiz|sanitis|scrubbed|filtered|[*•…‹<[({]|\.{3}|^x+$|^$/i;

export const isMasked = (text: string) => MASKED.test(text) || text.split('.').every((part) => new Set(part).size <= 1);

/** Whether a value of a recording replaces a credential: then nothing is known of that. */
export const isMaskIn = ({ asked }: Entry, value: unknown): boolean =>
  asked === undefined && typeof value === 'string' && isMasked(value);

export const isOk = ({ answer }: Entry): boolean => isSuccess(answer);

/** Whether it is refused: HTTP's client errors, and redirects; a limit of requests refuses nothing. */
export const isRefused = (entry: Entry) => statusOf(entry) >= 300 && statusOf(entry) < 500 && statusOf(entry) !== 429;

/** Whether the content was refused, or the service failed on it. */
export const isContentRefused = (entry: Entry): boolean =>
  [400, 405, 406, 409, 411, 413, 414, 415, 422].includes(statusOf(entry)) || statusOf(entry) >= 500;

/** Whether the service failed: no gateway before it, and not for lack of a feature of HTTP (501). */
export const isFailure = (entry: Entry): boolean =>
  statusOf(entry) >= 500 && statusOf(entry) !== 501 && !OF_GATEWAY.has(statusOf(entry));

export const overlap = (a: Entry, b: Entry): boolean => a !== b && a.begin < b.end && b.begin < a.end;

/** Those exchanges that overlap another one of them: a recording under load holds thousands. */
export function overlappingIn(entries: readonly Entry[]): ReadonlySet<Entry> {
  const found = new Set<Entry>();
  let longest: Entry | undefined;
  for (const entry of entries.toSorted((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (longest && overlap(longest, entry)) found.add(longest).add(entry);
    if (!longest || entry.end > longest.end) longest = entry;
  }
  return found;
}
