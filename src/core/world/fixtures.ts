import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../spec/config-error.ts';
import { isObject, type JsonObject } from '../spec/document.ts';
import { packageFile } from '../../server/files/package-root.ts';
import { errorPath, errorText, newAjv, type ValidateFunction } from '../spec/schema-check.ts';
import { readYamlFile, shippedYamlFile, type YamlFile } from '../../server/files/yaml-file.ts';
import type { RecordingStatus, Tenant } from './records.ts';

export interface UserFixture {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly confirmed: boolean;
  readonly created_at: string;
  readonly tenant: string;
  readonly administrator: boolean;
  readonly locale?: string;
  readonly sso: { readonly oid: string; readonly tid?: string; readonly upn: string };
}

/** Numbers are positions, from 1, in the profile's vocabularies. */
export interface RecordingFixture {
  readonly id: string;
  readonly title: string;
  readonly filename: string;
  readonly status: RecordingStatus;
  readonly method?: number;
  readonly quality?: number;
  readonly language?: number;
  readonly diarization_enabled?: boolean;
  readonly user: string;
  readonly created_at: string;
  readonly updated_at?: string;
  readonly duration_seconds?: number;
  readonly kb_folder_id?: string;
  readonly kb_document_id?: string;
  readonly summary?: string;
  readonly analysis?: JsonObject;
}

/** `provider` and `status` are positions, from 1, in the profile's vocabularies. */
export interface ApiKeyFixture {
  readonly id: string;
  readonly tenant: string;
  readonly provider: number;
  readonly name: string;
  readonly status: number;
  readonly created_at: string;
  readonly last_used_at?: string;
}

/** The seed data written by hand, independent of any profile. */
export interface Fixtures {
  readonly tenants: readonly Tenant[];
  readonly users: readonly UserFixture[];
  readonly recordings: readonly RecordingFixture[];
  readonly api_keys: readonly ApiKeyFixture[];
  readonly fill: { readonly recordings?: number };
}

const kinds = ['tenants', 'users', 'recordings', 'api_keys'] as const;
type Kind = (typeof kinds)[number];

interface Entry {
  readonly kind: Kind;
  readonly record: { readonly id: string } & Record<string, unknown>;
  readonly reason: (field: string | undefined, text: string) => string;
}

/**
 * Reads every YAML file of a folder as one set of fixtures (the shipped one when none is named).
 * @throws ConfigError naming file, line and reason
 */
export function loadFixtures(folder?: string): Fixtures {
  const files =
    folder === undefined
      ? yamlNamesIn(packageFile('fixtures')).map((name) => shippedYamlFile('fixtures', name))
      : yamlNamesIn(folder).map((name) => readYamlFile(join(folder, name)));
  // The shipped fixtures are proved by a test of this package; start-up time matters.
  if (folder !== undefined) checkShape(files);
  const entries = files.flatMap(entriesOf);
  refuse([...duplicateIds(entries), ...danglingReferences(entries)]);
  const of = <T>(kind: Kind) =>
    entries.filter((entry) => entry.kind === kind).map((entry) => entry.record as unknown as T);
  return {
    tenants: of<Tenant>('tenants'),
    users: of<UserFixture>('users'),
    recordings: of<RecordingFixture>('recordings'),
    api_keys: of<ApiKeyFixture>('api_keys'),
    fill: Object.assign({}, ...files.map((file) => (file.value as { fill?: object } | null)?.fill)),
  };
}

/** @throws ConfigError */
function checkShape(files: readonly YamlFile[]): void {
  const validate = newAjv({ allErrors: true }).compile(
    JSON.parse(readFileSync(packageFile('spec', 'schemas', 'fixtures.schema.json'), 'utf8')),
  );
  refuse(files.flatMap((file) => shapeProblems(file, validate)));
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

function shapeProblems(file: YamlFile, validate: ValidateFunction): string[] {
  if (file.value === null || validate(file.value)) return [];
  return (validate.errors ?? []).map((error) => {
    const path = errorPath(error).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    return file.reason(path, `${path.join('.') || 'the file'} ${errorText(error)}`);
  });
}

function entriesOf(file: YamlFile): Entry[] {
  if (!isObject(file.value)) return [];
  const value = file.value as unknown as Record<Kind, Entry['record'][] | undefined>;
  return kinds.flatMap((kind) =>
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
    if (seen.has(key)) return [reason('id', `the id ${record.id} is there twice among ${kind}`)];
    seen.add(key);
    return [];
  });
}

function danglingReferences(entries: readonly Entry[]): string[] {
  const ids = (kind: Kind) => new Set(entries.filter((entry) => entry.kind === kind).map((entry) => entry.record.id));
  const targets = { tenant: ids('tenants'), user: ids('users') };
  return entries.flatMap(({ kind, record, reason }) =>
    (['tenant', 'user'] as const)
      .filter((field) => record[field] !== undefined && !targets[field].has(String(record[field])))
      .map((field) => reason(field, `${kind}: there is no ${field} ${String(record[field])}`)),
  );
}
