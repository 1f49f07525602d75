/** A real gateway in front of a conforming target: what it answers itself is no finding. */
import { expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { targetAt } from '../../src/score/run.ts';
import { hasNginx, runNginx } from '../../src/testing/gateway.ts';
import { verifyAt } from '../testing/judge.ts';

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

// CI must have it.
test.skipIf(!hasNginx && process.env.CI !== 'true')(
  'nginx answers 503 to what is too fast for 10 a second, and the target conforms (skipped where it is not installed)',
  async () => {
    await using mock = await startMock({ log: () => {} });
    await using gateway = await runNginx(nginx(new URL(mock.baseUrl).host));
    const target = targetAt({ world: mock.world, baseUrl: gateway.baseUrl });
    const { verdict, summary, requests } = await verifyAt(target, { quick: true });
    expect([verdict, summary.text]).toEqual(['conforms', expect.stringMatching(/were 503 and were repeated/)]);
    expect(requests?.total).toBeLessThan(150);
  },
);
