import { expect, test } from 'vitest';
import { harOf } from '../../contract-tests/testing/har-of.ts';
import { createMock } from '../index.ts';
import { routesFromHar } from './routes-from-har.ts';

interface Passed {
  method?: string;
  status?: number;
  /** JSON, unless a type says that it is text. */
  sent?: unknown;
  sentType?: string;
  token?: string;
  type?: string;
  location?: string;
}

/** The routes from a recording of these calls (`/v1/a?b=1`, the answer, more), after a call of the API. */
async function routesOf(...calls: [string, unknown, Passed?][]) {
  const first: [string, unknown, Passed] = ['/v1/auth/sso', {}, { method: 'POST', status: 400 }];
  const { file } = await harOf(
    [first, ...calls].map(([path, answer, more = {}]) => {
      const { method = 'GET', status = 200, token, type = 'application/json', location = '/there' } = more;
      const { sent, sentType } = more;
      return {
        ...{ method, status, url: `http://api.example.test/base${path}` },
        requestHeaders: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(sent !== undefined && { 'content-type': sentType ?? 'application/json' }),
        },
        requestBody: Buffer.from(sent === undefined ? '' : sentType ? String(sent) : JSON.stringify(sent)),
        responseHeaders: { ...(type && { 'content-type': type }), date: 'today', location },
        responseBody: Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)),
      };
    }),
  );
  const { routes, ...rest } = await routesFromHar(file, undefined);
  // The result is served.
  await createMock({ routes: [{ routes }] });
  return { routes, ...rest };
}

test('a request that was answered the same however it asked is one route', async () => {
  const { routes, baseUrl, used } = await routesOf(['/v1/a?x=1', { n: 1 }], ['/v1/a', { n: 1 }]);
  expect(routes).toEqual([{ path: '/v1/a', status: 200, headers: { location: '/there' }, body: { n: 1 } }]);
  expect([baseUrl, used]).toEqual(['http://api.example.test/base', 2]);
});

test('every recorded answer is served unchanged, by what was asked', async () => {
  const post = { method: 'POST' };
  const boundary = (text: string): Passed => ({
    ...post,
    sent: `--${text}\r\n\r\n--${text}--`,
    sentType: `multipart/form-data; boundary=${text}`,
  });
  const { routes } = await routesOf(
    ['/v1/text', 'null'],
    ['/v1/text?x=1', '"a text"'],
    ['/v1/text?x=1&x=2', '"{{ more }}"'],
    ['/v1/text', 'made', { ...post, status: 201, type: 'text/plain' }],
    ['/v1/search', 1, { ...post, sent: null }],
    ['/v1/search', 2, { ...post, sent: '{"a":1}', sentType: 'text/plain' }],
    ['/v1/search', 3, { ...post, sent: { a: 1 } }],
    ['/v1/upload', 1, boundary('one')],
    ['/v1/upload', 2, boundary('two')],
    ['/v1/revalidated', { a: 1 }],
    ['/v1/revalidated', { a: 1 }, { type: '' }],
    ['/v1/moved', '', { status: 302, location: 'http://api.example.test/base/v1/text?x={{1}}', type: '' }],
  );
  const mock = await createMock({ routes: [{ routes }] });
  const ask = async (path: string, body?: string, type = 'application/json') => {
    const init = body === undefined ? {} : { method: 'POST', body, headers: { 'Content-Type': type } };
    const answer = await mock.fetch(mock.baseUrl + path, { ...init, redirect: 'manual' });
    return `${answer.status} ${answer.headers.get('content-type')?.split(';')[0]} ${await answer.text()}`;
  };
  expect(await ask('/v1/text')).toBe('200 application/json null');
  expect(await ask('/v1/text?x=1')).toBe('200 application/json "a text"');
  expect(await ask('/v1/text?x=1&x=2')).toBe('200 application/json "{{ more }}"');
  expect(await ask('/v1/text', '{}')).toBe('201 text/plain made');
  expect(await ask('/v1/search', 'null')).toBe('200 application/json 1');
  expect(await ask('/v1/search', '{"a":1}', 'text/plain')).toBe('200 application/json 2');
  expect(await ask('/v1/search', '{ "a": 1 }')).toBe('200 application/json 3');
  expect(await ask('/v1/upload', '--other', 'multipart/form-data; boundary=other')).toBe('200 application/json 1');
  expect(await ask('/v1/upload', '--more', 'multipart/form-data; boundary=more')).toBe('200 application/json 2');
  expect(routes.find(({ path }) => path === '/v1/revalidated')).toMatchObject({ body: { a: 1 } });
  const moved = await mock.fetch(`${mock.baseUrl}/v1/moved`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/v1/text?x={{1}}']);
});

test('answers that changed are a sequence; one that always had a token asks for one', async () => {
  const token = 'of-somebody';
  const { routes } = await routesOf(['/v1/a', 1, { token }], ['/v1/a', 1, { token }], ['/v1/a', 2, { token }]);
  expect(routes).toMatchObject([{ auth: 'required', answers: [{ body: 1 }, { body: 1 }, { body: 2 }] }]);
});

test('texts are no templates, and secrets are replaced', async () => {
  const { routes } = await routesOf(['/v1/a', { text: 'Hi {{ name }}', password: 'hunter2-hunter2' }]);
  const password = expect.stringMatching(/^(?!.*hunter2)./);
  expect(routes[0]?.body).toEqual({ text: '{% raw %}Hi {{ name }}{% endraw %}', password });
});

test('what cannot be a route is left out, and told', async () => {
  const { routes, leftOut } = await routesOf(
    ['/_mock/info', 1],
    ['/v1/a', 1, { status: 503 }],
    ['/v1/a', 1, { method: 'OPTIONS' }],
    ['/v1/a', '{% endraw %}', { type: 'text/html' }],
    ['/v1/a', '\ufffd', { type: 'image/png' }],
    ['/v1/kept', 1],
  );
  expect(routes).toHaveLength(1);
  expect([...leftOut.keys()]).toEqual([
    'of the API itself',
    'of the control plane of a mock',
    'refused or failed (401, 403, 429, 5xx)',
    'of another method than GET, POST, PUT, PATCH and DELETE',
    'with the end of a template in its body',
    'with a body that is no text',
  ]);
});

test('a recording without a documented path is of what answered JSON, at one place', async () => {
  const at = (url: string, type = 'application/json') => ({
    ...{ method: 'GET', url, responseHeaders: { 'content-type': type } },
    responseBody: Buffer.from('{"n":1}'),
  });
  const page = at('http://app.example.test/', 'text/html');
  const { file } = await harOf([page, at('http://api.example.test/v2/things')]);
  const { routes, baseUrl } = await routesFromHar(file, undefined);
  expect([baseUrl, routes]).toEqual(['http://api.example.test', [{ path: '/v2/things', status: 200, body: { n: 1 } }]]);
  const two = await harOf([at('http://a.example.test/x'), at('http://b.example.test/x')]);
  await expect(routesFromHar(two.file, undefined)).rejects.toThrow(
    'no exchange has a documented path, and http://a.example.test (1), http://b.example.test (1) answered JSON. Name the API',
  );
});
