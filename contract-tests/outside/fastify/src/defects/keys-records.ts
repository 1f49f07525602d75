/** Key records that hold too much, too little or something else. */
import type { Context } from '../hooks.ts';
import type { ApiKey, Json } from '../model.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

/** Changes single records of the list; the stored key is at hand. */
function each(change: (body: Json, key: ApiKey, context: Context) => Json) {
  return {
    keyBodies: (bodies: Json[], context: Context) =>
      bodies.map((body) => {
        const key = context.world.store.apiKeys.get(String(body.id));
        return key ? change(body, key, context) : body;
      }),
  };
}

function filtered({ filter }: Context): boolean {
  return filter?.provider !== undefined || filter?.status !== undefined;
}

export const keysRecordDefects = [
  defect(
    'eighth-provider',
    'conditional',
    says.SEVEN_PROVIDERS,
    'Inactive keys are listed with the provider identifier extended by "_legacy"',
    each((body, key) => (key.status === 'inactive' ? { ...body, provider: `${key.provider}_legacy` } : body)),
  ),
  defect(
    'wrapped-when-filtered',
    'conditional',
    says.KEY_ARRAY,
    'Filtered lists are { "items": [...], "total": n } instead of an array',
    {
      answer: (answer, context) =>
        context.operation === 'listKeys' && filtered(context)
          ? { ...answer, body: { items: answer.body, total: (answer.body as Json[]).length } }
          : answer,
    },
  ),
  defect(
    'status-left-out-when-filtered-by-it',
    'conditional',
    says.KEY_ARRAY,
    'A list filtered by status leaves status out of its records',
    each((body, _key, { filter }) => {
      const { status: _status, ...rest } = body;
      return filter?.status === undefined ? body : rest;
    }),
  ),
];
