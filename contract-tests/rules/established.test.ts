import { expect, test } from 'vitest';
import { answerOf } from '../testing/fixtures.ts';
import type { Answer } from '../values/answer.ts';
import { saysNoSuchThing } from './established.ts';

const PATHS = {
  own: '/v1/echo/recordings/rec-seventeen',
  madeUp: '/v1/echo/recordings/7d0d4a52-5f2c-4b1e-9c1d-0e6f8a3b2c4d',
  sibling: '/v1/echo/0f8fad5b-d9cb-469f-a165-70867728950e/7c9e6679-7425-40de-944b-e07fc1f90ae7',
  below: '/v1/echo/recordings/rec-seventeen/3f2504e0-4f89-41d3-9a0c-0305e82c3301',
};
type Route = keyof typeof PATHS;
type Say = (path: string, route: Route) => { status?: number; type?: string; body: string };

/** Whether a target that answers the four paths in this way says that there is no such recording. */
function judge(say: Say): boolean {
  const answer = (route: Route): Answer => {
    const { status = 404, type = 'application/json', body } = say(PATHS[route], route);
    const url = `https://host.test/api${PATHS[route]}`;
    return answerOf(body, { status, headers: { 'content-type': type }, request: { method: 'PATCH', url } });
  };
  return saysNoSuchThing(answer('own'), answer('madeUp'), [answer('sibling'), answer('below')]);
}

const isRecording = (route: Route): boolean => route === 'own' || route === 'madeUp';
/** Says the one of recordings, and the other one of the paths around them. */
const differing =
  (ofRecordings: string, ofPaths: string): Say =>
  (_, route) => ({ body: isRecording(route) ? ofRecordings : ofPaths });
const trace = (): string => `req-7${Math.random().toString(36).slice(2)}`;

test.each<[isThereNone: boolean, said: string, Say]>([
  [true, 'in its words', differing('{"detail":"No such recording"}', '{"detail":"Not Found"}')],
  [true, 'with the id', (path, route) => ({ body: isRecording(route) ? `{"no":"${path.split('/').at(-1)}"}` : '{}' })],
  [true, 'next to a trace', (_, at) => ({ body: JSON.stringify({ code: `of ${isRecording(at)}`, trace: trace() }) })],
  [true, 'in its media type', (_, at) => ({ type: isRecording(at) ? 'application/json' : 'text/html', body: '{}' })],
  [true, 'in its status', (_, route) => ({ status: isRecording(route) ? 404 : 403, body: '{}' })],
  [false, 'the same for every path', () => ({ body: '{"error":{"code":"not_found"}}' })],
  [false, 'nothing at all', () => ({ body: '', type: '' })],
  [
    false,
    'with the path and a time',
    (path) => ({ body: JSON.stringify({ path, timestamp: '2026-01-01T00:00:00Z' }) }),
  ],
  [false, 'with a trace', () => ({ body: JSON.stringify({ code: 'no_route', trace: trace() }) })],
  [false, 'a page with a trace', () => ({ body: `<p>${trace()}</p>`, type: 'text/html' })],
  [
    false,
    'by a gateway next to it, by the service below it',
    (_, route) => ({ body: route === 'sibling' ? '{"gateway":"?"}' : '{"detail":"Not Found"}' }),
  ],
  [
    false,
    'another refusal of an id that is made up',
    (_, route) => ({ status: route === 'madeUp' ? 422 : 404, body: route === 'own' ? '{"detail":"gone"}' : '{}' }),
  ],
])('that there is no such recording, %s, is what is said %s', (isThereNone, _, say) =>
  expect(judge(say)).toBe(isThereNone),
);
