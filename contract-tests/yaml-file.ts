import { readFileSync } from 'node:fs';
import { isMap, LineCounter, parseDocument } from 'yaml';
import { UsageError } from './errors.ts';

/** YAML that somebody wrote by hand, whose faults are reported with file and line. */
export interface YamlFile {
  /** The content as plain values; undefined unless it is a map. */
  map: Record<string, unknown> | undefined;
  /** `file:line` of the value at a path; the file alone where there is none. */
  where(path: readonly (string | number)[]): string;
}

/** Reads a YAML file; `what` names it in messages. Throws UsageError when it cannot be read or is not YAML. */
export function readYamlFile(file: string, what: string): YamlFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: ${what} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return parseYaml(text, file);
}

/** The YAML in a text; `file` is where it came from. Throws UsageError when it is not YAML. */
export function parseYaml(text: string, file: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const [broken] = document.errors;
  if (broken) throw new UsageError(`${at(broken.pos[0])}: not YAML: ${broken.message.split('\n')[0]}`);
  return {
    map: isMap(document.contents) ? (document.toJS() as Record<string, unknown>) : undefined,
    where(path) {
      const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
      return node?.range ? at(node.range[0]) : file;
    },
  };
}
