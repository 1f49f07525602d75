import { describe, expect, test } from 'vitest';
import { ODD_OBJECT } from '../../../contract-tests/testing/odd-json.ts';
import { field, inTurn, TestMock } from '../../testing/client.ts';
import { reasonsOf } from '../../testing/refused.ts';
import type { RouteDefinition, RouteModule } from './route.ts';

async function mockWith(routes: readonly RouteDefinition[], tables: RouteModule['tables'] = {}) {
  const logged: string[] = [];
  const log = (_level: string, message: string) => void logged.push(message);
  const made = await TestMock.withoutPort({ routes: [{ routes, tables }], log });
  const { data } = await made.mock.control.POST('/tokens', { body: { user: 'usr_ada' } });
  const latest = async () => (await made.mock.control.GET('/journal')).data.entries[0];
  return { mock: made.mock, send: made.call.bind(made), latest, logged, token: data.token };
}

const problemsOf = (routes: readonly unknown[]) => reasonsOf(() => mockWith(routes as RouteDefinition[]));

describe('templates', () => {
  test.each([
    ['{{ params.id }}', '7'],
    ['{{ query.page }}', '2'],
    ['{{ headers.x-from }}', 'here'],
    ['{{ body.items[1].name }}', 'b'],
    ['{{ body.items }}', [{ name: 'a' }, { name: 'b' }]],
    ['{{ recordings.rec_kickoff.status }}', 'completed'],
    ['{{ recordings.size }}', 24],
    ['{{ users | map: "username" | first }}', 'ada'],
    ['{{ tables.notes.n1.text }}', 'first'],
    ['{% for note in tables.notes %}<{{ note.text }}>{% endfor %}', '<first><>'],
    ['{{ tables.notes | size }}', 2],
    ['{{ tables.notes.first.text }} {{ tables.notes.last.id }}', 'first n2'],
    ['{{ tables.notes[1].id }}', 'n2'],
    ['{{ served }}', 0],
    ['{{ nothing.of.that }} is not served', undefined],
    ['{{ body.missing }}', null],
    ['{{ body.odd.toString.a }}', 1],
    ['{{ body.odd.valueOf.constructor }}', null],
    ['{{ body.odd | append: "!" }}', expect.stringMatching(/"valueOf":.*!$/)],
    ['{{ body.odd | plus: 1 }}', 1],
    ['{{ body.items | sort: "toString" | size }}', 2],
    ['{{ tables.constructor | sort: "id" | map: "toString" | join }}', '{"a":1}'],
    ['{{ query }}.', '{"page":"2"}.'],
    ['{{ users.usr_ada.password }}', null],
    ['id {{ params.id }} of {{ method }} {{ path }}', 'id 7 of POST /v1/things/7'],
  ])('%j', async (template, expected) => {
    const route = { method: 'POST', path: '/v1/things/{id}', body: { value: template } } as const;
    if (expected === undefined) {
      expect(await problemsOf([route])).toEqual([
        expect.stringContaining('nothing is unknown in a template; allowed: method'),
      ]);
      return;
    }
    const { send } = await mockWith([route], {
      notes: [{ id: 'n1', text: 'first' }, { id: 'n2' }],
      constructor: [{ ...(ODD_OBJECT as object), id: 'c' }],
    });
    const json = { items: [{ name: 'a' }, { name: 'b' }], odd: ODD_OBJECT };
    const { body } = await send('POST /v1/things/7?page=2', { headers: { 'X-From': 'here' }, json });
    expect(body).toEqual({ value: expected });
  });

  test('times and invented values are those of the world: the same seed gives the same', async () => {
    const routes = [{ path: '/v1/x', body: ['{{ now }}', '{{ faker.person.fullName }}', '{{ id }}'] }];
    const answers = async () => {
      const { mock, send } = await mockWith(routes);
      await mock.control.PATCH('/clock', { body: { frozen: true, at: '2030-01-01T00:00:00Z' } });
      return inTurn(2, async () => (await send('GET /v1/x')).body);
    };
    const [first, second] = await answers();
    expect(await answers()).toEqual([first, second]);
    expect(first).toEqual(['2030-01-01T00:00:00.000Z', expect.stringMatching(/\w+ \w+/), expect.any(String)]);
    expect(second).not.toEqual(first);
  });

  const many = (size: number) => `{% assign many = (1..${size}) %}{% for a in many %}`;
  test.each([
    ['an empty loop', '{% for a in (1..3000) %}{% for b in (1..3000) %}{% endfor %}{% endfor %}'],
    ['a filter that asks of each element', `${many(400_000)}{{ many | find_exp: 'x', 'many contains 0' }}{% endfor %}`],
    ['a filter that reads each element', `${many(30_000)}{{ many | sum }}{% endfor %}`],
    ['what it writes', `{% for a in (1..5000) %}${'text '.repeat(3000)}{% endfor %}`],
    ['records', '{% for a in (1..300000) %}{% for b in recordings limit: 1 %}{% endfor %}{% endfor %}'],
  ])('are stopped by their limits: %s', async (_what, body) => {
    const { send, latest } = await mockWith([{ path: '/v1/x', body }]);
    expect((await send('GET /v1/x')).status).toBe(500);
    expect((await latest())?.trace.error?.message).toMatch(/limit exceeded|write more than/);
  });

  test('read no files, and run no code', async () => {
    expect(await problemsOf([{ path: '/v1/x', body: "{% include 'package.json' %}" }])).toEqual([
      expect.stringMatching(/not a template: tag "include" not found/),
    ]);
    const body = '{{ body.constructor.constructor }}{{ recordings.constructor }}';
    const { send, logged } = await mockWith([{ path: '/v1/x', body }]);
    expect((await send('GET /v1/x')).body).not.toContain('function');
    expect(logged.join()).not.toContain('BUG');
  });
});

