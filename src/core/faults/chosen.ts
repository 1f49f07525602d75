import { isEqual, memberOf } from '../../../contract-tests/values/json.ts';
import { parseJsonBytes } from '../body.ts';
import { headerOf, isLike, type MockRequest, pathOf, queryOf, readBytes } from '../message.ts';
import type { Arrival } from '../operations/behaviour.ts';
import { ConfigError } from '../spec/config-error.ts';
import { isObject } from '../spec/json.ts';
import type { FaultArm } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { armsFrom, splitFaults } from './arms.ts';
import { faultOf } from './index.ts';
import { Turn } from './turn.ts';

export interface ChosenFaults {
  readonly turns: readonly Turn[];
  /** A fault that closes connections without an answer is armed, for this request or a later one. */
  readonly mayClose?: boolean;
  /** Why the header X-Mock-Fault cannot be used. */
  readonly problem?: string;
}

/** The armed faults for a request; those of its header X-Mock-Fault replace armed ones. */
export function chosenFaults(
  world: World,
  sent: MockRequest,
  { method, url, headers }: Arrival,
  operation: () => string | undefined,
): ChosenFaults | Promise<ChosenFaults> {
  // A browser sends a preflight without the page's headers.
  const isPreflight = method === 'OPTIONS';
  const header = isPreflight ? undefined : headerOf(headers, 'x-mock-fault');
  let requested: readonly FaultArm[] = [];
  try {
    if (header !== undefined) requested = armsFrom(splitFaults(header), true);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { turns: [], problem: `The header X-Mock-Fault: ${error.message.slice(0, 2000)}` };
  }
  const armed = world.arms.filter(({ id }) => !requested.some((arm) => arm.id === id));
  const choose = (body?: unknown): ChosenFaults => {
    const described = { method, path: pathOf(url), query: queryOf(url), headers, operation: operation(), body };
    const turnsOf = (arms: readonly FaultArm[], reason: 'armed' | 'requested'): Turn[] =>
      arms.flatMap((arm) => {
        const fault = faultOf(arm.id);
        if (!fault || (isPreflight && !fault.preflights)) return [];
        if (isFor(arm, described)) return [new Turn(world, arm, fault, reason)];
        return fault.observes ? [new Turn(world, arm, fault, 'observing')] : [];
      });
    const mayClose = armed.some(({ id }) => faultOf(id)?.closes);
    return { turns: [...turnsOf(armed, 'armed'), ...turnsOf(requested, 'requested')], mayClose };
  };
  const needsBody = [...armed, ...requested].some(({ request }) => request?.body !== undefined);
  return needsBody ? bodyOf(sent, world).then(choose) : choose();
}

/** The body as JSON where it is such. It can be read again. */
async function bodyOf(sent: MockRequest, world: World): Promise<unknown> {
  const read = await readBytes(sent, world.answers.get('body-size-limit'));
  if (typeof sent.body === 'function') sent.body = () => read;
  const parsed = read.bytes && parseJsonBytes(read.bytes);
  return parsed && 'value' in parsed ? parsed.value : undefined;
}

/** What arms can be limited by; the body as JSON, where it was read and is JSON. */
interface SentRequest extends Omit<Arrival, 'url'> {
  readonly path: string;
  readonly query: ReturnType<typeof queryOf>;
  readonly operation: string | undefined;
  readonly body: unknown;
}

function isFor({ operation, request = {} }: FaultArm, sent: SentRequest): boolean {
  const { method, path, headers = {}, query = {}, body } = request;
  const isSent = (values: string | readonly string[] | undefined, pattern: string): boolean =>
    values !== undefined && [values].flat().some((value) => isLike(value, pattern));
  return (
    (operation === undefined || operation === sent.operation) &&
    (method === undefined || isLike(sent.method.toUpperCase(), method.toUpperCase())) &&
    (path === undefined || isLike(sent.path, path)) &&
    Object.entries(headers).every(([name, value]) => isSent(headerOf(sent.headers, name.toLowerCase()), value)) &&
    Object.entries(query).every(([name, value]) => isSent(memberOf(sent.query, name), value)) &&
    (body === undefined || contains(sent.body, body))
  );
}

/** Whether a value has at least the members of another. */
function contains(value: unknown, expected: unknown): boolean {
  if (typeof expected === 'string') return typeof value === 'string' && isLike(value, expected);
  if (!isObject(expected)) return isEqual(value, expected);
  return isObject(value) && Object.entries(expected).every(([name, member]) => contains(memberOf(value, name), member));
}
