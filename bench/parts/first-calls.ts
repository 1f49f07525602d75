import { type BenchRequest, requests } from '../operations.ts';
import type { Part } from '../part.ts';
import { send, signedRequests, startMock } from '../servers.ts';

/** What somebody does right after the start; each of them the first of its kind in its process. */
export const firstCalls: Readonly<Record<string, BenchRequest>> = {
  'first control call': { method: 'GET', path: '/_mock/info' },
  'first gap switch': {
    method: 'PUT',
    path: '/_mock/profile',
    body: JSON.stringify({ profile: { answers: { 'error-body': 'problem' } } }),
  },
  'first sandbox': { ...requests.update, path: `/~first${requests.update.path}` },
};

/**
 * Milliseconds of each first call, in a process of its own, right after its first response; `command` is another build's.
 * @param headers credentials; they stay valid after a restart with the same seed
 * @throws Error if it is refused: a refusal says nothing about its speed
 */
export async function timeFirstCalls(
  headers: Readonly<Record<string, string>>,
  command?: string,
): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const [name, request] of Object.entries(firstCalls)) {
    const server = await startMock([], command);
    const from = performance.now();
    const answer = await send(server.baseUrl, request, headers);
    const text = await answer.text();
    times[name] = performance.now() - from;
    await server.stop();
    if (!answer.ok)
      throw new Error(`${name}: ${request.method} ${request.path} was answered ${answer.status}: ${text}`);
  }
  return times;
}

export const firstCallsPart: Part = {
  name: 'first calls',
  async measure({ starts }) {
    const server = await startMock();
    const headers = await signedRequests(server);
    await server.stop();
    const rounds: Record<string, number>[] = [];
    for (let round = 0; round < starts; round += 1) rounds.push(await timeFirstCalls(headers));
    const goals = Object.keys(firstCalls).map((name) => ({
      name,
      samples: rounds.map((times) => times[name] ?? Number.NaN),
      unit: 'ms',
      atMost: 50,
    }));
    return { goals, text: [], figures: rounds };
  },
};