test('a record that does not exist is answered with 404, in the shape of the profile', async () => {
  const { send, mock } = await mockWith([
    { path: '/v1/recordings/{id}', body: '{{ recordings[params.id] }}' },
    { path: '/v1/named/{id}', body: "{{- recordings | where: 'id', params.id | first }}" },
    { path: '/v1/part', body: { of: '{{ recordings.rec_none }}' } },
  ]);
  await mock.control.PATCH('/profile', { body: { answers: { 'error-body': 'detail' } } });
  expect(await send('GET /v1/recordings/rec_kickoff')).toMatchObject({ status: 200, body: { id: 'rec_kickoff' } });
  for (const path of ['/v1/recordings/rec_none', '/v1/named/rec_none'])
    expect(await send(`GET ${path}`)).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
  expect(await send('GET /v1/part')).toMatchObject({ status: 200, body: { of: null } });
});

test('a form is read, by conditions and by templates', async () => {
  const path = '/v1/form';
  const routes = [
    { method: 'POST', path, when: { body: { a: '1' } }, body: '{{ body.b | join }}{{ body.__proto__ }}' },
  ];
  const { send } = await mockWith(routes as RouteDefinition[]);
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
  const answer = await send(`POST ${path}`, { headers, raw: 'a=1&b=x+y&b=%C3%A4&__proto__=p' });
  expect(answer).toMatchObject({ status: 200, body: 'x y äp' });
});

