import { isSignIn, OPERATION_IDS, OPERATIONS, type OperationId, resourceOf } from '../api/operations.ts';
import { type Entry, isContentRefused, isOk, type Log, statusOf } from '../log/entry.ts';
import type { Answer } from '../values/answer.ts';
import { memberOf } from '../values/json.ts';
import { decoded } from '../values/url.ts';
import {
  type DocumentRule,
  type Judge,
  type Judgement,
  notSucceeded,
  type Open,
  of,
  open,
  refused,
  rulesOf,
  shown,
} from './rule.ts';

/** The requests for the recording or tenant that the target file names first, with good credentials where the operation takes any. */
function own(log: Log, operation: OperationId): Entry[] {
  const id = memberOf(log.resources, resourceOf(operation)?.own ?? '');
  return of(log, operation).filter(
    ({ resource, credential }) => (id ?? resource) === resource && (isSignIn(operation) || !credential.flaw),
  );
}

/** Those of admin that nothing in them makes a conforming target refuse. */
const mild = (log: Log, operation: OperationId): Entry[] =>
  own(log, operation).filter(
    ({ asked, credential }) => asked?.odd.length === 0 && (isSignIn(operation) || credential.who === 'admin'),
  );

export const neverSucceeds = (log: Log, operation: OperationId): boolean =>
  !log.isPartial && mild(log, operation).length > 0 && !own(log, operation).some(isOk);

const setUp = (reason: string): Open => open(reason, { kind: 'set-up' });

/** What it means that an operation that was asked never succeeds: only refused credentials may be the target file's fault. */
export function neverSucceeded(log: Log, operation: OperationId): Judgement | undefined {
  const asked = neverSucceeds(log, operation) ? mild(log, operation) : [];
  const entry = asked.find((each) => ![401, 403].includes(statusOf(each))) ?? asked[0];
  if (!entry) return undefined;
  const { name, method, hint } = OPERATIONS[operation];
  const status = statusOf(entry);
  // The body of a login is not documented: its own rule says so.
  if (operation === 'login' && isContentRefused(entry) && status < 500) return undefined;
  const unknown = unknownResource(log, operation);
  if (unknown) return unknown;
  if (status >= 300 && status < 400) {
    const { location = 'nowhere' } = entry.answer.response.headers;
    const advice = method === 'GET' ? ', or followRedirects where only the path differs' : '';
    return setUp(
      `${name} was redirected to ${location}, which was not followed. Set baseUrl to where the API is${advice}.`,
    );
  }
  if (status === 429) return setUp(`${name} was still limited after waiting; lower limits.requestsPerSecond.`);
  const { token } = entry.credential;
  const isProven = log.entries.some(
    (other) => isOk(other) && other.operation && token !== undefined && other.credential.token === token,
  );
  if ((status === 401 && !isProven) || status === 403) return setUp(`${name} was refused with ${status}. ${hint}`);
  // Credentials that are accepted elsewhere are not the cause.
  return notSucceeded(name, entry, status === 401 ? 'The same credentials are accepted elsewhere.' : hint);
}

/** Where the target refuses the recording or tenant of the target file like a made-up one, and unknown paths in another way. */
function unknownResource(log: Log, operation: OperationId): Open | undefined {
  const denied = mild(log, operation).find((entry) => statusOf(entry) === 404);
  const field = OPERATIONS[operation].needs.find((each) => each.startsWith('resources.'));
  if (!field || !denied) return undefined;
  const askedFor = (what: string) => log.entries.filter(({ asked }) => asked?.for === what).map(({ answer }) => answer);
  const madeUp = of(log, operation).find(({ asked }) => asked?.for === 'a made-up identifier');
  const nowhere = askedFor(`a path that does not exist, like that of ${operation}`);
  if (!madeUp || !saysNoSuchThing(denied.answer, madeUp.answer, nowhere)) return undefined;
  const thing = field.slice('resources.'.length, -'Id'.length);
  return setUp(
    `${field}: the target has no ${thing} ${denied.resource}. It answers 404 as to a made-up id, and in another way to unknown paths.`,
  );
}

/** What a refusal says, without what belongs to the one request: its path, ids, times and traces. */
function essenceOf({ request, response }: Answer): string {
  const segments = new URL(request.url).pathname.split('/').flatMap((each) => [each, decoded(each)]);
  const said = segments
    .filter((segment) => segment.length > 3)
    .reduce((left, segment) => left.replaceAll(segment, '0'), response.body)
    .replace(/[\w-]+/g, (word) => (/\d/.test(word) ? '#' : word));
  return [response.status, response.headers['content-type'], said.replace(/[#/]+/g, '#')].join(' ');
}

/** Whether a refusal means that there is no such thing at a path that exists: a made-up one is refused alike, unknown paths are not. */
export function saysNoSuchThing(refusal: Answer, madeUp: Answer, nowhere: readonly Answer[]): boolean {
  const [own, made, ...others] = [refusal, madeUp, ...nowhere].map(essenceOf);
  return own === made && others.length > 0 && others.every((other) => other !== own);
}

/** The documented paths are below the base URL (part 9). */
export const pathRules = OPERATION_IDS.flatMap((operation): DocumentRule[] => {
  const row = OPERATIONS[operation];
  const { path } = row;
  if (path === undefined || 'isBodyOpen' in row) return [];
  const judge: Judge = (log) => {
    const success = of(log, operation).find((entry) => isOk(entry) && (!entry.credential.flaw || isSignIn(operation)));
    if (!neverSucceeds(log, operation)) return success ? [shown(success)] : [];
    const unknown = unknownResource(log, operation);
    if (unknown) return [unknown];
    const missing = mild(log, operation).find((entry) => [404, 405, 501].includes(statusOf(entry)));
    if (!missing) return [open(`${path} never succeeded`, { because: OPERATIONS[operation].reportedBy })];
    return [refused(`${path} is not there: it answered ${statusOf(missing)}. Check baseUrl and resources.`, missing)];
  };
  return rulesOf(operation, [
    {
      id: `path-${operation}`,
      requirements: ['GEN-03'],
      title: `${path} is there, relative to the base URL`,
      phases: isSignIn(operation) ? ['establish'] : row.askedIn,
      judge,
    },
  ]);
});
