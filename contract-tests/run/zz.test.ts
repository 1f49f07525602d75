import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { allRules } from '../rules/rules.ts';
import { discoverTarget } from '../session/discover.ts';
import { Session } from '../session/session.ts';
import { drive } from './drive.ts';
import { probe } from './probe.ts';

test('t', { timeout: 100000 }, async () => {
  await using mock = await startMock({ port: 0 });
  const { profile, ...target } = await discoverTarget({ baseUrl: mock.baseUrl });
  const session = new Session({ target, answers: {}, allowWrites: true });
  const run = await drive(session, allRules);
  const lines: string[] = [];
  const n = session.sent.length;
  for (const e of run.log.entries)
    if (e.asked?.flaw) lines.push(`${e.asked.flaw.kind}\t${e.asked.flaw.what}\t${e.operation}`);
  lines.push(`driven ${n}`);
  const before = run.log.entries.length;
  const { gaps } = await probe(run);
  for (const e of run.log.entries.slice(before))
    lines.push(
      `${e.answer.request.method} ${e.answer.request.url.slice(21)} ${e.answer.request.headers.Authorization?.slice(0, 20)} ${e.answer.request.body?.slice(0, 60)} ${e.answer.response.status} ${e.asked?.for}`,
    );
  lines.push(
    `all ${session.sent.length}`,
    JSON.stringify(gaps.filter((g) => g.outcome !== 'match').map((g) => [g.id, g.observed, g.reason])),
    JSON.stringify(gaps.find((g) => g.id === 'lax-tokens')),
  );
  writeFileSync('/tmp/zz.txt', lines.join('\n'));
});
