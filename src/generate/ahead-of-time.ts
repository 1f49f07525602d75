// For build.js: the validators to compile ahead of time, with the same options as at run time.
import { readFileSync } from 'node:fs';
import { _ } from 'ajv';
import { controlDocument } from '../control/document.ts';
import { Answers } from '../core/profiles/answers.ts';
import type { ApiDocument, JsonObject } from '../core/spec/document.ts';
import { answerSchema, gapLedger } from '../core/spec/gaps.ts';
import { profileMembers } from '../core/spec/profile-members.ts';
import { resolve } from '../core/spec/resolve.ts';
import { type SchemaSet, withSchemas } from '../core/validation/compile.ts';
import { faultTerms, recordOf, schemasOf } from '../core/validation/schemas.ts';
import { resources } from '../core/world/resources.ts';
import { packageFile } from '../server/files/package-root.ts';

/** The key of the answers that the API is compiled for. */
export const keyOfDefault = (): string => Answers.of().key;

/** Ajv instances with their schemas, by generated module and its export. What only the control plane needs is loaded with it. */
export function aheadOfTime() {
  const answers = Answers.of();
  const api = resolve(answers.all);
  const control = controlDocument();
  const records = [...Object.values(resources).map(({ schema }) => schema), faultTerms].map((name) => [
    recordOf(name),
    { $ref: `#/components/schemas/${name}` },
  ]);
  const gapAnswers = Object.fromEntries(gapLedger().gaps.map((gap) => [gap.id, answerSchema(gap)]));
  const fixturesFile = packageFile('spec', 'schemas', 'fixtures.schema.json');
  const fixtures = JSON.parse(readFileSync(fixturesFile, 'utf8')) as JsonObject;
  return {
    validators: [
      ...halves('api', schemasOf(api, answers.get('unknown-query') === 'ignore'), api.components),
      ...halves('records', { parameters: {}, bodies: Object.fromEntries(records) }, control.components),
      ...halves('gapAnswers', { parameters: {}, bodies: gapAnswers }, { schemas: {} }),
    ],
    'control-validators': halves('control', schemasOf(control, false, []), control.components),
    'file-validators': halves('files', { parameters: {}, bodies: { ...profileMembers, fixtures } }, { schemas: {} }),
  };
}

/** As build.js finds them from where it writes the code of validators. */
const ownFormats = _`require("../../../dist/src/core/validation/formats.js").formats`;

function halves(set: string, schemas: SchemaSet, components: Pick<ApiDocument['components'], 'schemas'>) {
  return (['parameters', 'bodies'] as const)
    .map((half) => ({
      set,
      names: firstOfEach(schemas[half]),
      ajv: withSchemas(half, schemas, components, { code: { source: true, formats: ownFormats } }),
    }))
    .filter(({ names }) => names.size > 0);
}

/** The name of each schema -> the first name of an equal one, since one validator is enough for all of them. */
function firstOfEach(schemas: Readonly<Record<string, JsonObject>>): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  return new Map(
    Object.entries(schemas).map(([name, schema]) => {
      const text = JSON.stringify(schema);
      const first = firsts.get(text) ?? name;
      firsts.set(text, first);
      return [name, first];
    }),
  );
}
