import { isEqual, memberOf } from '../../../contract-tests/values/json.ts';
import { type Api, apiFor, type OperationPlan } from '../api.ts';
import { LoadedRoutes } from '../custom-routes/loaded-routes.ts';
import { contentOf, renderError } from '../error-body.ts';
import type { Outgoing } from '../exchange.ts';
import type { MockRequest } from '../message.ts';
import { apiError } from '../operations/api-error.ts';
import { issueAccessToken, issueRefreshToken } from '../operations/tokens.ts';
import { isObject, type JsonObject, type OperationId } from '../spec/document.ts';
import { type ErrorKind, resolveKind } from '../spec/error-kinds.ts';
import { operationById } from '../validation/refusal.ts';
import { JournalBudget } from '../world/journal.ts';
import { personasOf } from '../world/personas.ts';
import type { User } from '../world/records.ts';
import { unusedRoutes } from '../world/state.ts';
import { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import { type Cast, type ExampleRequest, requestsOf } from './requests.ts';

/** One request of an operation and its answer, as the world would have them now. */
export interface Example {
  /** Unique among those of its operation. */
  readonly name: string;
  readonly summary: string;
  readonly operation: OperationId;
  /** The shown part of the request; nothing if the document does not allow it, or only its credentials differ. */
  readonly sent: Pick<ExampleRequest, 'params' | 'query' | 'body'> | undefined;
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

/** Answers a request: handle() of handle.ts, which needs examples itself. */
export type Handle = (worlds: Pick<Worlds, 'resolve'>, request: MockRequest) => Promise<Outgoing>;

/** An operation's examples: requests that succeed, then each kind of refusal, sent to a fork. None in a world without users. */
export async function examplesOf(world: World, id: OperationId, handle: Handle): Promise<Example[]> {
  const stage = await setStage(world, id, handle);
  if (!stage) return [];
  const requests = Object.entries(requestsOf(id)(stage.cast));
  const successes: Example[] = [];
  for (const [name, request] of requests) {
    const seen = request && (await perform(stage, request));
    if (seen?.example.status === stage.plan.success)
      successes.push({ ...seen.example, name, sent: shownOf(seen.request) });
  }
  const [first] = requests.flatMap(([, request]) => request ?? []);
  const refusals: Example[] = [];
  const kinds = (operationById(id)?.operation as JsonObject | undefined)?.['x-errors'] as readonly ErrorKind[];
  for (const kind of first ? kinds : []) refusals.push(...(await refusalOf(stage, kind, first as ExampleRequest)));
  return [...successes, ...refusals];
}

type Stage = NonNullable<Awaited<ReturnType<typeof setStage>>>;

async function setStage(world: World, id: OperationId, handle: Handle) {
  const people = personasOf(world);
  const admin = people.admin ?? people.others[0] ?? people.member;
  const api: Api = await apiFor(world.answers);
  const plan = api.plans.find((one) => one.id === id);
  if (!admin || !plan) return undefined;
  // Only the API's answers: without faults and without custom routes that override its operations.
  const image = { ...world.image(), arms: [], planned: [], routes: unusedRoutes };
  const services = { ...world.services, journalBudget: new JournalBudget(), routes: new LoadedRoutes() };
  const fork = new World(image, services);
  fork.clock.freeze();
  const tokens = new Map(
    [admin, ...(people.member ? [people.member] : [])].map((user) => [user, issueAccessToken(fork, user)]),
  );
  fork.restore({ ...image, clock: fork.clock.setting });
  const untouched = fork.image();
  // What the first sign-in returns: clients that follow the order of operations have it.
  const refreshToken = issueRefreshToken(fork, admin);
  const cast: Cast = { ...people, world: fork, admin, refreshToken, tokenOf: (user: User) => tokens.get(user) ?? '' };
  return { cast, plan, start: id === 'ssoLogin' ? untouched : fork.image(), handle };
}

/** Runs a request on a fresh fork. */
async function perform({ cast, plan, start, handle }: Stage, request: ExampleRequest) {
  const { world } = cast;
  world.restore(start);
  const worlds: Pick<Worlds, 'resolve'> = { resolve: ({ url }) => ({ world, prefix: '', url }) };
  const { delivery, exchange } = await handle(worlds, wireOf(plan, request));
  const [mediaType = ''] = (delivery.headers['Content-Type'] ?? '').split(';');
  const body: unknown = /json/.test(mediaType) ? JSON.parse(delivery.text) : delivery.text || undefined;
  const example = { summary: request.summary, operation: plan.id, status: delivery.status, mediaType, body };
  return { request, example, exchange };
}

function wireOf({ method, path }: OperationPlan, { params, query, body, bearer, raw }: ExampleRequest): MockRequest {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(memberOf(params, name) ?? ''));
  const search = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]));
  const type = raw?.type ?? (body === undefined ? undefined : 'application/json');
  const text = raw ? raw.text : JSON.stringify(body);
  const headers = {
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(type !== undefined && { 'content-type': type }),
  };
  return {
    method,
    url: search.size > 0 ? `${url}?${search}` : url,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    body: text === undefined ? raw && (async () => ({ problem: 'too-large' })) : new TextEncoder().encode(text),
    origin: '',
    client: 'example',
  };
}

