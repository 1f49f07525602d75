// Generated files follow their sources: `npm run generate` (vitest -u on this file) writes them, a plain run compares.
import openapiTypescript, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { defaultAnswers, gapLedger } from '../core/spec/gaps.ts';
import { resolve } from '../core/spec/resolve.ts';
import { packageFile } from '../server/files/package-root.ts';
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
