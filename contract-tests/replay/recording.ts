import { isSignIn, type OperationId } from '../api/operations.ts';
import { UsageError } from '../errors.ts';
import { actorNamed } from '../har/exchanges.ts';
import { LeftOut, type RecordedEntry, readHar } from '../har/read-har.ts';
import { type Source, type SourceActor, sourceOf } from '../har/source.ts';
import type { Asked, Entry } from '../log/entry.ts';
import { OperationsIn } from '../log/operations-in.ts';
import { candidatePaths } from '../session/gap-answers.ts';
import type { Target } from '../session/target-file.ts';
import { loadGaps } from '../spec-data.ts';
import { type Answer, isSuccess, sentIn } from '../values/answer.ts';
import { asNumber, asText, isEqual, isObject, memberOf, objectOf } from '../values/json.ts';

/** One request of a recording, and how it was answered. */
export interface Interaction {
  /** Its number in the file, from 1. */
  number: number;
  recorded: Answer;
  /** Below the base URL, with the query. */
  path: string;
  operation: OperationId | undefined;
  /** The recording or tenant that the path addresses. */
  resource: string | undefined;
  /** In milliseconds. */
  startedAt: number;
  endedAt: number;
  /** Who called, by the name in the source; of a sign-in, who signs in. */
  actor: string | undefined;
  hasRequestBody: boolean;
  /** What decided the recorded answer: the gaps that the mock named, none where it is documented; undefined of another server. */
  gaps: readonly string[] | undefined;
  /** For what the suite sent it, in the recording of a run. */
  asked: Asked | undefined;
}

/** Whether two requests were under way at the same time. */
export const overlap = (one: Interaction, other: Interaction): boolean =>
  one.startedAt < other.endedAt && other.startedAt < one.endedAt;

/** What showed a finding of a run. */
export interface RecordedFinding {
  check: string;
  fingerprint: string;
  /** The numbers of its interactions, the decisive one last. */
  entries: readonly number[];
}

export interface Recording {
  source: Source;
  interactions: readonly Interaction[];
  /** Of a run, by their ids: that of the check for its first one, and with `/n` for its n-th one. */
  findings: ReadonlyMap<string, RecordedFinding>;
  /** What could not be read, in words. */
  leftOut: string | undefined;
}

/** The interactions with the API that a HAR holds, in the order in which they began. Throws UsageError where there are none. */
export async function readRecording(file: string): Promise<Recording> {
  const rest = new LeftOut();
  const entries: RecordedEntry[] = [];
  for await (const entry of readHar(file, rest)) entries.push(entry);
  // Paths of the document show where the API is, for those before them, too.
  const operations = new OperationsIn(candidatePaths('scopes-path', {}));
  for (const { answer } of entries) operations.find(answer.request);
  if (!operations.isFound) operations.base(file);
  const all = entries.flatMap((entry) => interactionOf(entry, operations) ?? []);
  const sorted = all.toSorted((a, b) => a.startedAt - b.startedAt || a.number - b.number);
  if (sorted.length === 0) throw new UsageError(`${file}: it has no exchange with the API.`);
  const source = isObject(rest.log._source) ? readSource(rest.log._source) : guessedSource(sorted);
  const interactions = sorted.map((each) => ({ ...each, actor: callerOf(each, source) }));
  return { source, interactions, findings: findingsIn(rest.log._findings), leftOut: rest.text };
}

/** The exchanges of a run as a recording, with what is secret in it: it stays in this process. */
export function recordingOf(entries: readonly Entry[], target: Target): Recording {
  const source = sourceOf(target);
  const sorted = entries.toSorted((a, b) => a.begin - b.begin);
  const interactions = sorted.map(({ answer, path, credential, ...entry }, at): Interaction => {
    const { operation, resource, startedAt, endedAt, hasRequestBody, asked } = entry;
    const interaction = {
      ...{ number: at + 1, recorded: answer, startedAt, endedAt, hasRequestBody, asked, operation, resource },
      path: path + new URL(answer.request.url).search,
      actor: actorNamed(target, credential.who),
      gaps: undefined,
    };
    return { ...interaction, actor: callerOf(interaction, source) };
  });
  return { source, interactions, findings: new Map(), leftOut: undefined };
}

