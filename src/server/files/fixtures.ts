import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asText } from '../../../contract-tests/values/json.ts';
import { files as validators } from '../../core/generated/file-validators.js';
import { ConfigError } from '../../core/spec/config-error.ts';
import { isObject } from '../../core/spec/document.ts';
import { errorPath, errorText } from '../../core/validation/refusal.ts';
import {
  type FixtureFile,
  type FixtureKind,
  type Fixtures,
  fixtureKinds,
  mergeFixtures,
  shippedFixtures,
} from '../../core/world/fixtures.ts';
import { readYamlFile, type YamlFile } from './yaml-file.ts';

interface Entry {
  readonly kind: FixtureKind;
  readonly record: { readonly id: string } & Record<string, unknown>;
  readonly reason: (field: string | undefined, text: string) => string;
}

/** Reads all YAML files of a folder, or the shipped ones, as fixtures; throws ConfigError naming file, line and reason. */
export function loadFixtures(folder?: string): Fixtures {
  if (folder === undefined) return shippedFixtures();
  const files = yamlNamesIn(folder).map((name) => readYamlFile(join(folder, name)));
  refuse(files.flatMap(shapeProblems));
  const entries = files.flatMap(entriesOf);
  refuse(missingKinds(entries).map((reason) => `fixtures folder ${folder}: ${reason}`));
  refuse([...duplicateIds(entries), ...danglingReferences(entries)]);
  return mergeFixtures(files.map(({ value }) => (value ?? {}) as FixtureFile));
}

function yamlNamesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new ConfigError([`fixtures folder ${folder}: cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
  const files = names.filter((name) => /\.ya?ml$/.test(name)).sort();
  if (files.length === 0) throw new ConfigError([`fixtures folder ${folder}: has no .yaml file`]);
  return files;
}

const refuse = (problems: string[]): void => {
  if (problems.length > 0) throw new ConfigError(problems);
};

function shapeProblems(file: YamlFile): string[] {
  const validate = validators.fixtures;
  if (file.value === null || validate?.(file.value)) return [];
  return (validate?.errors ?? []).map((error) => {
    const path = errorPath(error).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    return file.reason(path, `${path.join('.') || 'the file'} ${errorText(error)}`);
  });
}

function entriesOf(file: YamlFile): Entry[] {
  if (!isObject(file.value)) return [];
  const value = file.value as Record<FixtureKind, Entry['record'][] | undefined>;
  return fixtureKinds.flatMap((kind) =>
    (value[kind] ?? []).map((record, at) => ({
      kind,
      record,
      reason: (field: string | undefined, text: string) => file.reason(field ? [kind, at, field] : [kind, at], text),
    })),
  );
}

function duplicateIds(entries: readonly Entry[]): string[] {
  const seen = new Set<string>();
  return entries.flatMap(({ kind, record, reason }) => {
    const key = `${kind} ${record.id}`;
    if (seen.has(key)) return [reason('id', `the id ${record.id} is used twice in ${kind}`)];
    seen.add(key);
    return [];
  });
}

const references = ['tenant', 'user'] as const;

/** Without the file of users, each reference to one would be reported. */
const missingKinds = (entries: readonly Entry[]): string[] =>
  references
    .filter((field) => !entries.some(({ kind }) => kind === `${field}s`))
    .flatMap((field) => {
      const from = entries.find(({ record }) => record[field] !== undefined);
      return from ? [`has no ${field}s (usually ${field}s.yaml), and its ${from.kind} name some`] : [];
    });

function danglingReferences(entries: readonly Entry[]): string[] {
  const known = new Set(entries.map(({ kind, record }) => `${kind} ${record.id}`));
  return entries.flatMap(({ kind, record, reason }) =>
    references
      .filter((field) => record[field] !== undefined && !known.has(`${field}s ${asText(record[field])}`))
      .map((field) => reason(field, `${kind}: there is no ${field} ${asText(record[field])}`)),
  );
}
