import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseEntry } from '../../contract-tests/har/read-har.ts';
import { HarFile, harEntry } from '../../contract-tests/har/write-har.ts';
import type { CheckResult } from '../../contract-tests/model.ts';
import { TrafficJudge } from '../../contract-tests/run/traffic.ts';
import { Secrets } from '../../contract-tests/secrets/secrets.ts';
import type { Target } from '../../contract-tests/session/target-file.ts';
import { trimmedBase } from '../../contract-tests/values/url.ts';
import type { Passed } from '../../contract-tests/wire/passed.ts';
import type { Answers } from '../core/profiles/answers.ts';
import { forwarder } from '../server/forward.ts';
import { observed } from '../server/record.ts';
import { told } from './crash.ts';

interface Watched {
  readonly baseUrl: string;
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/** A proxy between Prism and the target: records traffic (`--record`), and judges it (`--judge`). */
export async function watchTraffic(
  target: Target,
  answers: Answers,
  { record, judge }: { readonly record?: string; readonly judge?: boolean },
  say: (line: string) => void,
): Promise<Watched> {
  const tell = (problem: string): void => void process.stderr.write(`platform-mock: ${told(problem)}\n`);
  const har = record === undefined ? undefined : new HarFile(record, tell);
  const { insecure, caFile } = target.tls ?? {};
  const forward = forwarder({
    upstream: target.baseUrl,
    allowWrites: true,
    marks: false,
    tls: { rejectUnauthorized: !insecure, ...(caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') }) },
  });
  const base = trimmedBase(target.baseUrl);
  const seen = judge ? judging(target, answers, say) : undefined;
  let judged = Promise.resolve();
  const onError = (error: unknown): void => tell(`the traffic cannot be judged: ${String(error)}`);
  const onPassed = async (passed: Passed): Promise<void> => {
    judged = judged.then(() => seen?.(passed)).catch(onError);
    await Promise.all([har?.add(passed), judged]);
  };
  const server = createServer(observed(forward.web, ({ url }) => base + url, onPassed, onError));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    notes: [
      ...(record === undefined ? [] : [`Recording to ${record}; judge it with: platform-mock verify --har ${record}`]),
      ...(judge ? ['Findings of the contract suite are printed as the traffic shows them.'] : []),
    ],
    close: async () => {
      server.close();
      server.closeAllConnections();
      await har?.close();
    },
  };
}

function judging(target: Target, answers: Answers, say: (line: string) => void): (passed: Passed) => Promise<void> {
  const judge = new TrafficJudge({ scopesPaths: [answers.get('scopes-path')], ...target });
  const secrets = new Secrets(target);
  let number = 0;
  return async (passed) => {
    number += 1;
    const recorded = parseEntry(await harEntry(passed), number);
    for (const finding of recorded ? judge.see(recorded) : []) say(lineOf(finding, secrets));
  };
}

function lineOf({ id, requirements, message, exchanges }: CheckResult, secrets: Secrets): string {
  for (const exchange of exchanges) secrets.learnFrom(exchange);
  return secrets.scrub(`VIOLATION ${requirements.join(', ')} (${id}): ${message}`);
}
