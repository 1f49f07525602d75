import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Report } from '../model.ts';
import { renderHtml } from '../report/html.ts';
import { renderJunit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { isPastRun, type PastRun, pastRunOf, reportText } from '../report/report-file.ts';
import { parseJson } from '../values/json.ts';
import { type Outgoing, outlet, rendered } from './outlet.ts';

/** Writes report.json and its renderings into a folder; gives their paths. `past` are runs at the same target. */
export const writeReports = (report: Report, folder: string, past: readonly PastRun[] = []): Promise<string[]> =>
  writeFiles(folder, {
    'report.json': rendered(report, reportText),
    'report.html': rendered(report, (each) => renderHtml(each, past)),
    'report.md': rendered(report, renderMarkdown),
    'junit.xml': rendered(report, renderJunit),
  });

/** Fails before anything is sent where a file cannot be written. Does not change an existing one. */
export function assertWritable(option: string, file: string): void {
  try {
    const isNew = !existsSync(file);
    closeSync(openSync(file, 'a'));
    // A run that is interrupted leaves no empty file.
    if (isNew) rmSync(file);
  } catch (error) {
    throw new UsageError(`${option} ${file}: cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** The runs of a history, the oldest first; none where there is no file yet. Throws UsageError for a line that is none. */
export const readHistory = (file: string): PastRun[] =>
  (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').flatMap((line, at) => {
    const run = parseJson(line);
    if (isPastRun(run)) return [run];
    if (line.trim() === '') return [];
    throw new UsageError(`${file}:${at + 1}: not a line of a history that --history wrote.`);
  });

export function addToHistory(report: Report, file: string): PastRun[] {
  const run = pastRunOf(report);
  outlet.append(
    file,
    rendered(report, () => `${JSON.stringify(run)}\n`),
  );
  return readHistory(file).filter(({ target }) => target === run.target);
}

/** Writes files into a folder, which is made; gives their paths. Without files it only makes the folder, before anything is sent. */
export async function writeFiles(folder: string, files: Readonly<Record<string, Outgoing>> = {}): Promise<string[]> {
  try {
    await makeFolder(resolve(folder));
    const writing = Object.entries(files).map(([name, text]) => replaceFile(join(folder, name), text));
    // Each is written or gone, whichever fails.
    await Promise.allSettled(writing);
    await Promise.all(writing);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--report-dir ${folder}: the reports cannot be written (${code}).`);
  }
  return Object.keys(files).map((name) => join(folder, name));
}

/** Whole or not at all; a link or a pipe of that name is replaced, not followed. */
async function replaceFile(file: string, text: Outgoing): Promise<void> {
  // Not what others in the folder could have foreseen, a link, say.
  const made = `${file}.${randomUUID()}.new`;
  try {
    outlet.write(made, text, 'wx');
    await rename(made, file);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

/** Makes a folder and its parents. Node's own `recursive` never ends where no folder can be made, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  // Fails for a file.
  if (existsSync(folder)) await readdir(folder);
  else await makeFolder(dirname(folder)).then(() => mkdir(folder));
}
