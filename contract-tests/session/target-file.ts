import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { TargetActors } from '../api/named-actors.ts';
import type { Reading } from '../api/reading.ts';
import { UsageError } from '../errors.ts';
import { checkBySchema, type DidYouMean, type Where } from '../files/schema-check.ts';
import { readYamlFile } from '../files/yaml-file.ts';
import { isObject } from '../values/json.ts';
import type { Endpoint } from '../wire/client.ts';

/** A command of this machine that a target file names. */
export interface LocalCommand {
  command: readonly string[];
  timeoutMs?: number;
}

/** A command that prints the value of a field. */
export interface FieldCommand extends LocalCommand {
  /** `actors.admin.accessToken` */
  field: string;
}

/** An implementation under test, as a target file describes it (spec/schemas/target.schema.json). */
export interface Target extends Endpoint {
  profile?: string | { name?: string; answers: Record<string, unknown> };
  actors?: TargetActors;
  resources?: {
    recordingId?: string;
    otherRecordingId?: string;
    tenantId?: string;
    otherTenantId?: string;
    kbFolderId?: string;
    kbDocumentId?: string;
    analysis?: Record<string, unknown>;
  };
  /** Operations of the deployment beyond those of the document. */
  reads?: { recording: Reading };
  /** Run before anything else, and at the end. */
  setUp?: LocalCommand;
  tearDown?: LocalCommand;
  /** The fields of the file that commands give. */
  commands?: readonly FieldCommand[];
  /** The file's folder, in which its commands run. */
  folder?: string;
}

/**
 * Reads a target file: YAML, in which `${VAR}` reads an environment variable. Paths in it (profile, caFile) become
 * absolute. Throws UsageError with file, line and reason.
 */
export function loadTargetFile(file: string, env: NodeJS.ProcessEnv = process.env, didYouMean?: DidYouMean): Target {
  const { map, where } = readYamlFile(file, 'the target file');
  if (!map) throw new UsageError(`${file}: a target file is a map with baseUrl, actors and resources.`);
  const substituted = substitute(map, [], (name, path) => {
    const value = env[name];
    if (value === undefined || value === '')
      throw new UsageError(`${where(path)}: ${path.join('.')}: the environment variable ${name} is not set.`);
    // A command is printed: its words are read when it runs.
    return path.at(-2) === 'command' ? `\${${name}}` : value;
  });
  const folder = dirname(resolve(file));
  const { target: fields, commands } = withoutCommands(writtenOut(checkTarget(substituted, where, didYouMean)));
  const target = { ...absolutePaths(fields, folder), ...(commands.length > 0 ? { commands } : {}), folder };
  const caFile = target.tls?.caFile;
  if (caFile && !existsSync(caFile))
    throw new UsageError(`${where(['tls', 'caFile'])}: tls.caFile: there is no file ${caFile}.`);
  return target;
}

/** Validates a target that did not come from a file (the mock's own description). `where` names its origin. */
export const checkTarget = (value: unknown, where: Where, didYouMean?: DidYouMean): Target =>
  checkBySchema<Target>('target', value, where, didYouMean);

/** A target without the fields that commands give, and these commands. */
export function withoutCommands(target: Target): { target: Target; commands: FieldCommand[] } {
  const commands: FieldCommand[] = [];
  const take = (value: unknown, path: string[]): unknown => {
    if (Array.isArray(value)) return value.map((item, at) => take(item, [...path, String(at)]));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).flatMap(([name, item]) => {
      // An analysis may have any members.
      const isCommand = name !== 'analysis' && isObject(item) && Array.isArray(item.command);
      if (isCommand) commands.push({ field: [...path, name].join('.'), ...(item as unknown as LocalCommand) });
      return isCommand ? [] : [[name, name === 'analysis' ? item : take(item, [...path, name])]];
    });
    return Object.fromEntries(entries);
  };
  const { actors, resources, ...rest } = target;
  const taken = take({ ...(actors ? { actors } : {}), ...(resources ? { resources } : {}) }, []) as Target;
  return { target: { ...rest, ...taken }, commands };
}

/** The commands of a target file, a line each. */
export const commandLines = ({ commands = [], setUp, tearDown }: Target): string[] =>
  [
    ...(setUp ? [{ field: 'setUp', ...setUp }] : []),
    ...commands,
    ...(tearDown ? [{ field: 'tearDown', ...tearDown }] : []),
  ].map(({ field, command }) => `${field}: ${command.join(' ')}`);

/** A text whose `${VAR}` are read. */
export const withVariables = (text: string, read: (name: string) => string): string =>
  text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => read(name));

function substitute(value: unknown, path: string[], read: (name: string, path: string[]) => string): unknown {
  if (typeof value === 'string') return withVariables(value, (name) => read(name, path));
  if (Array.isArray(value)) return value.map((item, index) => substitute(item, [...path, String(index)], read));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, [...path, key], read)]));
}

/** What a target file says in short, written out: `GET /internal/recordings/{id}`. */
function writtenOut(target: Target): Target {
  const recording: unknown = target.reads?.recording;
  if (typeof recording !== 'string') return target;
  return { ...target, reads: { recording: { path: recording.slice('GET '.length) } } };
}

function absolutePaths({ profile, tls, ...target }: Target, folder: string): Target {
  const isFile = typeof profile === 'string' && /[./\\]/.test(profile);
  const caFile = tls?.caFile && resolve(folder, tls.caFile);
  return { ...target, profile: isFile ? resolve(folder, profile) : profile, tls: tls && { ...tls, caFile } };
}
