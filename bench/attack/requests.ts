import { send, serveMock } from './served.ts';

/** A request that is made to cost the mock much, and what it may cost. */
interface Costly {
  readonly name: string;
  readonly line: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request is sent so often first; only the last one counts. */
  readonly before?: { readonly line: string; readonly times: number };
  /** It has much to tell, but somebody else is answered meanwhile. */
  readonly isLong?: boolean;
}

const keys = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
const record = '/_mock/state/recordings';
const update = 'PATCH /v1/echo/recordings/rec_kickoff';
const tokenLike = { 'x-a': 'eyJ-'.repeat(3600) };

const costly: readonly Costly[] = [
  { name: '700,000 unknown keys in a record', line: `POST ${record}`, body: keys(700_000) },
  { name: '700,000 unknown gaps', line: 'PATCH /_mock/profile', body: `{"answers":${keys(700_000)}}` },
  { name: 'a key of 9 MB', line: `POST ${record}`, body: `{"${'k'.repeat(9_000_000)}":1}` },
  { name: '100,000 open brackets', line: `POST ${record}`, body: '['.repeat(100_000) },
  { name: 'a title of a million <, tags stripped', line: update, body: `{"title":"${'<'.repeat(1_000_000)}"}` },
  { name: '90,000 unknown fields', line: update, body: keys(90_000) },
  { name: 'Prefer: code= and 15,000 spaces', line: update, headers: { prefer: `code=${' '.repeat(15_000)}a"b` } },
  {
    name: 'a bearer token of 15,000 spaces',
    line: update,
    headers: { authorization: `Bearer ${' '.repeat(15_000)}a b` },
  },
  {
    name: 'a journal of 500 headers like tokens',
    line: 'GET /_mock/journal?limit=500',
    before: { line: 'GET /v1/nowhere', times: 500 },
    isLong: true,
  },
  { name: 'the same as HAR', line: 'GET /_mock/journal/har', isLong: true },
];

/**
 * The milliseconds only end a hang: without its bound, each of them takes minutes. `share`: of the time that a long answer takes,
 * what somebody else may wait for one answer in it.
 */
const most = { milliseconds: 60_000, bytes: 100_000, share: 0.5 };
/** Milliseconds of an answer that is made in a few slices: another request takes as many turns, and its share says nothing. */
const fewSlices = 400;

/**
 * Sends each of them, and asks the mock in between whether it still answers.
 * @returns what went wrong
 */
export async function costlyRequests(say: (text: string) => void): Promise<string[]> {
  const problems: string[] = [];
  const mock = await serveMock('--fault', 'title-tags-stripped');
  const call = (line: string, body?: string, headers: Readonly<Record<string, string>> = {}) => {
    const [method = '', path = ''] = line.split(' ');
    return send(mock.baseUrl + path, method, body, { ...headers });
  };
  const { token } = (await (await call('POST /_mock/tokens', '{"user":"usr_ada"}')).json()) as { token: string };
  for (const { name, line, body, headers, before, isLong } of costly) {
    for (let at = 0; at < (before?.times ?? 0); at += 1) await call(before?.line ?? '', undefined, tokenLike);
    const started = performance.now();
    const authorization = { authorization: `Bearer ${token}` };
    const answered = call(line, body, { ...authorization, ...headers }).then(async (response) => ({
      status: response.status,
      length: (await response.text()).length,
    }));
    const waited = isLong ? await longestWait(mock.baseUrl, answered) : 0;
    const { status, length } = await answered;
    const took = performance.now() - started;
    say(`  ${String(status)} ${took.toFixed(0).padStart(6)} ms ${String(length).padStart(9)} B  ${name}`);
    if (status >= 500) problems.push(`${name}: ${status}`);
    if (took > most.milliseconds) problems.push(`${name}: ${took.toFixed(0)} ms`);
    if (took > fewSlices && waited > most.share * took)
      problems.push(`${name}: somebody else waited ${waited.toFixed(0)} of ${took.toFixed(0)} ms`);
    if (status >= 400 && length > most.bytes) problems.push(`${name}: refused with ${length} bytes`);
  }
  await strangers(mock.baseUrl, problems);
  await mock.stop();
  return problems;
}

/** How long somebody else waits for one answer at most, in milliseconds, until another one begins. */
async function longestWait(baseUrl: string, until: Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false];
  until.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const started = performance.now();
    await (await send(`${baseUrl}/_mock/health/live`, 'GET')).text();
    longest = Math.max(longest, performance.now() - started);
  }
  return longest;
}

/** Pages of other sites, and refused calls, make no sandboxes. */
async function strangers(baseUrl: string, problems: string[]): Promise<void> {
  for (let at = 0; at < 100; at += 1) {
    await send(`${baseUrl}/~page${at}/`, 'GET', undefined, { referer: 'https://evil.example/' });
    await send(`${baseUrl}/~call${at}/_mock/snapshots/none/restore`, 'POST');
  }
  const { sandboxes } = (await (await send(`${baseUrl}/_mock/sandboxes`, 'GET')).json()) as { sandboxes: unknown[] };
  if (sandboxes.length > 0) problems.push(`strangers made ${sandboxes.length} sandboxes`);
}
