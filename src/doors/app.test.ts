import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import express from 'express';
import { createMock } from 'platform-mock';
import supertest from 'supertest';
import { describe, expect, test } from 'vitest';

const mock = await createMock();
const { token } = (await mock.control.POST('/tokens', { body: { user: 'usr_ada' } })).data;

const update = '/v1/echo/recordings/rec_kickoff';

/** Passes a request to an app without a connection, as clients that inject requests do; returns the response as written. */
function inject(app: RequestListener, method: string, url: string, body?: object): Promise<string> {
  const text = body ? JSON.stringify(body) : '';
  const request = new IncomingMessage(new Socket());
  const headers = {
    host: 'localhost',
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  };
  Object.assign(request, { method, url, headers, rawHeaders: Object.entries(headers).flat() });
  if (text) request.push(text);
  request.push(null);
  const written: Buffer[] = [];
  const response = new ServerResponse(request);
  const socket = new Writable({ write: (chunk, _encoding, done) => done(void written.push(chunk) as undefined) });
  response.assignSocket(socket as Socket);
  return new Promise((done) => {
    response.on('finish', () => setImmediate(() => done(Buffer.concat(written).toString())));
    app(request, response);
  });
}

test.each([
  ['GET', '/v1/admin/tenants/ten_analytical/api-keys', undefined, '"id":"key_a1"'],
  ['PATCH', update, { title: 'Injected' }, '"title":"Injected"'],
  ['GET', '/nowhere', undefined, '"code":"not_found"'],
])('a client that injects requests into the app gets a whole answer: %s %s', async (method, url, body, part) => {
  const answer = await inject(mock.app, method, url, body);
  const [head = '', text = ''] = answer.split('\r\n\r\n');
  expect(text).toContain(part);
  expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(Buffer.byteLength(text));
});

describe('mounted below a path of another app', () => {
  const other = express();
  const agent = supertest(other);
  other.use('/mocks/platform', mock.app);
  other.get('/mocks', ({ query }, response) => void response.json(query));

  test('it answers, and knows where it is', async () => {
    const renamed = await agent
      .patch(`/mocks/platform/~mounted${update}`)
      .auth(token, { type: 'bearer' })
      .send({ title: 'Mounted' });
    expect(renamed.status).toBe(200);
    const { body } = await agent.get('/mocks/platform/~mounted/_mock/info').set('Host', 'localhost:4321');
    expect(body.baseUrl).toBe('http://localhost:4321/mocks/platform/~mounted');
    expect((await agent.get('/mocks?a=1')).body).toEqual({ a: '1' });
  });

  test('behind parsers of bodies, it answers by what they parsed', async () => {
    const form = { method: 'POST', path: '/v1/form', body: '{{ body.a | join }}' } as const;
    const own = await createMock({ routes: [{ routes: [form] }] });
    const { data } = await own.control.POST('/tokens', { body: { user: 'usr_ada' } });
    const behind = supertest(express().use(express.json(), express.urlencoded({ extended: true }), own.app));
    const { status, body } = await behind.patch(update).auth(data.token, { type: 'bearer' }).send({ title: 'Parsed' });
    expect([status, body.title]).toEqual([200, 'Parsed']);
    expect((await behind.post('/v1/form').type('form').send('a=x&a=ä')).text).toBe('x ä');
  });

  test('its pages find their files, and curl lines lead back to it', async () => {
    const redirected = await agent.get('/mocks/platform/_mock').accept('text/html').redirects(1);
    const [, file = ''] = /src="\.\/([^"]+\.js)"/.exec(redirected.text) ?? [];
    expect((await agent.get(`/mocks/platform/_mock/${file}`)).status).toBe(200);
    await agent.get('/mocks/platform/v1/api-tokens/scopes');
    const { body } = await agent.get('/mocks/platform/_mock/journal').set('Host', 'localhost:4321');
    expect(body.entries[0].curl).toContain('http://localhost:4321/mocks/platform/v1/api-tokens/scopes');
  });
});
