/** POST /v1/api-tokens: creates a personal access token (section 5). */
import { BadRequest } from '../errors.ts';
import { pipe } from '../hooks.ts';
import { createPat, patToken } from '../pat.ts';
import { patBody } from '../present.ts';
import { callerIn, type Endpoint } from './endpoint.ts';

interface Body {
  name: string;
  scopes?: string[];
  expires_at?: string | null;
}

export const apiTokens: Endpoint = {
  operation: 'createPat',
  method: 'POST',
  url: '/v1/api-tokens',
  schema: {
    body: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 100 },
        scopes: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
        expires_at: { type: ['string', 'null'], format: 'date-time' },
      },
    },
  },
  async handle(context, request) {
    const caller = callerIn(context);
    const { name, scopes, expires_at: expiresAt } = request.body as Body;
    const unknown = scopes?.find((scope) => !caller.scopes.includes(scope));
    if (unknown !== undefined) throw new BadRequest(`Scope ${unknown} is not available`);
    const pat = createPat(context.world, caller.user, {
      name,
      scopes: scopes ?? caller.scopes,
      expiresAt: expiresAt ? Date.parse(expiresAt) : null,
    });
    context.pat = pat;
    const token = await pipe('patToken', patToken(pat), context);
    return { status: 201, body: patBody(pat, token, context.world) };
  },
};
