// Small servers, a process each: the name of one, then its arguments. The port comes from the environment.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { passOn } from '../contract-tests/testing/fixtures.ts';
import { peer } from './peer.ts';
import type { OperationName } from './peers.ts';

const [, , name = '', argument = '', limit] = process.argv;
const listening = [Number(process.env.PORT), '127.0.0.1'] as const;
/** Responses of the mock. */
const constants: Readonly<Record<OperationName, unknown>> =
  name === 'throttled' ? {} : JSON.parse(readFileSync(argument, 'utf8'));
const update = '/v1/echo/recordings/:id';
const list = '/v1/admin/tenants/:id/api-keys';

const servers: Readonly<Record<string, () => Promise<void>>> = {
  /** Reads the body and returns an equal JSON body. No validation. */
  async 'bare node:http'() {
    const answer = (response: ServerResponse, body: unknown): void => {
      const text = JSON.stringify(body);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      response.writeHead(200, headers).end(text);
    };
    const readJson = async (request: IncomingMessage): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      JSON.parse(Buffer.concat(chunks).toString());
    };
    createServer((request, response) => {
      const { method, url } = request;
      if (method === 'GET') answer(response, url?.includes('?') ? constants.filtered : constants.list);
      else void readJson(request).then(() => answer(response, constants.update));
    }).listen(...listening);
  },

  /** The same routes, parses a JSON body and returns an equal one. No validation. */
  async 'bare Express'() {
    const { default: express } = await import('express');
    const app = express();
    app.use(express.json());
    app.patch(update, (_request, response) => void response.json(constants.update));
    app.get(list, ({ query }, response) => void response.json(query.provider ? constants.filtered : constants.list));
    app.listen(...listening);
  },

  /** The same. No schemas, no log. */
  async 'bare fastify'() {
    const { default: fastify } = await peer('fastify');
    const app = fastify();
    app.patch(update, () => constants.update);
    app.get(list, ({ query }: { query: Record<string, string> }) =>
      query.provider ? constants.filtered : constants.list,
    );
    await app.listen({ port: listening[0], host: listening[1] });
  },

  /** The same routes as static answers. As a library: its command line writes a log line for each request. */
  async Mockoon() {
    const { BuildEnvironment, BuildHTTPRoute, BuildRouteResponse } = await peer('@mockoon/commons');
    const { MockoonServer } = await peer('@mockoon/commons-server');
    const answer = (body: unknown, ...rules: object[]) => ({
      ...BuildRouteResponse(),
      body: JSON.stringify(body),
      headers: [{ key: 'Content-Type', value: 'application/json' }],
      disableTemplating: true,
      default: rules.length === 0,
      rules,
    });
    const isFiltered = { target: 'query', modifier: 'provider', value: 'openai', invert: false, operator: 'equals' };
    const route = (method: string, path: string, responses: object[]) => ({
      ...BuildHTTPRoute(),
      method,
      endpoint: path.slice(1),
      responses,
    });
    const routes = [
      route('patch', update, [answer(constants.update)]),
      route('get', list, [answer(constants.list), answer(constants.filtered, isFiltered)]),
    ];
    const environment = {
      ...BuildEnvironment({ hasContentTypeHeader: false, hasDefaultRoute: false }),
      port: listening[0],
      hostname: listening[1],
      routes,
      rootChildren: routes.map(({ uuid }: { uuid?: string }) => ({ type: 'route', uuid })),
    };
    new MockoonServer(environment, { enableAdminApi: false }).start();
  },

  /** A target with a limit of requests a second: it answers 429 beyond it, and says in each response what is left. */
  async throttled() {
    const most = Number(limit);
    let [second, made] = [0, 0];
    createServer((request, response) => {
      const now = Math.floor(Date.now() / 1000);
      if (now !== second) [second, made] = [now, 0];
      made += 1;
      const limits = { 'ratelimit-limit': most, 'ratelimit-remaining': Math.max(0, most - made), 'ratelimit-reset': 1 };
      for (const [name, value] of Object.entries(limits)) response.setHeader(name, value);
      if (made <= most) return void passOn(request, response, argument);
      request.resume();
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
      response.end(JSON.stringify({ error: { code: 'rate_limited', message: `More than ${most} a second.` } }));
    }).listen(...listening);
  },
};

await servers[name]?.();