/** Recordings may be of another version, or say anything. */
const isGap = (id: string): boolean => loadGaps().some((gap) => gap.id === id);

function interactionOf(entry: RecordedEntry, operations: OperationsIn): Interaction | undefined {
  const { answer, actor, startedAt, hasRequestBody, asked } = entry;
  // By as much as its times may be rounded: two that follow each other do not overlap.
  const endedAt = Math.max(startedAt, entry.endedAt - (/\.\d{4}/.test(answer.entry.startedAt) ? 0.01 : 1));
  const { method, url, headers } = answer.request;
  const found = operations.find(answer.request);
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (!found || isPreflight || /^\/(~[^/]+\/)?_mock(\/|$)/.test(found.path)) return undefined;
  const basis = answer.response.headers['x-mock-basis'];
  return {
    ...{ number: answer.entry.number, recorded: answer, startedAt, endedAt, actor, hasRequestBody, asked },
    path: found.path + new URL(url).search,
    ...{ operation: found.operation, resource: found.resource },
    gaps: basis === undefined ? undefined : (/gaps=([\w,-]+)/.exec(basis)?.[1]?.split(',').filter(isGap) ?? []),
  };
}

function findingsIn(given: unknown): Map<string, RecordedFinding> {
  const named = Object.entries(objectOf(given)).flatMap(([check, own]) =>
    (Array.isArray(own) ? own : []).map(objectOf).map(({ finding, entries }, at): [string, RecordedFinding] => {
      const numbers = (Array.isArray(entries) ? entries : []).map(asNumber);
      return [at === 0 ? check : `${check}/${at + 1}`, { check, fingerprint: asText(finding), entries: numbers }];
    }),
  );
  return new Map(named);
}

/** The source that a recording names: whatever is not of the form is left out. */
function readSource(given: Record<string, unknown>): Source {
  const actors = Object.entries(objectOf(given.actors)).flatMap(([name, actor]): [string, SourceActor][] => {
    const { role, userId, tenantId, sso, login } = objectOf(actor);
    const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
    const claims = Object.entries(objectOf(sso)).filter(
      (claim): claim is [string, string] => typeof claim[1] === 'string',
    );
    return [
      [
        name,
        {
          role: role === 'member' ? 'member' : 'admin',
          ...{ userId: text(userId), tenantId: text(tenantId) },
          ...(isObject(sso) && { sso: Object.fromEntries(claims) }),
          ...(isObject(login) && { login }),
        },
      ],
    ];
  });
  return { actors: Object.fromEntries(actors), resources: objectOf(given.resources), answers: objectOf(given.answers) };
}

/** What a recording of a browser shows of its target: who signs in first is taken for the administrator, then comes the member. */
function guessedSource(interactions: readonly Interaction[]): Source {
  const seen = { recording: new Set<string>(), 'api-keys': new Set<string>() };
  const actors: Partial<Record<'admin' | 'member', SourceActor>> = {};
  for (const { operation, recorded, resource } of interactions) {
    if (!isSuccess(recorded)) continue;
    if (resource !== undefined && (operation === 'recording' || operation === 'api-keys'))
      seen[operation].add(resource);
    const sent = sentIn(recorded);
    if (!isSignIn(operation) || !isObject(sent)) continue;
    const isSigner = (actor: SourceActor | undefined): boolean => isEqual(actor?.[operation], sent);
    const role = actors.admin ? 'member' : 'admin';
    if (!isSigner(actors.admin)) actors[role] ??= { role, [operation]: sent };
  }
  const [recordingId, otherRecordingId] = seen.recording;
  const [tenantId, otherTenantId] = seen['api-keys'];
  return { actors: { ...actors }, resources: { recordingId, otherRecordingId, tenantId, otherTenantId } };
}

/** The actor whose claims or login a sign-in sends as they are; of other requests, the caller that the recording names. */
function callerOf({ operation, recorded, actor }: Interaction, { actors }: Source): string | undefined {
  if (isSignIn(operation)) {
    const sent = sentIn(recorded);
    return Object.keys(actors).find((name) => isEqual(memberOf(actors, name)?.[operation], sent));
  }
  if (actor === undefined || Object.hasOwn(actors, actor)) return actor;
  return Object.keys(actors).find((name) => memberOf(actors, name)?.userId === actor);
}
