import { tmpdir } from 'node:os';
import express from 'express';
import request from 'supertest';
import { expect, test } from 'vitest';
import { createMock } from '../index.ts';
import { dashboard } from './router.ts';

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const { app } = await createMock();

test.each(['/_mock/', '/~test-1/_mock/', '/_mock/docs', '/~test-1/_mock/docs'])(
  '%s is a page with a strict content security policy',
  async (path) => {
    const { status, headers, text } = await request(app).get(path).set(html);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    // Nothing inline, nothing from another origin, nothing outside the page's own folder.
    expect(text).not.toMatch(/<style|<script(?![^>]*src=)|\son\w+=|https?:/);
    for (const [, address = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g)) expect(address).toMatch(/^\.\//);
  },
);

test('an address without the trailing slash redirects to it, with sandbox and query', async () => {
  const main = await request(app).get('/_mock').set(html);
  expect([main.status, main.headers.location]).toEqual([308, '_mock/']);
  const sandbox = await request(app).get('/~test-1/_mock?a=b').set(html);
  expect([sandbox.status, sandbox.headers.location]).toEqual([308, '_mock/?a=b']);
  const docs = await request(app).get('/_mock/docs/').set(html);
  expect([docs.status, docs.headers.location]).toEqual([308, '../docs']);
});

const files = ['/_mock/swagger-ui/swagger-ui.css', '/_mock/no-such'];
test.each(['/_mock', '/_mock/', '/_mock/docs', '/_mock/docs/', '/~test-1/_mock', ...files])(
  '%s says that it is not part of the API, for any method',
  async (path) => {
    for (const method of ['get', 'head', 'options', 'post'] as const) {
      const { headers } = await request(app)[method](path).set(html).redirects(0);
      expect(headers['x-mock-basis'], method).toBe('control');
    }
  },
);

test('an unsatisfiable range is ignored: the whole page or file is sent', async () => {
  for (const path of ['/_mock/', '/_mock/docs', '/_mock/swagger-ui/swagger-ui.css']) {
    const { status } = await request(app).get(path).set(html).set('Range', 'bytes=99999999-');
    expect(status, path).toBe(200);
  }
});

test('a client that asks for JSON gets the control plane', async () => {
  const { status, body } = await request(app).get('/_mock/').set('Accept', 'application/json');
  expect(status).toBe(404);
  expect(body.error.message).toContain('/info');
  const info = await request(app).get('/_mock/info').set(html);
  expect(info.body).toMatchObject({ name: 'platform-mock' });
});

test('assets are cached forever, Swagger UI for an hour; only the files of its package that the docs need are served', async () => {
  const { text } = await request(app).get('/_mock/').set(html);
  const [asset = ''] = /assets\/[^"]+\.js/.exec(text) ?? [];
  const script = await request(app).get(`/~test-1/_mock/${asset}`);
  expect(script.status).toBe(200);
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const swagger = await request(app).get('/_mock/swagger-ui/swagger-ui.css');
  expect([swagger.status, swagger.headers['cache-control']]).toEqual([200, 'public, max-age=3600']);
  const others = ['swagger-ui/package.json', 'swagger-ui/..%2fpackage.json'];
  for (const path of [...others, 'assets/..%2f..%2fsrc%2findex.js', 'assets/none.js'])
    expect((await request(app).get(`/_mock/${path}`)).status, path).toBe(404);
});

test('without a build, the page says what to do', async () => {
  const unbuilt = express().use('/_mock', dashboard(tmpdir()));
  const { status, text } = await request(unbuilt).get('/_mock/').set(html);
  expect([status, text]).toEqual([503, 'The dashboard is not built: run `npm run build`.\n']);
});
