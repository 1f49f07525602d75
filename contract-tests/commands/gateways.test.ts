/** Real gateways in front of a conforming target: what they answer themselves is no finding. */
import { describe, expect, test } from 'vitest';
import { type RunningMock, startMock } from '../../src/index.ts';
import { targetAt } from '../../src/score/run.ts';
import { hasHaproxy, hasNginx, startGateway } from '../../src/testing/gateway.ts';
import { freePort } from '../../src/testing/redis.ts';
import { verifyAt } from '../testing/judge.ts';

const hostOf = ({ baseUrl }: RunningMock): string => new URL(baseUrl).host;

/** haproxy in front of these servers; the first one is at rest where the others live. */
const haproxy =
  (servers: readonly string[], rules = '') =>
  (port: number) =>
    `
global
  maxconn 200
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  option redispatch
  retries 3
frontend api
  bind 127.0.0.1:${port}
  ${rules}
  default_backend mocks
backend mocks
${servers.map((host, at) => `  server s${at} ${host} check inter 100ms fall 1`).join('\n')}
`;

/** Every 25th request is denied: a rate would be met by a fast machine only. */
const DENIED = `stick-table type ip size 10 expire 1m store http_req_cnt
  http-request track-sc0 src
  http-request deny deny_status 429 if { sc_http_req_cnt(0),mod(25) eq 5 }`;

const nginx = (host: string) => (port: number, folder: string) =>
  `
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  limit_req_zone $binary_remote_addr zone=all:1m rate=10r/s;
  server {
    listen 127.0.0.1:${port};
    location / { limit_req zone=all burst=5 nodelay; proxy_pass http://${host}; proxy_set_header Host $http_host; }
  }
}
`;

/** Verifies a mock by its target file, behind a gateway. */
const verifyBehind = ({ world }: RunningMock, { baseUrl }: { baseUrl: string }) =>
  verifyAt(targetAt({ world, baseUrl }), { quick: true });

// CI must have both.
describe.skipIf(!(hasNginx && hasHaproxy) && process.env.CI !== 'true')('skipped where one is not installed:', () => {
  test.each([
    ['haproxy answers 429', 'haproxy', (host: string) => haproxy([host], DENIED)],
    ['nginx answers 503 to what is too fast for 10 a second', 'nginx', nginx],
  ] as const)('%s, and the target conforms', async (_, program, configuration) => {
    await using mock = await startMock({ log: () => {} });
    await using gateway = await startGateway(program, configuration(hostOf(mock)));
    const { verdict, summary, requests } = await verifyBehind(mock, gateway);
    expect([verdict, summary.text]).toEqual(['conforms', expect.stringMatching(/were (429|503) and were repeated/)]);
    expect(requests?.total).toBeLessThan(150);
  });

  test('haproxy sends what a dead server would get to the other one, and nothing is said', async () => {
    await using mock = await startMock({ log: () => {} });
    await using gateway = await startGateway('haproxy', haproxy([`127.0.0.1:${await freePort()}`, hostOf(mock)]));
    expect(await verifyBehind(mock, gateway)).toMatchObject({ verdict: 'conforms', exitCode: 0 });
  });
});
