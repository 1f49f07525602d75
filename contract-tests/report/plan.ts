import type { Probe } from '../probes/probe.ts';
import { candidatePaths, REFRESH_FORMS } from '../probes/refresh.ts';
import type { Plan } from '../verify.ts';
import { agree, count } from './text.ts';

/** The plan of a run as text: every check and probe, what it sends, and every request that would write. */
export function renderPlan({ target, allowWrites, checks, probes, given }: Plan): string {
  const writing = checks.filter(({ writes }) => writes);
  const lines = [
    `${count(checks.length, 'check')} at ${target.baseUrl}; ${writing.length} of them ${agree(writing.length, 'writes', 'write')}.`,
    allowWrites
      ? 'Writes are allowed.'
      : 'Writes are not allowed, so those stay untested; allow them with --allow-writes.',
    '',
    'Every request that would write:',
    ...[...new Set(writing.flatMap(({ writes = [] }) => writes))].map((line) => `  - ${line}`),
    '',
    'Checks:',
    ...checks.map(
      ({ id, requirements, title, writes }) => `  ${writes ? 'w' : ' '} ${id} [${requirements.join(' ')}] ${title}`,
    ),
    ...(probes.length > 0 ? renderProbes(probes, given.answers) : []),
  ];
  return `${lines.join('\n')}\n`;
}

function renderProbes(probes: readonly Probe[], answers: Record<string, unknown>): string[] {
  const paths = (gap: string): string => candidatePaths(gap, answers).join(' ');
  return [
    '',
    'Probes, one a gap, after the checks (they share sign-ins, lists and the one PAT with them):',
    ...probes.map(({ gap, sends, writes }) => `  ${writes ? 'w' : ' '} ${gap}: ${sends}`),
    '',
    `Candidate paths of the token scopes, by GET, until one answers: ${paths('scopes-path')}`,
    `Candidate paths of the refresh token, by POST (${Object.keys(REFRESH_FORMS).join(', ')}), until one answers: ${paths('refresh-path')}`,
  ];
}
