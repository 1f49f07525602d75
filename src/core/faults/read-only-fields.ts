import { type Recording, recordingStatuses } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { FaultLine } from './fault.ts';
import type { Body } from './hooks.ts';
import { recordingOf, sentOf, storing } from './tools.ts';

const readOnly = {
  filename: 'REC-31',
  status: 'REC-32',
  method: 'REC-33',
  quality: 'REC-34',
  language: 'REC-35',
  diarization_enabled: 'REC-36',
  user_id: 'REC-37',
  created_at: 'REC-38',
  updated_at: 'REC-39',
} as const;

type ReadOnly = keyof typeof readOnly;

/** What was sent for a field, where the field may have it: a fault must not make the mock break in another way. */
function sentFor(name: ReadOnly, before: Recording, sent: Body, { answers }: World): Partial<Recording> | undefined {
  const value = sent[name];
  if (typeof value !== typeof before[name]) return undefined;
  if (name === 'created_at' || name === 'updated_at') {
    const time = Date.parse(String(value));
    return Number.isNaN(time) ? undefined : { [name]: new Date(time).toISOString() };
  }
  const vocabulary = name === 'status' ? recordingStatuses : vocabularyOf(name, answers);
  return vocabulary && !vocabulary.includes(String(value)) ? undefined : { [name]: value };
}

function vocabularyOf(name: ReadOnly, answers: World['answers']): readonly string[] | undefined {
  if (name === 'method' || name === 'quality' || name === 'language') return answers.get(`${name}-values`);
  return undefined;
}

const writableToo: FaultLine[] = Object.entries(readOnly).map(([name, requirement]) => [
  `${name.replaceAll('_', '-')}-writable`,
  [requirement, ...(name === 'status' ? ['REC-40'] : [])],
  `An update writes ${name} too.`,
  storing((before, _after, sent, world) => sentFor(name as ReadOnly, before, sent, world)),
]);

/** Faults under which an update writes what is not writable. */
export const readOnlyFieldFaults: readonly FaultLine[] = [
  ...writableToo,
  [
    'id-writable',
    ['REC-30'],
    'An update writes id too.',
    {
      operations: {
        updateRecording: (world, request, run) => {
          const { id } = sentOf(request);
          if (typeof id !== 'string' || id === recordingOf(world, request)?.id) return undefined;
          const { body } = run();
          const after = recordingOf(world, request);
          if (!after) return undefined;
          world.store.recordings.delete(after.id);
          world.store.recordings.put({ ...after, id });
          return { body: { ...sentOf({ body }), id } };
        },
      },
    },
  ],
  [
    'read-only-echoed',
    Object.values(readOnly),
    'An update answers whatever was sent, though it stores only what is writable.',
    {
      bodies: {
        updateRecording: (body, { request }) => ({
          ...body,
          ...Object.fromEntries(Object.entries(sentOf(request)).filter(([name]) => name in body)),
        }),
      },
    },
  ],
  [
    'quality-writable-alone',
    ['REC-34'],
    'quality is written where it is sent alone.',
    storing((before, _after, sent, world) =>
      Object.keys(sent).length === 1 ? sentFor('quality', before, sent, world) : undefined,
    ),
  ],
  [
    'language-writable-with-title',
    ['REC-35'],
    'language is written where a title is sent with it.',
    storing((before, _after, sent, world) => ('title' in sent ? sentFor('language', before, sent, world) : undefined)),
  ],
];
