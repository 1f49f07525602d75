import fc from 'fast-check';
import { FIELD_NAMES, READ_ONLY_FIELDS, STATUSES } from '../session/records.ts';
import type { JsonObject } from '../wire/json.ts';

/** Text as people and programs write it: any characters, markup, white space, up to a length that no limit forbids. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '\t',
    '<b>',
    '&amp;',
    '%00',
    '../..',
    '%s',
    '{{x}}',
    'null',
    "'; --",
    '\u202e',
    '\ufeff',
    '0',
  ),
);

const jsonObject = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });

/** Bodies of the update that the document allows: any of the five writable fields, each of its type (4.2). */
export const validUpdate: fc.Arbitrary<JsonObject> = fc
  .record(
    { title: text, kb_folder_id: text, kb_document_id: text, summary: text, analysis: jsonObject },
    { requiredKeys: [] },
  )
  .filter((body) => Object.keys(body).length > 0);

const readOnly = Object.keys(READ_ONLY_FIELDS);

/** Bodies with anything in any field, read-only and unknown ones included. */
export const anyUpdate: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.record({ summary: text, title: fc.oneof(text, fc.jsonValue({ maxDepth: 1 })) }, { requiredKeys: [] }),
    fc.dictionary(
      fc.constantFrom(...readOnly),
      fc.oneof(text, fc.boolean(), fc.integer(), fc.constantFrom(...STATUSES, '2001-02-03T04:05:06Z', null)),
      { maxKeys: 3 },
    ),
    fc.dictionary(
      fc.string({ maxLength: 10 }).filter((name) => !FIELD_NAMES.includes(name)),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 2 },
    ),
  )
  .map(([written, sentAlong, unknown]) => ({ ...unknown, ...sentAlong, ...written }));

/** Queries of the list of API keys: filters by any text, and by the values that the list shows; unknown parameters. */
export function anyQuery(
  providers: readonly string[],
  statuses: readonly string[],
): fc.Arbitrary<Record<string, string>> {
  const value = (seen: readonly string[]): fc.Arbitrary<string> =>
    seen.length > 0 ? fc.oneof(fc.constantFrom(...seen), text) : text;
  return fc
    .tuple(
      fc.record({ provider: value(providers), status: value(statuses) }, { requiredKeys: [] }),
      fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), text, { maxKeys: 2 }),
    )
    .map(([filters, others]) => ({ ...others, ...filters }));
}

/** Headers that a client may add, and that change nothing of what a request means. */
export const harmlessHeaders: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.stringMatching(/^X-[A-Za-z]{3,10}$/),
  fc.stringMatching(/^[ -~]{0,30}$/).map((value) => value.trim()),
  { maxKeys: 3 },
);
