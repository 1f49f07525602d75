import { apiError } from '../operations/api-error.ts';
import { inBody } from './bodies.ts';
import type { FaultRow } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { perWorld, recordingOf, sentOf, storing } from './tools.ts';

const isNested = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some((item) => typeof item === 'object' && item !== null)
    : typeof value === 'object' && value !== null && Object.values(value).some(isNested);

/** Hooks under which an earlier title is back a while after it was replaced. */
const reverting = (afterMs: number): Hooks => {
  const replaced = perWorld(() => new Map<string, { title: string; at: number }>());
  return storing((before, after, sent, world) => {
    const known = replaced(world).get(after.id);
    if (typeof sent.title === 'string' && sent.title !== before.title)
      replaced(world).set(after.id, { title: before.title, at: world.clock.now() });
    if (known === undefined || 'title' in sent || world.clock.now() - known.at < afterMs) return undefined;
    replaced(world).delete(after.id);
    return { title: known.title };
  });
};

/** Hooks under which a member's update is answered, and stored in the recording that was updated before it. */
const landingElsewhere = (): Hooks => {
  const last = perWorld((): { id?: string } => ({}));
  return {
    operations: {
      updateRecording: (world, request, run) => {
        const before = recordingOf(world, request);
        const elsewhere = world.store.recordings.get(last(world).id ?? '');
        const response = run();
        const after = recordingOf(world, request);
        if (after) last(world).id = after.id;
        if (request.caller?.user.administrator !== false || !before || !after || !elsewhere) return undefined;
        if (elsewhere.id === after.id || after.title === before.title) return undefined;
        world.store.recordings.put(before);
        world.store.recordings.put({ ...elsewhere, title: after.title });
        return response;
      },
    },
  };
};

/** Hooks under which the first update after a refused one is answered, and not stored. */
const forgettingAfterRefusal = (): Hooks => {
  const state = perWorld(() => ({ isRefused: false }));
  return {
    ...storing((before, after, _sent, world) => {
      if (!state(world).isRefused) return undefined;
      state(world).isRefused = false;
      return before.title === after.title ? undefined : { title: before.title };
    }),
    present: (answer, { world, operation, request }) => {
      if (operation === 'updateRecording' && answer.status >= 400 && request.caller) state(world).isRefused = true;
      return undefined;
    },
  };
};

/** Faults of updates that show under a condition only: a caller, a time, another field, an update before. */
export const conditionalUpdateFaults: readonly FaultRow[] = [
  ['title-reverts-later', ['REC-23'], 'An earlier title is back one second after an update of it.', reverting(1000)],
  [
    'title-lost-after-refusal',
    ['REC-22', 'REC-23'],
    'The title of the first update after a refused one is not stored.',
    forgettingAfterRefusal(),
  ],
  [
    'title-lost-with-long-summary',
    ['REC-22', 'REC-23'],
    'A title beside a summary of more than 255 characters is not stored.',
    storing((before, _after, { summary, title }) =>
      typeof summary === 'string' && summary.length > 255 && title !== undefined ? { title: before.title } : undefined,
    ),
  ],
  [
    'file-renamed-by-title',
    ['REC-24', 'REC-31'],
    'A title that ends like a file name becomes the file name.',
    storing((_before, { title }, sent) =>
      'title' in sent && /\.\w{3,4}$/.test(title) ? { filename: title } : undefined,
    ),
  ],
  [
    'nested-analysis-fails',
    ['REC-05'],
    'An update with an analysis that holds lists of objects fails.',
    {
      operations: {
        updateRecording: (world, request) => {
          if (isNested(sentOf(request).analysis)) throw apiError(world.answers, 'internal', 'Something went wrong.');
          return undefined;
        },
      },
    },
  ],
  [
    'member-update-elsewhere',
    ['REC-24', 'REC-23'],
    "A member's title is stored in the recording that was updated before.",
    landingElsewhere(),
  ],
  [
    'quality-null-for-members',
    ['REC-15'],
    'An update by a member is answered with the quality null.',
    inBody('updateRecording', (body, { request }) =>
      request.caller?.user.administrator === false ? { ...body, quality: null } : body,
    ),
  ],
];
