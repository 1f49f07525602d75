/** An operation of the deployment that shows a recording: what no documented one shows is judged, and put back. */
import { describe, expect, test } from 'vitest';
import type { Recording } from '../../src/core/world/records.ts';
import { startMock } from '../../src/index.ts';
import { targetAt } from '../../src/score/run.ts';
import type { Report } from '../model.ts';
import { verifyAt } from '../testing/judge.ts';

const SHOWN = '/_mock/state/recordings/{id}';

/** Verifies a mock by a target file that says how recordings are read, and gives the recording as it was and as it is. */
async function verified(recording: unknown, faults: string[] = [], answers: Record<string, string> = {}) {
  await using mock = await startMock({ log: () => {}, faults, profile: { name: 'own', answers } });
  const target = targetAt(mock);
  const { recordings } = mock.world.store;
  const read = () => ({ ...recordings.get(target.resources?.recordingId ?? '') }) as Recording;
  const analysis = { key_topics: ['before'] };
  recordings.put({ ...read(), summary: 'As it was.', analysis, kb_folder_id: null });
  const before = read();
  const report = await verifyAt({ ...target, reads: { recording } }, { only: ['REC-41'] });
  return { report, before, after: read() };
}

const checkOf = ({ checks }: Report) => checks.find(({ id }) => id === 'recording-carried');

describe('reads of a target file', () => {
  test.each([`GET ${SHOWN}`, { path: SHOWN }])('shows that all is stored, and puts it back: %j', async (reads) => {
    const { report, before, after } = await verified(reads);
    expect(report).toMatchObject({ verdict: 'conforms', exitCode: 0 });
    expect(checkOf(report)?.outcome).toBe('pass');
    for (const field of ['title', 'summary', 'analysis'] as const) expect(after[field]).toEqual(before[field]);
    // The fields of the other recording were empty.
    expect(report.leftovers.filter((line) => /^summary.* of the recording/.test(line))).toEqual([]);
  });

  test.each([
    ['clear', []],
    ['refuse', [expect.stringMatching(/^kb_folder_id: null.* could not be put back: the target answered 4\d\d$/)]],
    ['ignore', [expect.stringMatching(/^kb_folder_id: null.*: the target accepted that and kept what was there$/)]],
  ])('a null that it showed is put back once, or is left over with its value: %s', async (answer, left) => {
    const { report, before, after } = await verified(`GET ${SHOWN}`, [], { 'null-field': answer });
    expect(before.kb_folder_id).toBeNull();
    expect((after.kb_folder_id ?? null) === null).toBe(answer === 'clear');
    expect(report.leftovers.filter((line) => line.startsWith('kb_folder_id'))).toEqual(left);
  });

  test('finds that they are accepted and not stored', async () => {
    const { report } = await verified(`GET ${SHOWN}`, ['notes-not-stored']);
    expect(report.exitCode).toBe(1);
    expect(checkOf(report)).toMatchObject({ outcome: 'violation', requirements: ['REC-41'] });
  });

  test('that shows a field elsewhere is no violation, and says how to name the place', async () => {
    const names = ['summary', 'analysis', 'kb_folder_id', 'kb_document_id'];
    const fields = Object.fromEntries(names.map((name) => [name, `data.${name}`]));
    const { report } = await verified({ path: SHOWN, fields });
    expect(report.exitCode).toBe(4);
    expect(checkOf(report)?.message).toMatch(/shows no summary, .*: name the place in reads\.recording\.fields/);
  });

  test('that is answered with no recording is named with its answer', async () => {
    const { report } = await verified('GET /_mock/nowhere/{id}');
    expect(report.exitCode).toBe(4);
    expect(checkOf(report)?.message).toMatch(/^reads\.recording: GET \/_mock\/nowhere\/\w+ was answered 404/);
  });
});
