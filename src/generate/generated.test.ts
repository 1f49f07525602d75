// Generated files follow their sources: `npm run generate` (vitest -u on this file) writes them, a plain run compares.
import openapiTypescript, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { controlDocument } from '../control/document.ts';
import { profiles } from '../core/generated/data.js';
import { publish } from '../core/publish/publish.ts';
import { errorKinds, resolveKind } from '../core/spec/error-kinds.ts';
import { defaultAnswers, gapLedger } from '../core/spec/gaps.ts';
import { resolve } from '../core/spec/resolve.ts';
import { packageFile } from '../server/files/package-root.ts';
import { sourceDocument } from '../server/files/sections.ts';
import { apiPage } from './api-page.ts';
import { referencePages } from './reference.ts';
import { sharedDocument } from './shared-document.ts';
import { gapTypes } from './sources.ts';

/** Members that say that there is none, or any: `query?: never` alone says it of all parameters. */
const empty =
  /^ {8}requestBody\?: never;\n|^ {12}(?:header|path|cookie)\?: never;\n|^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm;

async function typesOf(source: string): Promise<string> {
  const text = astToString(await openapiTypescript(source)).replaceAll(empty, '');
  const [paths, ...others] = text.split(/(?=^export type webhooks)/m);
  const methods = paths?.replaceAll(/^ {8}(?:parameters: \{\s+query\?: never;\s+\}|\w+\?: never);\n/gm, '');
  return ['// Generated from spec/ by `npm run generate`. Do not edit.\n', methods, ...others].join('');
}

test('api-types.ts follows openapi.yaml and gaps.yaml', async () => {
  const document = JSON.stringify(publish(resolve(defaultAnswers())));
  const types = (await typesOf(document)) + gapTypes(gapLedger().gaps, errorKinds());
  await expect(types).toMatchFileSnapshot('../core/spec/api-types.ts');
});

test('shared-types.ts follows the shipped profiles', async () => {
  const types = await typesOf(JSON.stringify(sharedDocument(Object.keys(profiles))));
  await expect(types).toMatchFileSnapshot('../core/spec/shared-types.ts');
});

test('control-types.ts follows control.yaml', async () => {
  // For users, the id of an operation is any text.
  const withoutIds = (name: string, value: object) => (name === 'OperationId' ? { ...value, enum: undefined } : value);
  const types = await typesOf(JSON.stringify(controlDocument(), withoutIds));
  await expect(types).toMatchFileSnapshot('../core/spec/control-types.ts');
});

test('docs/api.md follows spec/', async () => {
  const answers = defaultAnswers();
  const page = apiPage({
    source: sourceDocument(),
    requirements: loadRequirements(),
    ledger: gapLedger(),
    document: resolve(answers),
    // A kind that resolves to another one keeps its own name.
    errors: errorKinds().flatMap((kind) => {
      const resolved = resolveKind(kind, answers);
      return resolved ? [{ ...resolved, kind }] : [];
    }),
  });
  await expect(page).toMatchFileSnapshot(packageFile('docs', 'api.md'));
});

test.each(Object.entries(referencePages()))('docs/reference/%s follows its sources', async (file, page) => {
  await expect(page).toMatchFileSnapshot(packageFile('docs', 'reference', file));
});
