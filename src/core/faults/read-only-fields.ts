import { type Recording, recordingStatuses } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { inRecording } from './bodies.ts';
import type { FaultRow } from './fault.ts';
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

/** The value that was sent for a field, if it is valid: a fault must not cause other violations. */
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

const writableFields: FaultRow[] = Object.entries(readOnly).map(([name, requirement]) => [
  `${name.replaceAll('_', '-')}-writable`,
  [requirement, ...(name === 'status' ? ['REC-40'] : [])],
  `An update also writes ${name}.`,
  storing((before, _after, sent, world) => sentFor(name as ReadOnly, before, sent, world)),
]);

/** Faults under which an update writes read-only fields. */
export const readOnlyFieldFaults: readonly FaultRow[] = [
  ...writableFields,
  [
    'id-writable',
    ['REC-30'],
    'An update also writes id.',
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
    'An update returns all fields that were sent, but stores only the writable ones.',
    inRecording((body, { request }) =>
      Object.fromEntries(Object.entries(sentOf(request)).filter(([name]) => name in body)),
    ),
  ],
  [
    'quality-writable-alone',
    ['REC-34'],
    'quality is written if it is the only field sent.',
    storing((before, _after, sent, world) =>
      Object.keys(sent).length === 1 ? sentFor('quality', before, sent, world) : undefined,
    ),
  ],
  [
    'language-writable-with-title',
    ['REC-35'],
    'language is written if a title is sent as well.',
    storing((before, _after, sent, world) => ('title' in sent ? sentFor('language', before, sent, world) : undefined)),
  ],
];
