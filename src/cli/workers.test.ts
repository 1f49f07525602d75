// `serve --workers`: processes as users run them.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownerOf } from '../server/workers/owner.ts';
import { TestMock } from '../testing/client.ts';
import { runCommand, runHere, startServer } from '../testing/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'workers-'));
const routes = join(folder, 'routes.mjs');
writeFileSync(
  routes,
  `export default { routes: [
    { path: '/v1/pid', answer: () => ({ body: process.pid }) },
    { path: '/v1/die', answer: () => process.kill(process.pid, 'SIGKILL') },
  ] };`,
);

let made = 0;
/** A new name of a sandbox that worker 0 or 1 of 2 holds. */
function nameAt(worker: number): string {
  for (;;) {
    made += 1;
    if (ownerOf(`box-${made}`, 2) === worker) return `box-${made}`;
  }
}

type Server = Awaited<ReturnType<typeof startServer>>;
let server: Server;
beforeAll(async () => {
  server = await startServer(['serve', '--workers', '2', '--routes', routes]);
});
afterAll(async () => {
  await server.end();
});

interface Sent {
  readonly agent?: Agent | TlsAgent;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly to?: Server;
}

function send(line: string, { agent, json, headers = {}, to = server }: Sent = {}): Promise<IncomingMessage> {
  const [method = '', path = ''] = line.split(' ');
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const begin = to.baseUrl.startsWith('https:') ? tlsRequest : request;
    const sent = begin(to.baseUrl + path, { method, headers: { ...type, ...headers }, ...(agent && { agent }) });
    sent.once('response', resolve).once('error', reject);
    // Written first, so that the body is chunked.
    if (json !== undefined) sent.write(JSON.stringify(json));
    sent.end();
  });
}

async function call(line: string, sent?: Sent) {
  const response = await send(line, sent);
  const body = await text(response);
  return { status: response.statusCode, headers: response.headers, body: body === '' ? undefined : JSON.parse(body) };
}

const listed = async (sent?: Sent): Promise<string[]> =>
  (await call('GET /_mock/sandboxes', sent)).body.sandboxes.map(({ name }: { name: string }) => name);

