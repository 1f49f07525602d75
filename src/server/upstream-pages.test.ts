// Which pages may use the upstream through the mock, and what the upstream's pages may do at the mock, whose origin they share.
import { createServer } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { describeDashboard, TestDashboard } from '../testing/dashboard.ts';
import { listening, sendRaw, statusesIn } from '../testing/raw-client.ts';

const evil = 'https://evil.example';
const app = 'https://app.example';
let asked: string[];
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  const to = new URL(request.url ?? '', upstream).searchParams.get('to');
  response.writeHead(to === null ? 200 : 302, {
    'Content-Type': request.url?.endsWith('.js') ? 'text/javascript' : 'text/html',
    // With the dashboard's own policy, the page that opens it would keep a reference to it.
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(to !== null && { Location: to }),
  });
  response.end('<title>upstream</title>');
});
server.on('upgrade', (request, socket) => {
  asked.push(`${request.method} ${request.url}`);
  socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
});
const upstream: string = await listening(server);
beforeEach(() => {
  asked = [];
});

/** The response statuses for a request of these lines. */
const statusOf = async (baseUrl: string, ...lines: readonly string[]): Promise<number[]> =>
  statusesIn(await sendRaw(baseUrl, `${lines.filter((line) => line !== '').join('\r\n')}\r\n\r\n`, /never/));

test.each([
  ['a page elsewhere', `Origin: ${evil}`, 403],
  ['a page that hides where it is', 'Origin: null', 403],
  ['an image on a page elsewhere', `Referer: ${evil}/page`, 403],
  ['an image without a Referer', 'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image', 403],
  ['a page that rebound its name', 'Host: evil.example:4010', 403],
  ['a script of such a page', 'Host: evil.example\r\nOrigin: http://evil.example', 403],
  ['a service worker', 'Service-Worker: script\r\nSec-Fetch-Site: same-origin', 403],
  ['no page', '', 200],
  ['the address bar', 'Sec-Fetch-Site: none', 200],
  ['a page at the same address', 'Sec-Fetch-Site: same-origin', 200],
  ['another container', 'Host: 172.17.0.2:4010', 200],
  ['a local page', 'Origin: http://localhost:3000\r\nSec-Fetch-Site: cross-site', 200],
  ['a page that --cors names', `Origin: ${app}\r\nSec-Fetch-Site: cross-site`, 200],
  ['an image on a page that --cors names', `Referer: ${app}/\r\nSec-Fetch-Site: cross-site`, 200],
  ['a name that --cors names', 'Host: app.example', 200],
])('what %s asks the upstream for: %s, %i', async (_name, headers, status) => {
  await using mock = await startMock({ upstream: { upstream, token: 'of-the-operator' }, cors: [app] });
  const lines = ['GET /v1/files HTTP/1.1', /^Host/.test(headers) ? '' : 'Host: localhost', headers];
  expect(await statusOf(mock.baseUrl, ...lines, 'Connection: close')).toEqual([status]);
  const upgraded = await statusOf(mock.baseUrl, ...lines, 'Connection: Upgrade', 'Upgrade: websocket');
  expect(upgraded).toEqual([status === 200 ? 101 : status]);
  expect(asked.length).toBe(status === 200 ? 2 : 0);
});

