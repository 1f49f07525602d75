/** What concerns every operation: media types, JSON, the version segment. */
import { type Defect, defect } from './hooks.ts';
import { isObject, parseJson, Refusal, type Reply, writeJson } from './http.ts';

const HTML = '<!doctype html><title>Platform</title><h1>It works</h1>';

const asText = (reply: Reply): Reply => ({ ...reply, contentType: 'text/plain' });

export const GENERAL_DEFECTS = [
  defect('general-text-plain', ['GEN-01'], 'Successful answers say that they are text/plain.', {
    reply: (reply) => ({ ...reply, contentType: 'text/plain; charset=utf-8' }),
  }),
  defect('general-no-content-type', ['GEN-01'], 'Successful answers do not say what they are.', {
    reply: (reply) => ({ ...reply, contentType: '' }),
  }),
  defect('general-guarded-json', ['GEN-01', 'KEY-02'], "The list of API keys starts with )]}', and so is not JSON.", {
    reply: (reply, { op, app }) =>
      op === 'keys' ? { ...reply, raw: `)]}',\n${writeJson(reply.body, app.style)}` } : reply,
  }),
  defect('general-filtered-list-text', ['GEN-01'], 'A list by provider says that it is text/plain.', {
    reply: (reply, { op, query }) => (op === 'keys' && query.has('provider') ? asText(reply) : reply),
  }),
  defect(
    'general-long-title-text',
    ['GEN-01'],
    'An update with a long title answers what says that it is text/plain.',
    {
      reply: (reply, { op, text }) => {
        const sent = op === 'update' ? parseJson(text) : undefined;
        return isObject(sent) && String(sent.title ?? '').length > 150 ? asText(reply) : reply;
      },
    },
  ),
  defect('general-sso-of-others-text', ['GEN-01'], 'SSO says text/plain to users who are not administrators.', {
    reply: (reply, { op, app }) => {
      const user = op === 'sso' && isObject(reply.body) ? reply.body.user : undefined;
      return isObject(user) && user.id !== app.store.admin.id ? asText(reply) : reply;
    },
  }),
  defect('general-scopes-html', ['GEN-01', 'SCO-02'], 'The token scopes are an HTML page with status 200.', {
    reply: (reply, { op }) => (op === 'scopes' ? { status: 200, raw: HTML, contentType: 'text/html' } : reply),
  }),
  defect('general-charset-demanded', ['GEN-02'], 'An update is refused when its media type has no charset parameter.', {
    before: ({ op, headers }) => {
      if (op === 'update' && !/charset=/i.test(headers['content-type'] ?? '')) throw new Refusal(415, 'which charset?');
    },
  }),
  defect('general-recordings-under-v2', ['GEN-03'], 'Recordings are found under /v2, not under /v1.', {
    path: (path) => {
      if (path.startsWith('/v1/echo/')) return '/gone';
      return path.startsWith('/v2/echo/') ? path.replace('/v2/', '/v1/') : path;
    },
  }),
] as const satisfies readonly Defect[];
