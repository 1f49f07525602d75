import { outlet } from '../../contract-tests/commands/outlet.ts';
import { onInterruption } from '../../contract-tests/commands/signals.ts';
import { TransportError } from '../../contract-tests/errors.ts';
import { Secrets } from '../../contract-tests/secrets/secrets.ts';
import { discoverTarget } from '../../contract-tests/session/discover.ts';
import { readTarget, type Target } from '../../contract-tests/session/target-file.ts';
import type { Answers } from '../core/profiles/answers.ts';
import { documentedOnly } from '../core/publish/documented.ts';
import type { GapAnswers } from '../core/spec/gaps.ts';
import { isObject, type Json, type JsonObject, mapMembers } from '../core/spec/json.ts';
import { resolve } from '../core/spec/resolve.ts';
import { loadProfile } from '../server/files/profile-file.ts';
import { findPrism, type PrismOptions, type PrismProcess, startPrism } from '../server/prism-process.ts';
import { told } from './crash.ts';
import { watchTraffic } from './proxy-watch.ts';
import { defined } from './target-options.ts';

export interface ProxyFlags extends Pick<PrismOptions, 'host' | 'port'> {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly target?: string;
  readonly record?: string;
  readonly judge?: boolean;
  readonly assumptions?: boolean;
}

const prismDied = 3;

const say = (text: string) => outlet.print('stdout', `${told(text)}\n`);

/** Runs the proxy until SIGINT or SIGTERM, and returns the exit code; throws ConfigError or UsageError for unusable input. */
export async function proxy(flags: ProxyFlags): Promise<number> {
  const { baseUrl, target: file, profile, host, port } = flags;
  findPrism();
  const target = await describedTarget(defined({ baseUrl, target: file }));
  // Its credentials are redacted in all that is printed from now on.
  new Secrets(target);
  const answers = profile === undefined ? answersOf(target) : loadProfile(profile);
  const document = flags.assumptions ? resolve(answers.all) : openDocument();
  const log = (line: string) => {
    // Paths of some operations are assumed.
    if (!flags.assumptions && line.includes('Selected route not found')) return;
    // It is about a violation.
    if (/\[(HTTP SERVER|VALIDATOR)\]/.test(line)) say(line);
  };
  // Between Prism and the target, to see the target's own answers.
  // Prism's own client has no certificate.
  const isWatched = flags.record !== undefined || flags.judge || target.tls?.certFile !== undefined;
  const watched = isWatched ? await watchTraffic(target, answers, flags, say) : undefined;
  const upstream = watched?.baseUrl ?? target.baseUrl;
  const { tls = {}, headers = {} } = target;
  const env = {
    ...(tls.insecure && { NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
    ...(tls.caFile !== undefined && { NODE_EXTRA_CA_CERTS: tls.caFile }),
  };
  const names = Object.keys(headers).join(', ');
  const by = flags.assumptions ? `the document and the profile ${answers.profile}` : 'what the document states';
  const options = { document, upstream, host, port, env, log };
  const code = await untilStopped(options, (baseUrl) => [
    `Prism validates requests from ${baseUrl} to ${target.baseUrl} by ${by}.`,
    'Violations are reported here and in the header sl-violations. Ctrl+C stops.',
    ...(names === '' ? [] : [`Prism does not add headers: clients must send ${names} themselves.`]),
    ...(watched?.notes ?? []),
  ]);
  await watched?.close();
  return code;
}

/** What the document states, in which nothing that it leaves open is a violation: other responses, and bodies that it does not show. */
function openDocument(): JsonObject {
  const document = documentedOnly();
  const openItem = (item: Json): Json =>
    mapMembers(item, (operation, method) => {
      if (!isObject(operation) || !isObject(operation.responses)) return operation;
      const responses = { default: { description: 'Not documented.' }, ...operation.responses };
      return { ...(method !== 'get' && { requestBody: { content: { '*/*': {} } } }), ...operation, responses };
    });
  return { ...document, paths: mapMembers(document.paths as Json, openItem) };
}

/** The target, completed by what a mock reports about itself; as given if it does not respond yet. */
async function describedTarget(choice: Parameters<typeof readTarget>[0]): Promise<Target> {
  const target = readTarget(choice);
  if (choice.target !== undefined) return target;
  try {
    return await discoverTarget(target);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    outlet.print('stderr', `platform-mock: ${error.message} The proxy starts anyway.\n`);
    return target;
  }
}

function answersOf({ profile }: Target): Answers {
  if (profile === undefined || typeof profile === 'string') return loadProfile(profile);
  return loadProfile({ name: profile.name ?? 'of the target', answers: profile.answers as Partial<GapAnswers> });
}

/** Runs Prism, prints the greeting once it listens, and returns the exit code when it ends. */
async function untilStopped(options: PrismOptions, greeting: (baseUrl: string) => string[]): Promise<number> {
  let running: PrismProcess | undefined;
  let isStopping = false;
  const ended = onInterruption(() => {
    // A second signal ends this process, and Prism with it.
    ended();
    isStopping = true;
    if (running) void running.stop();
    else process.exit(0);
  });
  running = await startPrism(options);
  for (const line of greeting(running.baseUrl)) say(line);
  await running.ended;
  if (isStopping) return 0;
  outlet.print('stderr', 'platform-mock: Prism ended unexpectedly\n');
  return prismDied;
}
