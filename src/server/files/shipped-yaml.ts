import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { packageFile } from './package-root.ts';
import { yamlLibrary } from './yaml-library.ts';

// Parsing the package's own YAML takes a fifth of the start-up time, loading the parser some more. So the build writes
// down what it parsed, under a hash of the text: a file that was changed since is parsed anew, and nothing can drift.

interface Parsed {
  readonly hash: string;
  readonly value: unknown;
}

const cacheFile = () => packageFile('dist', 'yaml.json');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

let cache: Readonly<Record<string, Parsed>> | undefined;

/** A YAML file that ships with the package, e.g. `shippedYaml('spec', 'gaps.yaml')`. The value may be shared: copy it. */
export function shippedYaml(...path: readonly string[]): unknown {
  const text = readFileSync(packageFile(...path), 'utf8');
  cache ??= readCache();
  const known = cache[path.join('/')];
  return known?.hash === hashOf(text) ? known.value : parse(text);
}

/** Writes down what these files hold. The build's last step. */
export function compileYaml(files: readonly (readonly string[])[]): void {
  const entries = files.map((path): [string, Parsed] => {
    const text = readFileSync(packageFile(...path), 'utf8');
    return [path.join('/'), { hash: hashOf(text), value: parse(text) }];
  });
  writeFileSync(cacheFile(), JSON.stringify(Object.fromEntries(entries)));
}

/** There is none where the sources run unbuilt. */
function readCache(): Readonly<Record<string, Parsed>> {
  if (!existsSync(cacheFile())) return {};
  try {
    return JSON.parse(readFileSync(cacheFile(), 'utf8')) as Record<string, Parsed>;
  } catch {
    return {};
  }
}

const parse = (text: string): unknown => yamlLibrary().parse(text);
