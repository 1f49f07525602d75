import type { Gap, Json } from '../core/spec/gaps.ts';
import { allowedAnswers, answerSchema } from '../core/spec/gaps.ts';
import { profileMembers } from '../core/spec/profile-members.ts';

const header = '// Generated from spec/ by `npm run generate`. Do not edit.\n';

/** The source of gap-types.ts: the ledger as TypeScript types. */
export function gapTypesSource(gaps: readonly Gap[]): string {
  const fields = gaps.map(
    (gap) => `  /** ${gap.question} (${gap.section}) */\n  readonly '${gap.id}': ${typeOf(gap)};`,
  );
  return `${header}\n/** An answer to every gap. */\nexport interface GapAnswers {\n${fields.join('\n')}\n}\n\n/** The id of a gap. */\nexport type GapId = keyof GapAnswers;\n`;
}

function typeOf(gap: Gap): string {
  const literals = (values: readonly Json[]) =>
    values.map((value) => (typeof value === 'string' ? `'${value}'` : value)).join(' | ');
  const schema = answerSchema(gap);
  if (Array.isArray(schema.enum)) return literals(schema.enum);
  if (schema.type === 'array') {
    const items = (schema.items as { enum?: Json[] }).enum;
    return items ? `readonly (${literals(items)})[]` : 'readonly string[]';
  }
  return schema.type === 'integer' ? 'number' : 'string';
}

/**
 * spec/schemas/profile.schema.json: the JSON Schema of profile files, for completion in editors.
 * @public build.js writes it
 */
export function profileSchema(gaps: readonly Gap[]): Record<string, Json> {
  const answers = gaps.map((gap) => [
    gap.id,
    { description: `${gap.question} (section ${gap.section}) One of: ${allowedAnswers(gap)}`, ...answerSchema(gap) },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://platform-mock.invalid/profile.schema.json',
    title: 'A profile: answers to the gaps that the source document leaves',
    type: 'object',
    properties: {
      ...profileMembers,
      answers: { type: 'object', properties: Object.fromEntries(answers), additionalProperties: false },
    },
    required: ['answers'],
    additionalProperties: false,
  };
}
