import { distinct, READ_ONLY_FIELDS, STATUSES } from '../api/records.ts';
import type { JsonObject } from '../values/json.ts';
import { look } from './read-only.ts';
import { mild, type Run } from './steps.ts';

/**
 * Generated updates and lists, which the same rules judge: texts of any characters in every writable field, anything in
 * fields that are not writable, filters of any value. All may be refused.
 */
export async function explore(run: Run): Promise<void> {
  const { seed } = run;
  const { explore: runs, allowWrites } = run.session.config;
  if (!runs) return;
  // Loaded only by a run that explores.
  const { default: fc } = await import('fast-check');
  const options = { numRuns: runs, seed };
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary-ascii', maxLength: 60 }),
    fc.constantFrom('', ' ', '\t', '<b>', '&amp;', '%00', '../..', '%s', '{{x}}', 'null', "'; --", '\u202e', '0'),
  );
  const object = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  const writable = fc.record(
    { title: text, kb_folder_id: text, kb_document_id: text, summary: text, analysis: object },
    { requiredKeys: [] },
  );
  const readOnly = fc.dictionary(
    fc.constantFrom(...Object.keys(READ_ONLY_FIELDS)),
    fc.oneof(text, fc.boolean(), fc.constantFrom(...STATUSES, '2001-02-03T04:05:06Z', null)),
    { maxKeys: 3 },
  );
  const asked = (what: string) => ({ for: `explore ${what}, seed ${seed}`, odd: ['generated'] });
  const [recording] = allowWrites ? run.recordings : [];
  const bodies: JsonObject[] = [
    ...fc.sample(writable, options),
    ...fc.sample(fc.tuple(writable, readOnly), options).map(([written, others]) => ({ ...written, ...others })),
  ];
  for (const body of recording ? bodies : []) {
    if (!recording || Object.keys(body).length === 0) continue;
    await run.update(recording, 'admin.jwt', body, asked('updates'));
    if ('title' in body) await look(run, recording);
  }
  const keys = run.knownKeys;
  const value = (field: string) => fc.oneof(text, fc.constantFrom('active', ...distinct(keys, field)));
  const query = fc.record({ provider: value('provider'), status: value('status') }, { requiredKeys: [] });
  for (const filters of fc.sample(query, options)) await run.list('admin.jwt', filters, asked('lists'));
  await run.list('admin.jwt', {}, mild('control after generated lists'));
}
