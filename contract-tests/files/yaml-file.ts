import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Document } from 'yaml';
import { UsageError } from '../errors.ts';

const require = createRequire(import.meta.url);

/** The YAML parser, loaded on first use: serving compiled data does not need it. */
export const yamlLibrary = (): typeof import('yaml') => require('yaml') as typeof import('yaml');

/** YAML that somebody wrote by hand, whose faults are reported with file and line. */
export type YamlFile = ReturnType<typeof parseYaml>;

/** Reads a YAML file; `what` names it in messages. Throws UsageError when it cannot be read or is not YAML. */
export function readYamlFile(file: string, what: string): YamlFile {
  let text: string;
  try {
    // Some devices never end.
    if (statSync(file).isCharacterDevice()) throw Object.assign(new Error(), { code: 'it is a device' });
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: ${what} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return parseYaml(text, file);
}

/** The YAML in a text; `file` is where it came from. Throws UsageError when it is not YAML. */
export function parseYaml(text: string, file: string) {
  const { isMap, LineCounter, parseDocument } = yamlLibrary();
  refuseDeep(text, file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const [broken] = document.errors;
  if (broken)
    throw new UsageError(`${at(broken.pos[0])}: not YAML: ${broken.message.replace(/ at line \d+, column .*/s, '')}.`);
  return {
    /** The content as plain values; undefined unless it is a map. */
    map: isMap(document.contents) ? (plainValue(document, file) as Record<string, unknown>) : undefined,
    /** `file:line` of the value at a path; the file alone where there is none. */
    where(path: readonly (string | number)[]): string {
      const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
      return node?.range ? at(node.range[0]) : file;
    },
  };
}

/** Levels of brackets and characters of indentation: the parser recurses into each of them. */
const MAX_DEPTH = 200;

/** Throws UsageError where the nesting would exhaust the stack: V8 then ends the process instead of throwing. */
function refuseDeep(text: string, file: string): void {
  let open = 0;
  for (const [at, line] of text.split('\n').entries()) {
    const indentation = /[^ \t\-?]/.exec(line)?.index ?? 0;
    for (const sign of line) open += '[{'.includes(sign) ? 1 : ']}'.includes(sign) ? -1 : 0;
    if (open > MAX_DEPTH || indentation > MAX_DEPTH)
      throw new UsageError(`${file}:${at + 1}: nested more than ${MAX_DEPTH} levels deep.`);
  }
}

/** The values of a document. Throws UsageError for aliases of nothing, of themselves, or that multiply without bound. */
function plainValue(document: Document, file: string): unknown {
  try {
    const value: unknown = document.toJS();
    JSON.stringify(value); // throws where a part contains itself
    return value;
  } catch (error) {
    const { name, message } = error as Error;
    const reason = name === 'TypeError' ? 'an alias refers to what contains it' : message.split('\n')[0];
    throw new UsageError(`${file}: cannot be read: ${reason}.`);
  }
}
