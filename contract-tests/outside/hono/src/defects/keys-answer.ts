import { after, before, counter } from '../advice.ts';
import { Refusal } from '../errors.ts';
import type { Ctx } from '../hooks.ts';
import { type Defect, defect } from './defect.ts';
import { says } from './says.ts';

/** What a listed key looks like. */
export const keysAnswerDefects: Defect[] = [
  defect(
    'secret-nested-when-filtered',
    'conditional',
    says.noSecret,
    'with a provider filter the secret is listed under settings.credentials.api_key',
    () => ({
      showKey: after<'showKey'>((view, { key, query }) =>
        query.provider === undefined ? view : { ...view, settings: { credentials: { api_key: key.secret } } },
      ),
    }),
  ),
  defect(
    'secret-second-list',
    'stateful',
    says.noSecret,
    'from the second list of a caller on every key carries a field secret',
    () => {
      const count = counter();
      const later = new WeakSet<Ctx>();
      return {
        listKeys: before<'listKeys'>((query) => {
          if (count(query.principal.user.id) > 1) later.add(query.c);
          return query;
        }),
        showKey: after<'showKey'>((view, { key, query }) =>
          later.has(query.c) ? { ...view, secret: key.secret } : view,
        ),
      };
    },
  ),
  defect(
    'single-key-not-in-list',
    'conditional',
    says.keysAnswer,
    'a list of one key is answered as that record alone',
    () => ({ showKeys: async ({ views }) => (views.length === 1 ? views[0] : views) }),
  ),
  defect('empty-list-null', 'conditional', says.keysAnswer, 'a filter that no key meets is answered null', () => ({
    showKeys: async ({ views }) => (views.length === 0 ? null : views),
  })),
  defect('empty-list-missing', 'conditional', says.statusFilter, 'a status that no key has is answered 404', () => ({
    showKeys: async ({ views, query }) => {
      if (views.length === 0 && query.status !== undefined) throw new Refusal(404, 'not_found', 'No API keys found');
      return views;
    },
  })),
  defect(
    'list-wrapped-every-fifth',
    'stateful',
    says.keysAnswer,
    'every fifth list is wrapped in items and total',
    () => {
      const count = counter();
      return { showKeys: async ({ views }) => (count() % 5 === 0 ? { items: views, total: views.length } : views) };
    },
  ),
];
