import { outlet } from '../../contract-tests/commands/outlet.ts';
import { actorNamed } from '../../contract-tests/har/exchanges.ts';
import { parseEntry } from '../../contract-tests/har/read-har.ts';
import { sourceOf } from '../../contract-tests/har/source.ts';
import { harEntry } from '../../contract-tests/har/write-har.ts';
import { LogBuilder } from '../../contract-tests/log/log.ts';
import { allRules } from '../../contract-tests/rules/rules.ts';
import { TrafficJudge } from '../../contract-tests/run/traffic.ts';
import { Secrets } from '../../contract-tests/secrets/secrets.ts';
import type { Target } from '../../contract-tests/session/target-file.ts';
import { asText } from '../../contract-tests/values/json.ts';
import { trimmedBase } from '../../contract-tests/values/url.ts';
import { tlsOptions } from '../../contract-tests/wire/client.ts';
import type { Passed } from '../../contract-tests/wire/passed.ts';
import type { Answers } from '../core/profiles/answers.ts';
import { forwarder } from '../server/forward.ts';
import { openPort } from '../server/listen.ts';
import { observed } from '../server/record.ts';
import { recordTo } from '../server/record-file.ts';
import { told } from './crash.ts';

/** A proxy between Prism and the target: records traffic (`--record`), and judges it (`--judge`). */
export async function watchTraffic(
  target: Target,
  answers: Answers,
  { record, judge }: { readonly record?: string; readonly judge?: boolean },
  say: (line: string) => void,
) {
  const tell = (problem: string): void => void outlet.print('stderr', `platform-mock: ${told(problem)}\n`);
  const har = record === undefined ? undefined : recordTo(record, tell, () => sourceOf(target), target);
  const forward = forwarder({
    upstream: target.baseUrl,
    allowWrites: true,
    marks: false,
    tls: tlsOptions(target.tls),
  });
  const base = trimmedBase(target.baseUrl);
  const onError = (error: unknown): void => tell(`the traffic cannot be judged: ${asText(error)}`);
  const judging = judge ? judgingOf(target, answers, say, onError) : undefined;
  const callerOf = callersAt(target, answers);
  let seen = Promise.resolve();
  const onPassed = async (passed: Passed): Promise<void> => {
    seen = seen.then(() => judging?.see(passed)).catch(onError);
    await Promise.all([har?.add({ ...passed, actor: await callerOf(passed) }), seen]);
  };
  const listener = observed(forward.web, ({ url }) => base + url, onPassed, onError);
  const { port, close } = await openPort(listener, { host: '127.0.0.1', port: 0 });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    notes: [
      ...(record === undefined ? [] : [`Recording to ${record}; judge it with: platform-mock verify --har ${record}`]),
      ...(judge ? ['Findings of the contract suite are printed as the traffic shows them.'] : []),
    ],
    close: async () => {
      await close({ timeoutMs: 0 });
      judging?.tell();
      await har?.close();
    },
  };
}

/** Says which actor of the target file called. */
function callersAt(target: Target, answers: Answers) {
  const builder = new LogBuilder({ scopesPaths: [answers.get('scopes-path')], ...target, isPartial: true });
  return async (passed: Passed): Promise<string | undefined> => {
    const recorded = parseEntry(await harEntry(passed), 1);
    const entry = recorded && builder.add(recorded);
    builder.forget(() => false);
    return actorNamed(target, entry?.credential.who);
  };
}

/** Judges traffic soon after it passed, and prints what is new. Judging takes longer the more there is: no more than a tenth of the time. */
function judgingOf(target: Target, answers: Answers, say: (line: string) => void, onError: (error: unknown) => void) {
  const judge = new TrafficJudge({ scopesPaths: [answers.get('scopes-path')], ...target }, allRules, 1_000);
  const secrets = new Secrets(target, judge.builder.nameOf);
  let number = 0;
  let tookMs = 0;
  let planned: NodeJS.Timeout | undefined;
  const tell = (): void => {
    clearTimeout(planned);
    planned = undefined;
    const from = performance.now();
    try {
      for (const { id, requirements, message, exchanges } of judge.news()) {
        for (const exchange of exchanges) secrets.learnFrom(exchange);
        say(secrets.scrub(`VIOLATION ${requirements.join(', ')} (${id}): ${message}`));
      }
    } catch (error) {
      onError(error);
    }
    tookMs = performance.now() - from;
  };
  const see = async (passed: Passed): Promise<void> => {
    number += 1;
    const recorded = parseEntry(await harEntry(passed), number);
    if (recorded) judge.add(recorded);
    planned ??= setTimeout(tell, 9 * tookMs);
  };
  return { see, tell };
}
