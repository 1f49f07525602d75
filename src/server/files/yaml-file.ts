import { UsageError } from '../../../contract-tests/errors.ts';
import * as yaml from '../../../contract-tests/files/yaml-file.ts';
import { ConfigError } from '../../core/spec/config-error.ts';

type Path = readonly (string | number)[];

export type YamlFile = ReturnType<typeof readYamlFile>;

/** Reads one YAML (or JSON) file; throws ConfigError if it cannot be read or is not YAML. */
export function readYamlFile(file: string) {
  const { value, placeOf } = configured(() => yaml.readYamlFile(file));
  const nearest = (path: Path): { line: number; col: number } =>
    placeOf(path) ?? (path.length > 0 ? nearest(path.slice(0, -1)) : { line: 1, col: 1 });
  return {
    value,
    /** 1-based line of the node at `path`, or of its nearest parent that exists. */
    lineOf: (path: Path) => nearest(path).line,
    /** A one-line reason in the form `file:line: reason`. */
    reason: (path: Path, text: string) => `${file}:${nearest(path).line}: ${text}`,
    /** The same in the form `file:line:column: reason`. */
    located: (path: Path, text: string) => `${file}:${nearest(path).line}:${nearest(path).col}: ${text}`,
  };
}

function configured<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof UsageError ? new ConfigError([error.message.replace(/\.$/, '')]) : error;
  }
}