describe('conditions', () => {
  const when = {
    query: { page: 1, kind: { matches: '^(a+)+$' } },
    headers: { 'X-Tenant': { contains: 'ten_' }, 'x-debug': { absent: true } },
    body: { 'user.name': 'ada', items: { equals: [1, 2] } },
  } as const;
  const good = { headers: { 'x-tenant': 'ten_1' }, json: { user: { name: 'ada' }, items: [1, 2] } };

  const long = `${'a'.repeat(60)}b`;
  const debugging = { 'x-tenant': 'ten_1', 'x-debug': '1' };
  const noName = 'body user.name must be "ada", and is absent';
  const incomplete = { user: {}, items: [1] };

  test.each([
    ['page=1&kind=aa', good, ''],
    ['page=2&kind=aa', good, 'query page must be 1, and is "2"'],
    [`page=1&kind=${long}`, good, `query kind must match ^(a+)+$, and is "${long}"`],
    ['page=1&kind=a', { ...good, headers: {} }, 'header X-Tenant must contain "ten_", and is absent'],
    ['page=1&kind=a', { ...good, headers: debugging }, 'header x-debug must be absent, and is "1"'],
    ['page=1&kind=a', { ...good, json: incomplete }, `${noName}; body items must be [1,2], and is [1]`],
  ])('%s with %j: %s', async (query, sent, difference) => {
    const { send, latest } = await mockWith([{ method: 'POST', path: '/v1/x', when, body: 'yes' }]);
    const answer = await send(`POST /v1/x?${query}`, sent);
    if (difference === '') {
      expect(answer).toMatchObject({ status: 200, body: 'yes', basis: 'yours' });
      return;
    }
    const message = `There is no resource at /v1/x. The nearest of your routes is POST /v1/x (routes[0].routes[0]): ${difference}.`;
    expect(answer).toMatchObject({ status: 404, body: { error: { message } } });
    expect((await latest())?.trace.error).toEqual({ kind: 'unknown-path', message });
  });

  test.each([
    // One value of several, or exactly these.
    ['/v1/x?id=1&id=2', 'all'],
    ['/v1/x?id=2&id=1', 'one'],
    ['/v1/x?id=2', 'one'],
    ['/v1/x', 'any'],
    ['/v1/y', 'template'],
    ['/v1/a.b/a%2Fb/c/2', 'a/b 2'],
  ])('the first route that fits answers: %s', async (path, body) => {
    const { send } = await mockWith([
      { path: '/v1/x', when: { query: { id: { equals: [1, '2'] } } }, body: 'all' },
      { path: '/v1/x', when: { query: { id: 2 } }, body: 'one' },
      { path: '/v1/x', body: 'any' },
      { path: '/v1/{any}', body: 'template' },
      { path: '/v1/a.b/{first}/c/{second}', body: '{{ params.first }} {{ params.second }}' },
    ]);
    expect((await send(`GET ${path}`)).body).toBe(body);
    for (const near of ['/v1/y/', '/V1/y', '/v1/aXb/1/c/2']) expect((await send(`GET ${near}`)).status).toBe(404);
  });
});

test('a request that is almost one: path and method; a path of the API has the methods of both', async () => {
  const { send } = await mockWith([
    { path: '/v1/uploads/{id}', body: {} },
    { path: '/v1/echo/recordings/{id}', body: '{{ recordings[params.id] }}' },
  ]);
  expect(JSON.stringify((await send('GET /v1/upload/7')).body)).toContain(
    'The nearest of your routes is GET /v1/uploads/{id} (routes[0].routes[0]): the path is /v1/upload/7.',
  );
  const other = await send('DELETE /v1/uploads/7');
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect(JSON.stringify(other.body)).toContain('the method must be GET, and is DELETE');
  expect(JSON.stringify((await send('GET /nothing/like/it')).body)).not.toContain('nearest');
  const head = await send('HEAD /v1/uploads/7');
  expect([head.status, head.basis, head.body]).toEqual([200, 'yours', '']);
  const { status, headers } = await send('DELETE /v1/echo/recordings/rec_kickoff');
  expect([status, headers.get('allow')]).toEqual([405, 'PATCH, GET, HEAD, OPTIONS']);
  expect((await send('GET /v1/echo/recordings/rec_kickoff')).body).toMatchObject({ id: 'rec_kickoff' });
});

