import { existsSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { dirname, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { TargetActors } from '../api/named-actors.ts';
import type { Reading } from '../api/reading.ts';
import { UsageError } from '../errors.ts';
import { checkBySchema, type DidYouMean } from '../files/schema-check.ts';
import { parseYaml, readYamlFile } from '../files/yaml-file.ts';
import { asText, isObject, mapJson, memberOf } from '../values/json.ts';
import { baseUrlProblem } from '../values/url.ts';
import { type Endpoint, tlsOptions } from '../wire/client.ts';

type LocalCommand = { command: readonly string[]; timeoutMs?: number };
export type FieldCommand = LocalCommand & { field: string };

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
  reads?: { recording: Reading };
  /** Forbids writes, whatever the command says. */
  writes?: 'never';
  setUp?: LocalCommand;
  tearDown?: LocalCommand;
  commands?: readonly FieldCommand[];
  /** The file's folder, in which its commands run. */
  folder?: string;
}

export interface TargetChoice {
  baseUrl?: string;
  target?: string;
  /** What the target file says; by default it is read. */
  text?: string;
  /** A profile file or name; overrides the one that the target names. */
  profile?: string;
  timeout?: number;
  rps?: number;
}

/** Throws UsageError when there is none, or its URL cannot be used. */
export function readTarget(options: TargetChoice, didYouMean?: DidYouMean): Target {
  const { target: targetFile } = options;
  if ((options.baseUrl ?? targetFile) === undefined)
    throw new UsageError('Name the target: --base-url URL, or --target FILE.');
  const file = targetFile === undefined ? undefined : loadTargetFile(targetFile, options, didYouMean);
  const baseUrl = options.baseUrl ?? file?.baseUrl ?? '';
  const problem = baseUrlProblem(baseUrl);
  if (problem !== undefined) throw new UsageError(problem);
  if (file) assertTwoPeople(file, targetFile ?? '');
  const { timeoutMs, requestsPerSecond } = file?.limits ?? {};
  const limits = { timeoutMs: options.timeout ?? timeoutMs, requestsPerSecond: options.rps ?? requestsPerSecond };
  // HTTP:// is the same scheme, which clients and comparisons of URLs expect in lower case.
  return { ...file, baseUrl: baseUrl.replace(/^https?:/i, (scheme) => scheme.toLowerCase()), limits };
}

/** The member represents somebody who is not an administrator: with the same credentials every comparison would be wrong. */
export function assertTwoPeople({ actors }: Target, file: string): void {
  for (const way of ['sso', 'login', 'accessToken', 'pat'] as const) {
    const member = actors?.member?.[way];
    const advice = 'name somebody who is not an administrator, or leave actors.member out';
    if (member !== undefined && isDeepStrictEqual(member, actors?.admin?.[way]))
      throw new UsageError(`${file}: actors.member.${way} is that of actors.admin: ${advice}.`);
  }
}

const TLS_FILES = ['caFile', 'certFile', 'keyFile'] as const;

/** Reads a target file: `${VAR}` is an environment variable, paths become absolute. Throws UsageError with file, line, reason. */
function loadTargetFile(file: string, { baseUrl, text }: TargetChoice, didYouMean?: DidYouMean): Target {
  const { map, where } = text === undefined ? readYamlFile(file, 'the target file') : parseYaml(text, file);
  if (!map) throw new UsageError(`${file}: a target file is a map with baseUrl, actors and resources.`);
  const read = (name: string, path: string[]): string => {
    const value = memberOf(process.env, name);
    if (!value) throw new UsageError(`${where(path)}: ${path.join('.')}: the environment variable ${name} is not set.`);
    // A command is printed: its words are read when it runs.
    return path.at(-2) === 'command' ? `\${${name}}` : value;
  };
  const substituted = mapJson<unknown>(map, (value, path) =>
    typeof value === 'string' ? withVariables(value, (name) => read(name, path)) : value,
  );
  const whole = { ...(baseUrl !== undefined && { baseUrl }), ...(substituted as Partial<Target>) };
  const { target, commands } = withoutCommands(checkBySchema<Target>('target', whole, where, didYouMean));
  const folder = dirname(resolve(file));
  const { profile, tls, reads, headers = {} } = target;
  for (const [name, value] of Object.entries(headers)) {
    if (/^authorization$/i.test(name)) {
      const advice =
        'give tokens as accessToken or pat of an actor, and credentials of a gateway in a header that it reads instead';
      throw new UsageError(`${where(['headers', name])}: headers.${name}: the bearer token replaces it: ${advice}.`);
    }
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      const what = `${JSON.stringify(name)} or its value is not valid in HTTP`;
      throw new UsageError(`${where(['headers', name])}: headers: ${what}.`);
    }
  }
  const files: Partial<Record<(typeof TLS_FILES)[number], string>> = {};
  for (const name of TLS_FILES) {
    const file = tls?.[name] && resolve(folder, tls[name]);
    if (file && !existsSync(file))
      throw new UsageError(`${where(['tls', name])}: tls.${name}: there is no file ${file}.`);
    if (file) files[name] = file;
  }
  const absolute = tls && { ...tls, ...files };
  try {
    createSecureContext(tlsOptions(absolute));
  } catch (error) {
    throw new UsageError(`${where(['tls'])}: tls: its certificate, key and passphrase do not fit: ${asText(error)}.`);
  }
  return {
    ...target,
    ...(typeof profile === 'string' && /[./\\]/.test(profile) && { profile: resolve(folder, profile) }),
    ...(absolute && { tls: absolute }),
    ...(reads && { reads: readsOf(reads) }),
    ...(commands.length > 0 && { commands }),
    folder,
  };
}

/** `reads` as a path, where it is short: `GET /internal/recordings/{id}`. */
export function readsOf({ recording }: { recording: Reading | string }): { recording: Reading } {
  return { recording: typeof recording === 'string' ? { path: recording.slice('GET '.length) } : recording };
}

/** A target without the fields that commands give, and these commands. */
export function withoutCommands({ actors, resources, ...rest }: Target): { target: Target; commands: FieldCommand[] } {
  const commands: FieldCommand[] = [];
  const given = mapJson<unknown>({ actors, resources }, (value, path) => {
    // An analysis may have any members.
    if (!isObject(value) || !Array.isArray(value.command) || path.includes('analysis')) return value;
    commands.push({ field: path.join('.'), ...(value as LocalCommand) });
    return undefined;
  });
  return { target: { ...rest, ...(given as Target) }, commands };
}

export const commandLines = ({ commands = [], setUp, tearDown }: Target): string[] =>
  [setUp && { field: 'setUp', ...setUp }, ...commands, tearDown && { field: 'tearDown', ...tearDown }].flatMap(
    (each) => (each ? `${each.field}: ${each.command.join(' ')}` : []),
  );

export const withVariables = (text: string, read: (name: string) => string): string =>
  text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => read(name));
