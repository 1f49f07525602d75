// Generated files follow their sources: `npm run generate` (vitest -u on this file) writes them, a plain run compares.
import { readFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { apiPage, type Requirement } from './api-page.ts';
import { errorKinds, resolveKind } from './error-kinds.ts';
import { defaultAnswers, gapLedger } from './gaps.ts';
import { gapTypesSource, profileSchema } from './generated.ts';
import { packageFile } from './package-root.ts';
import { resolve } from './resolve.ts';
import { sourceDocument } from './sections.ts';

test('gap-types.ts follows gaps.yaml', async () => {
  await expect(gapTypesSource(gapLedger().gaps)).toMatchFileSnapshot('./gap-types.ts');
});

test('profile.schema.json follows gaps.yaml', async () => {
  const text = `${JSON.stringify(profileSchema(gapLedger().gaps), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(packageFile('spec', 'schemas', 'profile.schema.json'));
});

test('api-types.ts follows openapi.yaml', async () => {
  const document = JSON.stringify(resolve(defaultAnswers()));
  const types = astToString(await openapiTypescript(document));
  await expect(`// Generated from spec/ by \`npm run generate\`. Do not edit.\n${types}`).toMatchFileSnapshot(
    './api-types.ts',
  );
});

test('control.json follows control.yaml', async () => {
  const document = parse(readFileSync(packageFile('spec', 'control.yaml'), 'utf8'));
  await expect(`${JSON.stringify(document)}\n`).toMatchFileSnapshot(packageFile('spec', 'control.json'));
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