describe('answers', () => {
  test('a sequence: the last one stays, or it begins again', async () => {
    const answers = [{ status: 503, headers: { 'Retry-After': '{{ served }}' } }, { body: 'a' }, { body: 'b' }];
    const { send } = await mockWith([
      { path: '/v1/stays', answers },
      { path: '/v1/again', answers, after: 'first' },
    ]);
    const seen = async (path: string) => (await inTurn(5, async () => (await send(`GET ${path}`)).body)).join();
    expect(await seen('/v1/stays')).toBe(',a,b,b,b');
    expect(await seen('/v1/again')).toBe(',a,b,,a');
  });

  const problem = { 'Content-Type': 'application/problem+json' };
  test.each([
    [{}, 204, null, ''],
    [{ status: 204, body: { a: 1 } }, 204, null, ''],
    [{ body: 'plain' }, 200, 'text/plain; charset=utf-8', 'plain'],
    [{ headers: { 'content-type': 'text/html' }, body: '<p>' }, 200, 'text/html; charset=utf-8', '<p>'],
    [{ headers: problem, body: '{"a":{{ query.n }}}' }, 200, 'application/problem+json; charset=utf-8', { a: 5 }],
    [{ body: 1, delay: 120 }, 200, 'application/json; charset=utf-8', 1],
  ])('%j: status, type and delay', async (route, status, type, body) => {
    const { send } = await mockWith([{ path: '/v1/x', ...route }]);
    const started = performance.now();
    const seen = await send('GET /v1/x?n=5');
    expect([seen.status, seen.headers.get('content-type'), seen.body]).toEqual([status, type, body]);
    if ('delay' in route) expect(performance.now() - started).toBeGreaterThan(100);
  });

  test('an answer that its route changes later stays as sent in the journal', async () => {
    const held = { headers: { 'X-Version': '1' }, body: { list: ['sent'] } };
    const { send, latest } = await mockWith([{ path: '/v1/x', answer: () => held }]);
    await send('GET /v1/x');
    held.headers['X-Version'] = '2';
    held.body.list.push('later');
    const { response } = (await latest()) ?? {};
    expect(response?.body?.text).toBe('{"list":["sent"]}');
    expect(response?.headers).toContainEqual({ name: 'x-version', value: '1' });
  });

  test('a header that cannot be sent is a failure of the route, told in the journal', async () => {
    const { send, latest } = await mockWith([{ path: '/v1/x', headers: { 'X-Echo': '{{ query.v }}' }, body: {} }]);
    expect((await send('GET /v1/x?v=a%0D%0AX-Evil:1')).status).toBe(500);
    expect((await latest())?.trace.error?.message).toContain('the header X-Echo cannot hold');
    expect((await send('GET /v1/x?v=ok')).headers.get('x-echo')).toBe('ok');
  });
});

describe('credentials', () => {
  const routes = [
    { path: '/v1/mine', auth: 'required', body: '{{ caller.username }}' },
    { path: '/v1/theirs', auth: 'administrator', body: 'secret' },
  ] as const;

  test('of the mock itself, where a route asks for them', async () => {
    const { mock, send, token, latest } = await mockWith(routes);
    for (const wrong of [undefined, 'nonsense'])
      expect((await send('GET /v1/mine', { token: wrong })).status).toBe(401);
    expect(await send('GET /v1/mine', { token })).toMatchObject({ status: 200, body: 'ada' });
    const authentication = { outcome: 'authenticated', user: 'usr_ada' };
    expect((await latest())?.trace).toMatchObject({ route: 'routes[0].routes[0]', authentication });
    for (const [user, status] of Object.entries({ usr_charles: 403, usr_ada: 200 })) {
      const { data } = await mock.control.POST('/tokens', { body: { user } });
      expect((await send('GET /v1/theirs', { token: data.token })).status).toBe(status);
    }
    await mock.control.PATCH('/clock', { body: { seconds: 86_400 } });
    expect((await send('GET /v1/mine', { token })).status).toBe(401);
  });

  test('a fault of tokens and one of the wire apply to them', async () => {
    const { send } = await mockWith(routes);
    const under = (fault: string) => send('GET /v1/mine', { token: 'nonsense', headers: { 'X-Mock-Fault': fault } });
    expect(await under('any-token-accepted')).toMatchObject({ status: 200, basis: 'yours' });
    expect((await under('maintenance')).status).toBe(503);
  });
});

