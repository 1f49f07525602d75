import { readFileSync } from 'node:fs';
import type { Node } from 'yaml';
import { ConfigError } from '../../core/spec/config-error.ts';
import { yamlLibrary } from './yaml-library.ts';

/** A YAML file's value and the positions of its parts. */
export interface YamlFile {
  readonly file: string;
  readonly value: unknown;
  /** 1-based line of the node at `path`, or of its nearest parent that exists. */
  lineOf(path: readonly (string | number)[]): number;
  /** A one-line reason in the form `file:line: reason`. */
  reason(path: readonly (string | number)[], text: string): string;
}

/**
 * Reads one YAML (or JSON) file.
 * @throws ConfigError if it cannot be read or is not YAML
 */
export function readYamlFile(file: string): YamlFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError([`${file}: cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`]);
  }
  return parseYaml(text, file);
}

/** As readYamlFile, for a text. */
export function parseYaml(text: string, file: string): YamlFile {
  const { LineCounter, parseDocument } = yamlLibrary();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) throw new ConfigError([`${file}:${lines.linePos(broken.pos[0]).line}: not YAML: ${broken.message}`]);

  const lineOf = (path: readonly (string | number)[]): number => {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const offset = startOf(document.getIn(path.slice(0, depth - 1), true), path.slice(0, depth), (at) =>
        document.getIn(at, true),
      );
      if (offset !== undefined) return lines.linePos(offset).line;
    }
    return 1;
  };
  return {
    file,
    value: document.toJS(),
    lineOf,
    reason: (path, text) => `${file}:${lineOf(path)}: ${text}`,
  };
}

/** The offset of the node at `path`: that of its key, if it has one. */
function startOf(
  parent: unknown,
  path: readonly (string | number)[],
  get: (path: readonly (string | number)[]) => unknown,
) {
  const { isMap, isScalar } = yamlLibrary();
  const key = path.at(-1);
  if (isMap(parent)) {
    const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key);
    if (pair) return (pair.key as Node).range?.[0];
  }
  return (get(path) as Node | undefined)?.range?.[0];
}
