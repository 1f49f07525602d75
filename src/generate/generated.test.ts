// Generated files follow their sources: `npm run generate` (vitest -u on this file) writes them, a plain run compares.
import { readFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { errorKinds, resolveKind } from '../core/spec/error-kinds.ts';
import { defaultAnswers, gapLedger } from '../core/spec/gaps.ts';
import { resolve } from '../core/spec/resolve.ts';
import { packageFile } from '../server/files/package-root.ts';
import { sourceDocument } from '../server/files/sections.ts';
import { apiPage, type Requirement } from './api-page.ts';
import { gapTypesSource } from './sources.ts';

test('gap-types.ts follows gaps.yaml', async () => {
  await expect(gapTypesSource(gapLedger().gaps)).toMatchFileSnapshot('../core/spec/gap-types.ts');
});

test('api-types.ts follows openapi.yaml', async () => {
  const document = JSON.stringify(resolve(defaultAnswers()));
  const types = astToString(await openapiTypescript(document));
  await expect(`// Generated from spec/ by \`npm run generate\`. Do not edit.\n${types}`).toMatchFileSnapshot(
    '../core/spec/api-types.ts',
  );
});

test('control-types.ts follows control.yaml', async () => {
  const types = astToString(await openapiTypescript(new URL(`file://${packageFile('spec', 'control.yaml')}`)));
  await expect(`// Generated from spec/ by \`npm run generate\`. Do not edit.\n${types}`).toMatchFileSnapshot(
    '../control/control-types.ts',
  );
});

test('docs/api.md follows spec/', async () => {
  const { requirements } = parse(readFileSync(packageFile('spec', 'requirements.yaml'), 'utf8')) as {
    requirements: Requirement[];
  };
  const answers = defaultAnswers();
  const page = apiPage({
    source: sourceDocument(),
    requirements,
    ledger: gapLedger(),
    document: resolve(answers),
    // A kind that is refused like another one keeps its own name.
    errors: errorKinds.flatMap((kind) => {
      const resolved = resolveKind(kind, answers);
      return resolved ? [{ ...resolved, kind }] : [];
    }),
  });
  await expect(page).toMatchFileSnapshot(packageFile('docs', 'api.md'));
});