type Answering = Extract<RouteDefinition, { answer: unknown }>['answer'];

describe('functions', () => {
  test('read and write tables of the API and tables of their own', async () => {
    const create: Answering = ({ request, world, caller }) => {
      const { title } = request.body as { title: string };
      const made = world.recordings.create({ title, user_id: caller?.user.id ?? '' });
      world.table('log').create({ id: made.id, at: world.now.toISOString(), dice: world.random() });
      return { status: 201, body: world.recordings.present(made) };
    };
    const remove: Answering = ({ request: { params }, world }) => ({
      status: world.recordings.delete(params.id ?? '') ? 204 : 404,
    });
    const { send, token, latest } = await mockWith([
      { method: 'POST', path: '/v1/echo/recordings', auth: 'required', answer: create },
      { method: 'DELETE', path: '/v1/echo/recordings/{id}', answer: remove },
      { path: '/v1/log', answer: async ({ world }) => ({ body: world.table('log').all() }) },
    ]);
    const made = await send('POST /v1/echo/recordings', { token, json: { title: 'Made' } });
    expect(made).toMatchObject({ status: 201, body: { title: 'Made', user_id: 'usr_ada', status: 'pending' } });
    const id = field(made.body, 'id');
    expect((await latest())?.trace.changes).toEqual([
      { resource: 'recordings', id, change: 'created' },
      { resource: 'log', id, change: 'created' },
    ]);
    const update = `PATCH /v1/echo/recordings/${id}`;
    expect((await send(update, { token, json: { title: 'Ours' } })).basis).toBe('documented');
    expect((await send('GET /v1/log')).body).toHaveLength(1);
    expect((await send(`DELETE /v1/echo/recordings/${id}`)).status).toBe(204);
    expect((await send(update, { token, json: { title: 'Gone' } })).status).toBe(404);
  });

  const throwing = (what: unknown) => (): never => {
    throw what;
  };
  const returning = (what: unknown) => () => what as object;
  const listHeader = returning({ headers: { 'X-A': ['1', '2'] } });
  const badRecord: Answering = ({ world: { recordings } }) => ({
    body: recordings.update('rec_kickoff', { title: 7 as never }),
  });
  const writing: Answering = ({ world: { recordings } }) => ({
    body: Object.assign(recordings.get('rec_kickoff') ?? {}, { title: 'x' }),
  });
  test.each([
    ['throws', throwing(new Error('the secret reason')), 'Error: the secret reason\n    at '],
    ['rejects', async () => Promise.reject(new Error('later')), 'Error: later'],
    ['throws a text', throwing('only a text'), 'only a text'],
    ['answers what cannot be sent', () => ({ status: 99 }), 'status must be a whole number from 200 to 599, and is 99'],
    ['answers a bare body', returning({ id: 1 }), 'has status, headers, body, delay only, and this is {"id":1}'],
    ['answers a Response', returning(new Response('x')), 'has status, headers, body, delay only'],
    ['answers a bare text', returning('text'), 'and this is "text"'],
    ['answers what is no JSON', returning({ body: 1n }), 'BigInt'],
    ['answers bytes', returning({ body: new Uint8Array(2) }), 'a body is JSON or a text, and this one is bytes'],
    ['answers a list as a header', listHeader, 'the header X-A must be a text, and is ["1","2"]'],
    ['writes what the API could not return', badRecord, 'Recording rec_kickoff: title: must be string'],
    ['writes into a record', writing, 'TypeError: Cannot assign to read only property'],
  ] satisfies [string, Answering, string][])('one that %s: 500, journalled with why', async (_what, answer, reason) => {
    const { send, latest, logged, mock } = await mockWith([{ path: '/v1/x', answer }]);
    const seen = await send('GET /v1/x');
    expect(seen).toMatchObject({ status: 500, basis: 'yours' });
    expect(seen.text).toContain('A route of the mock failed; its journal says why.');
    const { kind, message } = (await latest())?.trace.error ?? {};
    expect([kind, message]).toEqual(['internal', expect.stringContaining('your route routes[0].routes[0] failed: ')]);
    for (const told of [message, logged.join()]) expect(told).toContain(reason);
    expect(mock.world.ownViolations).toBe(0);
    expect((await send('GET /v1/api-tokens/scopes')).status).toBe(401);
  });

  test('one that answers nothing leaves the request to the API, and does not count that as an answer', async () => {
    const answer: Answering = ({ request }) => (request.query.mine ? { body: 'mine' } : undefined);
    const { send, token } = await mockWith([
      { method: 'PATCH', path: '/v1/echo/recordings/{id}', override: true, answer },
      { path: '/v1/x', times: 1, answer },
    ]);
    const update = (query: string) =>
      send(`PATCH /v1/echo/recordings/rec_kickoff${query}`, { token, json: { title: 'x' } });
    expect(await update('?mine=1')).toMatchObject({ basis: 'yours', body: 'mine' });
    expect(await update('')).toMatchObject({ basis: 'documented', body: { id: 'rec_kickoff', title: 'x' } });
    const message = expect.stringContaining('it left this request');
    expect(await send('GET /v1/x')).toMatchObject({ status: 404, body: { error: { message } } });
    expect((await send('GET /v1/x?mine=1')).body).toBe('mine');
    expect((await send('GET /v1/x?mine=1')).status).toBe(404);
  });
});

