import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from './package-root.ts';
import { shippedYaml } from './shipped-yaml.ts';

const files = [
  ['spec', 'gaps.yaml'],
  ['spec', 'openapi.yaml'],
  ...readdirSync(packageFile('fixtures')).map((name) => ['fixtures', name]),
];

test.each(files)('%s/%s is what the file says, compiled or not', (...path) => {
  expect(shippedYaml(...path)).toEqual(parse(readFileSync(packageFile(...path), 'utf8')));
});
