import { after, sleep } from '../advice.ts';
import { Refusal } from '../errors.ts';
import type { Hooks, UpdateCall } from '../hooks.ts';
import type { Recording } from '../model.ts';
import type { World } from '../world.ts';
import { type Defect, defect } from './defect.ts';
import { says } from './says.ts';
import { stored } from './stored.ts';

/** An accepted update that writes something else as well. */
const alsoWrites =
  (change: (record: Recording, call: UpdateCall) => Partial<Recording>) =>
  (world: World): Hooks => ({
    async update(call, next) {
      const answer = await next(call);
      const record = stored(world, call.id);
      if (!record) return answer;
      return { ...Object.assign(record, change(record, call)) };
    },
  });

/** Fields nobody may write, and updates refused for what they carry. */
export const updateFieldDefects: Defect[] = [
  defect(
    'status-writable',
    'conditional',
    says.noStatusInput,
    'a status in the body is written',
    alsoWrites((_record, { raw }) => (typeof raw.status === 'string' ? { status: raw.status } : {})),
  ),
  defect(
    'quality-writable',
    'conditional',
    says.writable,
    'method, quality and language in the body are written',
    alsoWrites((_record, { raw }) =>
      Object.fromEntries(
        ['method', 'quality', 'language']
          .filter((name) => typeof raw[name] === 'string')
          .map((name) => [name, raw[name]]),
      ),
    ),
  ),
  defect(
    'pat-update-writes-owner',
    'conditional',
    says.owner,
    'an update by PAT writes the id of the PAT into the owner',
    alsoWrites((_record, { principal }) => (principal.kind === 'pat' ? { userId: principal.credentialId } : {})),
  ),
  defect(
    'admin-update-takes-owner',
    'conditional',
    says.writable,
    'whoever updates a recording of somebody else becomes its owner',
    alsoWrites((_record, { principal }) => ({ userId: principal.user.id })),
  ),
  defect(
    'title-renames-file',
    'conditional',
    says.writable,
    'a title that ends like a file name renames the file',
    alsoWrites((_record, { patch }) => (/\.\w{3,4}$/.test(patch.title ?? '') ? { filename: patch.title ?? '' } : {})),
  ),
  defect(
    'folder-resets-created-at',
    'conditional',
    says.writable,
    'moving to a knowledge-base folder files the recording anew: created_at becomes now',
    alsoWrites((_record, { patch }) => (patch.kb_folder_id ? { createdAt: Date.now() } : {})),
  ),
  defect(
    'nested-analysis-fails',
    'conditional',
    says.writable,
    'an analysis with lists of objects (action items) ends in a server error',
    () => ({
      async update(call, next) {
        const nested = Object.values(call.patch.analysis ?? {}).some(
          (value) => Array.isArray(value) && value.some((item) => typeof item === 'object'),
        );
        if (nested) throw new Refusal(500, 'failure', 'Internal Server Error');
        return next(call);
      },
    }),
  ),
  defect(
    'status-archived-later',
    'timed',
    says.status,
    'a second after an update the status is "archived"',
    (world) => ({
      update: after<'update'>((answer, { id }) => {
        void sleep(1000).then(() => {
          const record = stored(world, id);
          if (record) record.status = 'archived';
        });
        return answer;
      }),
    }),
  ),
  defect(
    'pat-refused-on-update',
    'conditional',
    says.updateHeaders,
    'a PAT made by POST /v1/api-tokens may not update; only seeded ones may',
    (world) => {
      const seeded = new Set(world.store.pats.map(({ id }) => id));
      return {
        async verifyPat(input, next) {
          const pat = await next(input);
          if (input.operation === 'update' && !seeded.has(pat.id))
            throw new Refusal(403, 'forbidden', 'Insufficient scope');
          return pat;
        },
      };
    },
  ),
];