describe('a documented operation', () => {
  const path = '/v1/api-tokens/scopes';
  const when = { query: { z: 1 } };

  test('an upload may be larger than what the API takes', async () => {
    const update = { method: 'PATCH', path: '/v1/echo/recordings/{id}', override: true, body: {} } as const;
    const upload = { method: 'POST', path: '/v1/uploads', body: '{{ body.size }}' } as const;
    const { send } = await mockWith([upload, update]);
    const json = 'x'.repeat(2_000_000);
    expect(await send('POST /v1/uploads', { json })).toMatchObject({ status: 200, body: 2_000_000 });
    expect((await send('PATCH /v1/echo/recordings/rec_kickoff', { json })).status).toBe(413);
  });

  test.each([
    [[{ path, body: {} }], ['is documented (listTokenScopes), which answers; override: true answers in its place']],
    [[{ method: 'PATCH', path: '/v1/echo/recordings/{x}' }], ['recordings/{x} is documented (updateRecording)']],
    [[{ method: 'PATCH', path: '/v1/echo/recordings/rec_kickoff' }], ['is documented (updateRecording)']],
    [[{ path: '/{x}' }, { path: '/{y}', when }], ['GET /{y} never answers: routes[0].routes[0] does']],
    [[{ path: '/a' }, { path: '/a', override: true }], []],
    [[{ path: '/a', times: 1 }, { path: '/a' }], []],
  ])('a route that would never answer is refused at startup: %j', async (routes, expected) => {
    expect(await problemsOf(routes)).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  test('a route that covers some of them leaves them to the API', async () => {
    const { send, token } = await mockWith([{ path: '/v1/{a}/{b}', body: 'any' }]);
    expect((await send(`GET ${path}`, { token })).basis).not.toBe('yours');
    expect((await send('GET /v1/other/thing')).body).toBe('any');
  });
});
