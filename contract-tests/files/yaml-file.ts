import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Node } from 'yaml';
import { UsageError } from '../errors.ts';

const require = createRequire(import.meta.url);

/** The YAML parser, loaded on first use: serving compiled data does not need it. */
export const yamlLibrary = (): typeof import('yaml') => require('yaml') as typeof import('yaml');

export type YamlFile = ReturnType<typeof parseYaml>;

/** Reads a YAML file; `what` names it in messages. Throws UsageError when it cannot be read or is not YAML. */
export function readYamlFile(file: string, what = ''): YamlFile {
  let text: string;
  try {
    // Some devices never end.
    if (statSync(file).isCharacterDevice()) throw Object.assign(new Error(), { code: 'it is a device' });
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: ${what}${what && ' '}cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return parseYaml(text, file);
}

/** The YAML in a text; `file` is where it came from. Throws UsageError when it is not YAML. */
export function parseYaml(text: string, file: string) {
  const { isMap, isScalar, LineCounter, parseDocument } = yamlLibrary();
  refuseDeep(text, file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const [broken] = document.errors;
  if (broken) throw new UsageError(`${file}:${lines.linePos(broken.pos[0]).line}: not YAML: ${broken.message}.`);
  let value: unknown;
  try {
    value = document.toJS();
    JSON.stringify(value); // throws where a part contains itself
  } catch (error) {
    // An alias of nothing, of itself, or that multiplies without bound.
    const { name, message } = error as Error;
    const reason = name === 'TypeError' ? 'an alias refers to what contains it' : message.split('\n')[0];
    throw new UsageError(`${file}: cannot be read: ${reason}.`);
  }
  /** Line and column, from 1, of the member or item at a path; undefined where there is none. */
  const placeOf = (path: readonly (string | number)[]) => {
    const parent = document.getIn(path.slice(0, -1), true);
    const pairs = isMap(parent) ? parent.items : [];
    const pair = pairs.find(({ key }) => isScalar(key) && key.value === path.at(-1));
    const { range } = ((pair?.key ?? document.getIn(path, true)) as Node | undefined) ?? {};
    return range ? lines.linePos(range[0]) : undefined;
  };
  const where = (path: readonly (string | number)[]) => (placeOf(path) ? `${file}:${placeOf(path)?.line}` : file);
  return { value, map: isMap(document.contents) ? (value as Record<string, unknown>) : undefined, placeOf, where };
}

/** Levels of brackets, and characters of indentation with `- ` and `? `: the parser recurses into each of them. */
const MAX_DEPTH = 200;

/** Throws UsageError where the nesting would exhaust the stack: V8 then ends the process instead of throwing. */
function refuseDeep(text: string, file: string): void {
  let open = 0;
  for (const [at, line] of text.split('\n').entries()) {
    const indentation = /[^ \t\-?]/.exec(line)?.index ?? line.length;
    for (const sign of line) {
      open += '[{'.includes(sign) ? 1 : ']}'.includes(sign) ? -1 : 0;
      if (open > MAX_DEPTH || indentation > MAX_DEPTH)
        throw new UsageError(`${file}:${at + 1}: nested more than ${MAX_DEPTH} levels deep.`);
    }
  }
}
