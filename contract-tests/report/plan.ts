import type { PlannedRun } from '../model.ts';
import { printable } from './printable.ts';
import { count } from './text.ts';

/** The plan of a run as text: every check and probe, what it sends, and every request that would write. */
export function renderPlan(plan: PlannedRun): string {
  const { target, allowWrites, commands, writes, checks, timing, probes, candidatePaths } = plan;
  const mark = (writesToo: boolean): string => (writesToo ? 'w' : ' ');
  const lines = [
    `${count(checks.length, 'check')} at ${target.baseUrl}`,
    allowWrites
      ? 'Writes are allowed.'
      : 'Writes are not allowed, so those stay untested; allow them with --allow-writes.',
    `Up to ${count(timing.concurrency, 'request')} at once; a pause of ${timing.pauseSeconds} s, and up to ${timing.waitSeconds} s until a short-lived access token expires.`,
    '',
    ...(commands.length > 0 ? ['Commands on this machine:', ...commands.map((line) => `  - ${line}`), ''] : []),
    'Every request that would write:',
    ...writes.map((line) => `  - ${line}`),
    '',
    'Checks:',
    ...checks.map(
      (check) => `  ${mark(check.writes.length > 0)} ${check.id} [${check.requirements.join(' ')}] ${check.title}`,
    ),
  ];
  if (probes.length > 0)
    lines.push(
      '',
      'Probes, one a gap, after the checks (they share sign-ins, lists and the one PAT with them):',
      ...probes.map((probe) => `  ${mark(probe.writes)} ${probe.gap}: ${probe.sends}`),
      '',
      ...candidatePaths.map(
        ({ of, sent, paths }) => `Candidate paths of ${of}, by ${sent}, until one answers: ${paths.join(' ')}`,
      ),
    );
  return printable(`${lines.join('\n')}\n`);
}
