import { readFileSync, statSync } from 'node:fs';
import type { Document, Node } from 'yaml';
import { yamlLibrary } from '../../../contract-tests/files/yaml-file.ts';
import { ConfigError } from '../../core/spec/config-error.ts';

export interface YamlFile {
  readonly file: string;
  readonly value: unknown;
  /** 1-based line of the node at `path`, or of its nearest parent that exists. */
  lineOf(path: readonly (string | number)[]): number;
  /** A one-line reason in the form `file:line: reason`. */
  reason(path: readonly (string | number)[], text: string): string;
  /** The same in the form `file:line:column: reason`. */
  located(path: readonly (string | number)[], text: string): string;
}

/** Reads one YAML (or JSON) file; throws ConfigError if it cannot be read or is not YAML. */
export function readYamlFile(file: string): YamlFile {
  let text: string;
  try {
    // Some devices never reach an end.
    if (statSync(file).isCharacterDevice()) throw Object.assign(new Error(), { code: 'it is a device' });
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError([`${file}: cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`]);
  }
  return parseYaml(text, file);
}

/** As readYamlFile, for text. */
export function parseYaml(text: string, file: string): YamlFile {
  const { LineCounter, parseDocument } = yamlLibrary();
  refuseDeep(text, file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) throw new ConfigError([`${file}:${lines.linePos(broken.pos[0]).line}: not YAML: ${broken.message}`]);
  const value = plainValue(document, file);

  const placeOf = (path: readonly (string | number)[]): { line: number; col: number } => {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const offset = startOf(document, path.slice(0, depth));
      if (offset !== undefined) return lines.linePos(offset);
    }
    return { line: 1, col: 1 };
  };
  const lineOf = (path: readonly (string | number)[]): number => placeOf(path).line;
  return {
    file,
    value,
    lineOf,
    reason: (path, text) => `${file}:${lineOf(path)}: ${text}`,
    located: (path, text) => `${file}:${placeOf(path).line}:${placeOf(path).col}: ${text}`,
  };
}

/** Indentation, `- ` and `? ` included, plus open brackets: the parser recurses for each. */
const deepest = 200;

/** @throws ConfigError for nesting that would exhaust the stack, where V8 ends the process instead of throwing */
function refuseDeep(text: string, file: string): void {
  let open = 0;
  let [line, indentation, isIndenting] = [1, 0, true];
  for (const character of text) {
    if (character === '\n') [line, indentation, isIndenting] = [line + 1, 0, true];
    else if (isIndenting) {
      indentation += 1;
      isIndenting = ' \t-?'.includes(character);
    }
    if (character === '[' || character === '{') open += 1;
    else if (character === ']' || character === '}') open -= 1;
    if (open > deepest || indentation > deepest)
      throw new ConfigError([`${file}:${line}: nested more than ${deepest} levels deep`]);
  }
}

/** @throws ConfigError for unresolved, circular or exponentially multiplying aliases */
function plainValue(document: Document, file: string): unknown {
  try {
    const value: unknown = document.toJS();
    // Throws for a part that contains itself, which no reader could finish.
    JSON.stringify(value);
    return value;
  } catch (error) {
    const { name, message } = error as Error;
    const [reason] = name === 'TypeError' ? ['an alias refers to a node that contains it'] : message.split('\n');
    throw new ConfigError([`${file}: cannot be read: ${reason}`]);
  }
}

function startOf(document: Document, path: readonly (string | number)[]): number | undefined {
  const { isMap, isScalar } = yamlLibrary();
  const parent = document.getIn(path.slice(0, -1), true);
  const key = path.at(-1);
  const pair = isMap(parent) ? parent.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
  const node = pair?.key ?? document.getIn(path, true);
  return (node as Node | undefined)?.range?.[0];
}
