import { after, counter, overlap } from '../advice.ts';
import type { Recording } from '../model.ts';
import { type Defect, defect } from './defect.ts';
import { says } from './says.ts';

/** The store is right, the answer to an update is not. */
export const updateAnswerDefects: Defect[] = [
  defect(
    'diarization-number-for-pat',
    'conditional',
    says.diarization,
    'diarization_enabled is 1 when updated with a PAT',
    () => ({
      showRecording: after<'showRecording'>((view, { principal }) =>
        principal.kind === 'pat' ? { ...view, diarization_enabled: Number(view.diarization_enabled) } : view,
      ),
    }),
  ),
  defect(
    'updated-at-number-for-members',
    'conditional',
    says.updatedAt,
    'updated_at is a number of seconds when a member updates',
    () => ({
      showRecording: after<'showRecording'>((view, { principal, recording }) =>
        principal.user.role === 'member' ? { ...view, updated_at: Math.floor(recording.updatedAt / 1000) } : view,
      ),
    }),
  ),
  defect(
    'updated-at-humanised',
    'timed',
    says.updatedAt,
    'updated_at is "just now" when the recording was updated within the last second before',
    () => {
      const last = new Map<string, number>();
      return {
        showRecording: after<'showRecording'>((view, { id }) => {
          const recent = Date.now() - (last.get(id) ?? 0) < 1000;
          last.set(id, Date.now());
          return recent ? { ...view, updated_at: 'just now' } : view;
        }),
      };
    },
  ),
  defect('method-null-every-fifth', 'stateful', says.method, 'method is null in one of five answers', () => {
    const count = counter();
    return { showRecording: after<'showRecording'>((view) => (count() % 5 === 0 ? { ...view, method: null } : view)) };
  }),
  defect(
    'answer-echoes-body',
    'conditional',
    says.updateAnswer,
    'an analysis is answered with the id and the fields sent, not with the record',
    () => ({
      showRecording: after<'showRecording'>((view, { patch }) => (patch.analysis ? { id: view.id, ...patch } : view)),
    }),
  ),
  defect(
    'answer-encoded-twice',
    'conditional',
    says.json,
    'with a PAT the answer to an update is JSON text inside a JSON string, served as text/plain',
    () => ({
      http: async (c, next) => {
        await next();
        if (c.req.method !== 'PATCH' || c.get('principal')?.kind !== 'pat') return;
        const { status } = c.res;
        const text = await c.res.text();
        c.res = undefined;
        c.res = new Response(JSON.stringify(text), { status, headers: { 'content-type': 'text/plain' } });
      },
    }),
  ),
  defect(
    'unknown-recording-html',
    'conditional',
    says.json,
    'an unknown recording is answered with an HTML page',
    () => ({
      http: async (c, next) => {
        await next();
        if (c.req.method === 'PATCH' && c.res.status === 404) c.res = c.html('<h1>404 Not Found</h1>', 404);
      },
    }),
  ),
  defect(
    'overlap-mixes-answers',
    'concurrent',
    says.updateAnswer,
    'overlapping updates are all answered with the record that was updated last',
    () => {
      let latest: Recording | undefined;
      return {
        async update(call, next) {
          latest = await next(call);
          await overlap();
          return latest;
        },
      };
    },
  ),
];
