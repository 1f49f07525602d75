import { UsageError } from '../../../contract-tests/errors.ts';
import * as yaml from '../../../contract-tests/files/yaml-file.ts';
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
export const readYamlFile = (file: string): YamlFile => withPlaces(file, () => yaml.readYamlFile(file));

/** As readYamlFile, for text. */
export const parseYaml = (text: string, file: string): YamlFile => withPlaces(file, () => yaml.parseYaml(text, file));

function withPlaces(file: string, parse: () => yaml.YamlFile): YamlFile {
  const { value, placeOf } = configured(parse);
  const nearest = (path: readonly (string | number)[]): { line: number; col: number } =>
    placeOf(path) ?? (path.length > 0 ? nearest(path.slice(0, -1)) : { line: 1, col: 1 });
  return {
    file,
    value,
    lineOf: (path) => nearest(path).line,
    reason: (path, text) => `${file}:${nearest(path).line}: ${text}`,
    located: (path, text) => `${file}:${nearest(path).line}:${nearest(path).col}: ${text}`,
  };
}

function configured<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof UsageError ? new ConfigError([error.message.replace(/\.$/, '')]) : error;
  }
}
