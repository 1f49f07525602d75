/** One way to declare an operation; authentication, hooks and the JSON answer are the same for all. */
import type { FastifyInstance, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify';
import { authenticate } from '../authenticate.ts';
import { type Context, type Operation, pipe } from '../hooks.ts';
import type { Caller, Json } from '../model.ts';
import type { World } from '../world.ts';

declare module 'fastify' {
  interface FastifyRequest {
    platform: Context;
  }
}

export interface Endpoint {
  operation: Operation;
  method: HTTPMethods;
  url: string;
  /** called without an Authorization header */
  open?: true;
  schema: FastifySchema;
  handle(context: Context, request: FastifyRequest): Promise<{ status?: number; body: unknown }>;
}

/** The authenticated caller of a protected endpoint. */
export function callerIn(context: Context): Caller {
  if (!context.caller) throw new Error(`${context.operation} is not protected`);
  return context.caller;
}

function openContext(request: FastifyRequest, operation: Operation, world: World, replica: number): Context {
  const authorization = request.headers.authorization;
  const credential = /^bearer +(\S.*)$/i.exec(authorization ?? '')?.[1];
  return {
    world,
    operation,
    replica,
    authorization,
    credential,
    rawQuery: { ...(request.query as Json) },
    rawBody: {},
  };
}

export function addEndpoint(app: FastifyInstance, endpoint: Endpoint, world: World, replica: number): void {
  app.route({
    method: endpoint.method,
    url: endpoint.url,
    schema: endpoint.schema,
    async onRequest(request) {
      const context = openContext(request, endpoint.operation, world, replica);
      request.platform = context;
      await pipe('arrival', undefined, context);
      if (!endpoint.open) context.caller = await authenticate(context);
    },
    async preValidation(request) {
      request.platform.rawBody = { ...(request.body as Json) };
    },
    async handler(request, reply) {
      const context = request.platform;
      const { status = 200, body } = await endpoint.handle(context, request);
      const answer = await pipe('answer', { status, headers: {}, body }, context);
      reply.code(answer.status).type('application/json; charset=utf-8').headers(answer.headers);
      return reply.send(answer.body === undefined ? '' : JSON.stringify(answer.body));
    },
  });
}
