// Run by `npm run build`.
import { readdirSync } from 'node:fs';
import { packageFile } from './package-root.ts';
import { compileYaml } from './shipped-yaml.ts';

compileYaml([
  ['spec', 'gaps.yaml'],
  ['spec', 'openapi.yaml'],
  ...readdirSync(packageFile('fixtures')).map((name) => ['fixtures', name]),
]);
