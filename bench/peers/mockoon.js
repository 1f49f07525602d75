// Mockoon's server with the same routes as static answers. As a library: its command line writes a log line for each request.
import { readFileSync } from 'node:fs';
import { BuildEnvironment, BuildHTTPRoute, BuildRouteResponse } from '@mockoon/commons';
import { MockoonServer } from '@mockoon/commons-server';

const bodies = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const answer = (body, rule) => ({
  ...BuildRouteResponse(),
  body: JSON.stringify(body),
  headers: [{ key: 'Content-Type', value: 'application/json' }],
  disableTemplating: true,
  default: rule === undefined,
  rules: rule === undefined ? [] : [rule],
});
const isFiltered = { target: 'query', modifier: 'provider', value: 'openai', invert: false, operator: 'equals' };
const routes = [
  { ...BuildHTTPRoute(), method: 'patch', endpoint: 'v1/echo/recordings/:id', responses: [answer(bodies.update)] },
  {
    ...BuildHTTPRoute(),
    method: 'get',
    endpoint: 'v1/admin/tenants/:id/api-keys',
    responses: [answer(bodies.list), answer(bodies.filtered, isFiltered)],
  },
];
const environment = {
  ...BuildEnvironment({ hasContentTypeHeader: false, hasDefaultRoute: false }),
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  routes,
  rootChildren: routes.map(({ uuid }) => ({ type: 'route', uuid })),
};
new MockoonServer(environment, { enableAdminApi: false }).start();
