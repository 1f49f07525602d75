import type { Plan } from '../verify.ts';

/** The plan of a run as text: every check, what it needs, and every request of it that would write. */
export function renderPlan({ target, allowWrites, checks }: Plan): string {
  const writing = checks.filter(({ writes }) => writes);
  const lines = [
    `${checks.length} checks at ${target.baseUrl}; ${writing.length} of them write.`,
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
  ];
  return `${lines.join('\n')}\n`;
}
