/** What the answers look like, within what the document says about them. */
import type { Json, RecordingStatus } from '../model.ts';
import type { World } from '../world.ts';
import type { StyleRow } from './row.ts';

const STEP_MS = 400;
const STEPS: readonly RecordingStatus[] = ['pending', 'processing', 'completed'];
const PAGE = 4;

function statusNow(world: World): RecordingStatus {
  const step = Math.floor((Date.now() - world.startedAt) / STEP_MS);
  return STEPS[Math.min(step, STEPS.length - 1)] ?? 'completed';
}

function plusOneHour(ms: number): string {
  return new Date(ms + 3_600_000).toISOString().replace('Z', '+01:00');
}

export const contentStyles: readonly StyleRow[] = [
  {
    id: 'moving-status',
    description: 'The recording status moves by itself: pending, processing, completed, 400 ms each',
    hooks: { recordingBody: (body, { world }) => ({ ...body, status: statusNow(world) }) },
  },
  { id: 'offset-timestamps', description: 'Timestamps carry the offset +01:00', settings: { time: plusOneHour } },
  { id: 'numeric-ids', description: 'Identifiers are strings of digits', settings: { ids: 'numeric' } },
  {
    id: 'extra-fields',
    description: 'Every documented record carries further fields',
    hooks: {
      session: (body) => ({
        ...body,
        scope: 'user',
        user: { ...(body.user as Json), locale: 'en-GB', avatar_url: null },
      }),
      recordingBody: (body, { update }) => ({
        ...body,
        duration_seconds: 1834.5,
        tags: [],
        summary: update?.body.summary ?? null,
      }),
      keyBodies: (bodies) => bodies.map((body) => ({ ...body, last_used_at: null, _links: {} })),
      scopesBody: (body, { caller }) => ({ ...body, user_id: caller?.user.id }),
    },
  },
  {
    id: 'paginated',
    description: 'API keys come four to a page (?page=2), with X-Total-Count and a Link to the next page',
    hooks: {
      answer(answer, { operation, rawQuery }) {
        if (operation !== 'listKeys') return answer;
        const all = answer.body as unknown[];
        const page = Math.max(1, Number(rawQuery.page ?? 1) || 1);
        const query = new URLSearchParams({ ...(rawQuery as Record<string, string>), page: String(page + 1) });
        const link: Record<string, string> = page * PAGE < all.length ? { link: `<?${query}>; rel="next"` } : {};
        const headers = { ...answer.headers, ...link, 'x-total-count': String(all.length) };
        return { ...answer, headers, body: all.slice((page - 1) * PAGE, page * PAGE) };
      },
    },
  },
];