describe('routing', () => {
  test('each world has its process; one connection may go to all of them', async () => {
    const [here, there] = [nameAt(0), nameAt(1)];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const first of ['', `/~${here}`, `/~${there}`]) {
      await call(`GET ${first}/_mock/info`, { agent });
      const pids = await Promise.all(
        ['', `/~${here}`, `/~${there}`].map(async (world) => (await call(`GET ${world}/v1/pid`, { agent })).body),
      );
      expect(pids[0]).toBe(pids[1]);
      expect(pids[2]).not.toBe(pids[0]);
      expect(pids).not.toContain(server.child.pid);
      agent.destroy();
    }
  });

  test('a request that is passed on arrives as it was sent, with its body, and counts as its client', async () => {
    const [here, there] = [nameAt(0), nameAt(1)];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await call(`GET /~${here}/_mock/info`, { agent });
    const headers = { 'X-Some-Header': 'As Sent', 'X-Platform-Mock-Client': '203.0.113.7 http 0' };
    const sso = { oid: 'o', tid: 't', upn: 'someone@example.test' };
    const passed = await call(`POST /~${there}/v1/auth/sso`, { agent, json: sso, headers });
    const direct = await call(`POST /~${nameAt(1)}/v1/auth/sso`, { json: sso, headers });
    expect(passed.status).toBe(direct.status);
    const names = ({ headers }: typeof passed) => Object.keys(headers).filter((name) => name !== 'date');
    expect(names(passed).toSorted()).toEqual(names(direct).toSorted());
    const { entries } = (await call(`GET /~${there}/_mock/journal`)).body;
    const { body: entry } = await call(`GET /~${there}/_mock/journal/${entries[0].id}`);
    const sentHeaders = JSON.stringify(entry.request.headers);
    expect(sentHeaders).toContain('As Sent');
    expect(sentHeaders.match(/platform-mock-client/gi)).toHaveLength(1);
    expect(entry.request.body.text).toBe(JSON.stringify(sso));
    agent.destroy();
  });

  test('no byte of a body is lost between the processes, whenever it comes', async () => {
    const port = Number(new URL(server.baseUrl).port);
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const body = JSON.stringify({ upn: 'x'.repeat(at * 500) });
        const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
        const head = `POST /~${nameAt(at % 2)}/v1/auth/sso HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
        const cut = at % 10;
        for (const piece of [head.slice(0, cut), head.slice(cut), body.slice(0, 7), body.slice(7)]) {
          if (piece !== '') await new Promise((written) => socket.write(piece, written));
          await new Promise((next) => setImmediate(next));
        }
        return text(socket);
      }),
    );
    // Whole, so that what is missing is a claim.
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 4\d\d .*\boid\b/s);
  });

  test('the same seed gives the same ids as one process does', async () => {
    await using single = await TestMock.start({});
    const sso = { oid: 'new', tid: '7c1f0a52-3b64-4e0c-9d51-0f6a3c2b8e10', upn: 'new@analytical.example' };
    const { body } = await single.call('POST /v1/auth/sso', { json: sso });
    for (const name of [nameAt(0), nameAt(1)])
      expect((await call(`POST /~${name}/v1/auth/sso`, { json: sso })).body.user).toEqual(
        (body as { user: object }).user,
      );
  });

  test.each(['hello\r\n\r\n', '\u0016\u0003\u0001'])('what is not HTTP is refused: %j', async (bytes) => {
    const socket = connect({ port: Number(new URL(server.baseUrl).port), host: '127.0.0.1' });
    socket.end(bytes, 'latin1');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('events of a journal come through another process, until the client leaves', async () => {
    const [here, there] = [nameAt(0), nameAt(1)];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await call(`GET /~${here}/_mock/info`, { agent });
    const events = await send(`GET /~${there}/_mock/journal/events`, { agent });
    let seen = '';
    events.setEncoding('utf8').on('data', (part: string) => {
      seen += part;
    });
    await call(`GET /~${there}/v1/api-tokens/scopes`);
    await expect.poll(() => seen).toContain('/v1/api-tokens/scopes');
    events.destroy();
    expect(server.output()).not.toContain('BUG');
  });
});

describe('the control plane', () => {
  test('a fork of a world of another process has its state', async () => {
    const token = (await call('POST /_mock/tokens', { json: { user: 'usr_ada' } })).body.token;
    await call('PUT /_mock/snapshots/before', {});
    const headers = { Authorization: `Bearer ${token}` };
    await call('PATCH /v1/echo/recordings/rec_kickoff', { json: { title: 'of the main world' }, headers });
    const [there, here] = [nameAt(1), nameAt(0)];
    const titleIn = async (name: string) => (await call(`GET /~${name}/_mock/state/recordings/rec_kickoff`)).body.title;

    await call(`PUT /_mock/sandboxes/${there}`, { json: { from: { sandbox: 'main' } } });
    expect(await titleIn(there)).toBe('of the main world');
    await call(`PATCH /~${there}/v1/echo/recordings/rec_kickoff`, { json: { title: 'of there' }, headers });
    await call(`PUT /~${there}/_mock/sandboxes/${here}`, { json: { from: { sandbox: there } } });
    expect(await titleIn(here)).toBe('of there');
    // Of the world that is called: below the prefix of a sandbox of the other process, and of the main one.
    await call(`PUT /~${there}/_mock/snapshots/mine`);
    const [fork, another] = [nameAt(0), nameAt(1)];
    await call(`PUT /~${there}/_mock/sandboxes/${fork}`, { json: { from: { snapshot: 'mine' } } });
    expect(await titleIn(fork)).toBe('of there');
    await call(`PUT /_mock/sandboxes/${another}`, { json: { from: { snapshot: 'before' } } });
    expect(await titleIn(another)).not.toBe('of the main world');

    const none = await call(`PUT /_mock/sandboxes/${nameAt(1)}`, { json: { from: { sandbox: 'box-none' } } });
    expect([none.status, none.body.error.message]).toEqual([404, expect.stringContaining('no sandbox box-none')]);
    const bad = await call(`PUT /_mock/sandboxes/${nameAt(1)}`, { json: { from: { snapshot: 'unknown' } } });
    expect([bad.status, bad.body.error.message]).toEqual([404, expect.stringContaining('no snapshot unknown')]);
  });

  test('sandboxes are shown, made and deleted in their process, whoever is asked', async () => {
    const [here, there] = [nameAt(0), nameAt(1)];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const name of [there, here]) {
      expect((await call(`GET /~${here}/_mock/sandboxes/${there}x`, { agent })).status).toBe(404);
      const { body } = await call(`PUT /_mock/sandboxes/${name}`, { agent, json: { seed: 5 } });
      expect(body).toMatchObject({ name, seed: 5, baseUrl: `${server.baseUrl}/~${name}` });
    }
    expect((await listed()).filter((name) => name === here || name === there)).toEqual([there, here]);
    expect((await call(`GET /~${here}/_mock/sandboxes/${there}`)).body.seed).toBe(5);
    expect((await call(`DELETE /_mock/sandboxes/${there}`, { agent })).status).toBe(204);
    expect(await listed()).not.toContain(there);
    agent.destroy();
  });

  test('new sandboxes start from what the main world starts from, in all processes, at once', async () => {
    await using own = await started(['--workers', '3']);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    await call('GET /~before/_mock/info', { to: own });
    await call('POST /_mock/seed', { to: own, json: { seed: 7, recordings: 12 } });
    for (const name of names) {
      const { body } = await call(`GET /~${name}/_mock/info`, { to: own });
      expect([body.seed, body.counts.recordings, body.sandboxes]).toEqual([7, 12, names.indexOf(name) + 2]);
    }
    expect((await call('GET /~before/_mock/info', { to: own })).body.seed).toBe(1);
    expect(new Set(names.map((name) => ownerOf(name, 3))).size).toBe(3);
    await call('DELETE /_mock/sandboxes', { to: own });
    expect((await call('GET /_mock/info', { to: own })).body.sandboxes).toBe(0);
  });

  test('the limit counts the sandboxes of all processes', async () => {
    await using own = await started(['--workers', '2', '--sandboxes', '2']);
    const [first, second, third] = [nameAt(0), nameAt(1), nameAt(1)];
    for (const name of [first, second])
      expect((await call(`PUT /~${name}/_mock/snapshots/used`, { to: own })).status).toBe(200);
    expect((await call(`GET /~${third}/_mock/info`, { to: own })).body.error.message).toContain(
      'are 2 sandboxes already',
    );
    await call(`DELETE /_mock/sandboxes/${first}`, { to: own });
    expect((await call(`GET /~${third}/_mock/info`, { to: own })).status).toBe(200);
    expect(await listed({ to: own })).toEqual([second, third]);
  });
});

/** A server of a test of its own. */
async function started(args: readonly string[]): Promise<Server & AsyncDisposable> {
  const own = await startServer(['serve', ...args]);
  return { ...own, [Symbol.asyncDispose]: async () => void (await own.end()) };
}

describe.concurrent('the processes', () => {
  test('a worker that crashes is told and started anew; again at once, all end', async ({ expect }) => {
    await using own = await started(['--workers', '2', '--routes', routes]);
    const [here, there] = [nameAt(0), nameAt(1)];
    for (const name of [here, there]) await call(`PUT /~${name}/_mock/snapshots/mine`, { to: own });
    const crash = () => call(`GET /~${there}/v1/die`, { to: own });
    await expect(crash()).rejects.toThrow(/hang up|ECONNRESET/);
    await expect
      .poll(own.output)
      .toMatch(
        new RegExp(
          `ERROR: worker 1 of 2 ended unexpectedly \\(SIGKILL\\); lost with all that was in them: /~${there}; starting it anew\n`,
        ),
      );
    // Connections wait until it is there.
    expect((await call(`GET /~${there}/_mock/snapshots`, { to: own })).body).toEqual([]);
    expect((await call(`GET /~${here}/_mock/snapshots`, { to: own })).body).toHaveLength(1);
    await expect(crash()).rejects.toThrow(/hang up|ECONNRESET/);
    const { code, stderr } = await own.ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/worker 1 of 2 ended unexpectedly \(SIGKILL\), again, .*; stopping\n/);
  });

  test('when the main world is lost, new sandboxes start as it does', async ({ expect }) => {
    await using own = await started(['--workers', '2', '--routes', routes]);
    await call('POST /_mock/seed', { to: own, json: { seed: 7 } });
    expect((await call(`GET /~${nameAt(1)}/_mock/info`, { to: own })).body.seed).toBe(7);
    await expect(call('GET /v1/die', { to: own })).rejects.toThrow(/hang up|ECONNRESET/);
    await expect.poll(own.output).toContain('lost with all that was in them: the main world; starting it anew');
    expect((await call('GET /_mock/info', { to: own })).body.seed).toBe(1);
    expect((await call(`GET /~${nameAt(1)}/_mock/info`, { to: own })).body.seed).toBe(1);
  });

  test.for(['SIGTERM', 'SIGINT'] as const)(
    '%s lets what is in flight finish, passed on as well',
    async (signal, { expect }) => {
      const own = await startServer(['serve', '--workers', '2']);
      const [here, there] = [nameAt(0), nameAt(1)];
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await call(`GET /~${here}/_mock/info`, { to: own, agent });
      const slow = call(`GET /~${there}/v1/api-tokens/scopes`, { to: own, agent, headers: { Prefer: 'wait=1' } });
      const journal = async () => (await call(`GET /~${there}/_mock/journal`, { to: own })).body.entries.length;
      await expect.poll(journal).toBe(1);
      const ended = own.end(signal);
      expect((await slow).status).toBe(401);
      const { code, stderr } = await ended;
      expect(code).toBe(0);
      // Whole lines, of both.
      expect(
        stderr
          .trimEnd()
          .split('\n')
          .every((line) => /^\d\d:\d\d:\d\d {2}GET /.test(line)),
      ).toBe(true);
    },
  );

  test('they end when the primary does', async ({ expect }) => {
    const own = await startServer(['serve', '--workers', '2', '--routes', routes]);
    const pids: number[] = [];
    for (const name of [nameAt(0), nameAt(1)]) pids.push((await call(`GET /~${name}/v1/pid`, { to: own })).body);
    await own.end('SIGKILL');
    const isAlive = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });
});

test('HTTPS: connections go round, with one certificate, and every world is reached on each', async () => {
  await using own = await started(['--workers', '2', '--tls', 'self-signed']);
  const certificates = new Set<string>();
  for (let connection = 0; connection < 4; connection += 1) {
    const agent = new TlsAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    agent.on('keylog', (_line, socket) => certificates.add(socket.getPeerCertificate().fingerprint256));
    for (const name of [nameAt(0), nameAt(1)]) {
      const { body } = await call(`GET /~${name}/_mock/info`, { to: own, agent });
      expect(body.baseUrl).toBe(`${own.baseUrl}/~${name}`);
    }
    agent.destroy();
  }
  expect([...certificates].filter((one) => one !== undefined)).toHaveLength(1);
});

test('--watch: an edit reaches all processes, and what is wrong is told once', async () => {
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, 'name: mine\nanswers: { validation-status: 400 }\n');
  await using own = await started(['--workers', '2', '--watch', '--profile', profile]);
  const names = [nameAt(0), nameAt(1)];
  const statuses = () =>
    Promise.all(names.map(async (name) => (await call(`POST /~${name}/v1/auth/sso`, { to: own, json: {} })).status));
  expect(await statuses()).toEqual([400, 400]);
  writeFileSync(profile, 'name: mine\nanswers: { validation-status: 422 }\n');
  await expect.poll(own.output).toContain('reloaded');
  expect(await statuses()).toEqual([422, 422]);
  // New ones start from it as well.
  expect((await call(`POST /~${nameAt(1)}/v1/auth/sso`, { to: own, json: {} })).status).toBe(422);
  writeFileSync(profile, 'name: mine\nanswers: { validation-status: 999 }\n');
  await expect.poll(own.output).toContain('stay in force');
  expect(await statuses()).toEqual([422, 422]);
  expect(own.output().match(/999 is not an answer/g)).toHaveLength(1);
});

describe('options', () => {
  test.each([
    [['--state', 'state.json'], '--state needs one process, not --workers 2: a state file keeps the worlds of one'],
    [['--record', 'all.har'], '--record needs one process, not --workers 2: '],
    [['--upstream', 'http://127.0.0.1:1'], '--upstream needs one process, not --workers 2: '],
    [['--workers', '65'], 'expected a whole number from 1 to 64'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await runHere(['serve', '--workers', '2', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test.each([
    [['--port', '0', '--profile', 'nope'], 'no profile nope: neither a file nor a shipped one'],
    [['--host', '203.0.113.1'], '203.0.113.1 is not an address of this machine'],
  ])('%j is told once', async (args, message) => {
    const { code, stderr } = await runCommand(['serve', ...args], { PLATFORM_MOCK_WORKERS: '2' });
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(message)]);
  });

  test('logs in JSON are whole, and greet once', async () => {
    const own = await startServer(['serve', '--workers', '2', '--json-logs']);
    for (const name of [nameAt(0), nameAt(1)]) await call(`GET /~${name}/_mock/info`, { to: own });
    const { stdout } = await own.end();
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ msg }) => msg)).toEqual([`listening on ${own.baseUrl}`, 'request', 'request']);
  });

  test.each(['', `/~${nameAt(1)}`])('the mock conforms at %j', async (world) => {
    const { code, stdout } = await runCommand(['verify', '--base-url', server.baseUrl + world, '--allow-writes']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('conforms (exit 0)')]);
  });
});