const shownOf = ({ params, query, body }: ExampleRequest): Example['sent'] => ({
  ...(params && { params }),
  ...(query && { query }),
  ...(body !== undefined && { body }),
});

/** The example of a kind of error; none if the answers in force make it no error. */
async function refusalOf(stage: Stage, kind: ErrorKind, request: ExampleRequest): Promise<Example[]> {
  const { cast, plan } = stage;
  const { answers } = cast.world;
  const resolved = resolveKind(kind, answers.all, plan.id);
  if (!resolved) return [];
  const common = { name: kind, summary: `${resolved.title}.`, operation: plan.id };
  const spoilt = spoils[kind]?.(request, cast);
  if (spoilt) {
    const sent = { ...request, ...spoilt };
    const { example, exchange } = await perform(stage, sent);
    const isShown = exchange?.isValid && !sent.raw && !isEqual(shownOf(sent), shownOf(request));
    if (exchange?.error?.kind.kind === resolved.kind)
      return [{ ...example, ...common, sent: isShown ? shownOf(sent) : undefined }];
  }
  const occasion = { method: plan.method, path: plan.path, id: '1'.padStart(32, '0'), operation: plan.id };
  const error = apiError(answers, kind, `${resolved.title}.`, { operation: plan.id });
  const written = renderError(contentOf(error), cast.world, occasion);
  return [{ ...common, ...written, sent: undefined, status: resolved.status }];
}

/** What turns a successful request into each kind of refusal; undefined if its operation cannot be refused so. Kinds that need more than a request show only their shape. */
export const spoils: {
  readonly [Kind in ErrorKind]?: (request: ExampleRequest, cast: Cast) => Partial<ExampleRequest> | undefined;
} = {
  'malformed-json': () => ({ raw: { type: 'application/json', text: '{"' } }),
  'media-type': () => ({ raw: { type: 'text/plain', text: 'text' } }),
  'too-large': () => ({ raw: { type: 'application/json', text: undefined } }),
  validation: ({ body }) => {
    const [member] = isObject(body) ? Object.keys(body) : [];
    if (member !== undefined) return { body: { ...(body as object), [member]: [] } };
    return { query: { provider: 'unknown', nothing: 'at all' } };
  },
  'missing-credentials': ({ bearer }) => (bearer === undefined ? undefined : { bearer: undefined }),
  'invalid-credentials': ({ bearer, body }, { admin, refreshToken }) => {
    if (bearer !== undefined) return { bearer: 'not-a-token' };
    const wrong = [
      [admin.sso.oid, '00000000-0000-4000-8000-000000000000'],
      [admin.password ?? refreshToken, 'not-the-password'],
      [refreshToken, 'not-a-refresh-token'],
    ] as const;
    const text = wrong.reduce((sent, [right, other]) => sent.replaceAll(right, other), JSON.stringify(body));
    return { body: JSON.parse(text) as unknown };
  },
  forbidden: ({ bearer }, { member, tokenOf }) => (bearer && member ? { bearer: tokenOf(member) } : undefined),
  'unknown-recording': () => ({ params: { recordingId: 'rec_unknown' } }),
  'foreign-recording': (_, { otherRecording }) => otherRecording && { params: { recordingId: otherRecording.id } },
  'unknown-tenant': () => ({ params: { id: 'ten_unknown' } }),
  'foreign-tenant': (_, { otherTenant }) => otherTenant && { params: { id: otherTenant.id } },
};