test.each([
  ['GET', 200],
  ['POST', 403],
])('a link or a sign-in elsewhere leads back through the mock by %s: %i', async (method, status) => {
  await using mock = await startMock({ upstream: { upstream } });
  const lines = [`Referer: ${evil}/`, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: document', 'Connection: close'];
  expect(await statusOf(mock.baseUrl, `${method} / HTTP/1.1`, 'Host: localhost', ...lines)).toEqual([status]);
});

test.each([
  ['that sends its origin', 'Origin: http://localhost:4010', 403],
  ['that calls the mock by another name', 'Origin: http://127.0.0.1:4010\r\nSec-Fetch-Site: cross-site', 403],
  ['that only reads', 'Sec-Fetch-Site: same-origin', 403],
  ['in a browser without Sec-Fetch-Site', 'Referer: http://localhost:4010/app', 403],
  ['with a wrong key', 'Sec-Fetch-Site: same-origin\r\nAuthorization: Bearer guessed', 403],
  ['that --cors names', 'Origin: http://foo.localhost:4010', 200],
  ['that somebody opens', 'Sec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: document', 200],
  ['of the upstream’s own', 'Origin: UPSTREAM', 403],
  ['at another port', 'Origin: http://localhost:3000', 200],
  ['that is none', '', 200],
])('with an upstream, a page at the mock’s origin %s calls the control plane: %s, %i', async (_name, sent, status) => {
  const lines = [
    'GET /_mock/info HTTP/1.1',
    'Host: localhost:4010',
    'Connection: close',
    sent.replace('UPSTREAM', upstream),
  ];
  await using mock = await startMock({ upstream: { upstream }, cors: ['http://foo.localhost:4010'] });
  expect(await statusOf(mock.baseUrl, ...lines)).toEqual([status]);
  // Without an upstream, only the mock uses the origin.
  await using alone = await startMock();
  expect(await statusOf(alone.baseUrl, ...lines)).toEqual([200]);
});

/** What scripts of an upstream's page get from the control plane. */
const attempts = `(async () => {
  const status = (url, options) => fetch(url, options).then(({ status }) => status);
  const read = (page) => { try { return page().documentElement.textContent; } catch { return 'blocked'; } };
  const opened = async (url) => {
    const page = window.open(url);
    for (let at = 0; at < 200 && !page.closed && read(() => page.document) !== 'upstream'; at += 1)
      await new Promise((done) => setTimeout(done, 20));
    return page.closed ? 'closed' : read(() => page.document);
  };
  const framed = (url) => new Promise((done) => {
    const frame = document.createElement('iframe');
    frame.onload = () => done(read(() => frame.contentDocument));
    frame.src = url;
    document.body.append(frame);
  });
  const inWorker = (url) => new Promise((done) => {
    const source = "fetch('" + location.origin + url + "').then(({ status }) => postMessage(status))";
    new Worker(URL.createObjectURL(new Blob([source]))).onmessage = ({ data }) => done(data);
  });
  const page = (cache) =>
    fetch('/_mock/', { cache, mode: 'same-origin', headers: { Accept: 'text/html' } }).then((page) => page.text(), () => '');
  return {
    statuses: [
      await status('/_mock/info'),
      await status('/_mock/reset', { method: 'POST' }),
      await status(location.origin.replace('127.0.0.1', 'localhost') + '/_mock/reset', { method: 'POST' }),
      await status('/app?to=/_mock/info'),
      await inWorker('/_mock/info'),
    ],
    serviceWorker: await navigator.serviceWorker.register('/sw.js').then(() => 'registered', ({ name }) => name),
    windows: [await opened('/app'), await opened('/_mock/'), await opened('/_mock/info'), await opened('/app?to=/_mock/info')],
    frame: await framed('/_mock/'),
    keys: (await Promise.all(['default', 'force-cache', 'only-if-cached'].map(page))).filter((html) => html.includes('page-key')),
    stored: JSON.stringify(sessionStorage),
  };
})()`;

describeDashboard('in Chromium', () => {
  test.each([undefined, 'of-the-operator'])('pages of the upstream get nothing; token: %s', async (controlToken) => {
    const options = { upstream: { upstream }, ...(controlToken && { controlToken }) };
    await using dashboard = await TestDashboard.open('overview', options);
    const { page, mock } = dashboard;
    if (controlToken) {
      await page.getByLabel('Control token').fill(controlToken);
      await dashboard.press('Continue');
    }
    await page.getByRole('heading', { name: 'Personas' }).waitFor();
    await page.goto(`${mock.baseUrl}/app`);
    expect(await page.evaluate(attempts)).toEqual({
      statuses: [403, 403, 403, 403, 403],
      serviceWorker: 'TypeError',
      windows: ['upstream', 'closed', 'closed', 'closed'],
      frame: 'blocked',
      keys: [],
      stored: '{}',
    });
    dashboard.says = controlToken;
    await page.goto(`${mock.baseUrl}/_mock/docs`);
    await page.getByLabel('Signed in as').waitFor();
  });
});
