import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Report } from '../model.ts';
import { renderHtml } from '../report/html.ts';
import { renderJunit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { jsonText } from '../report/printable.ts';

/** Writes report.json and its three renderings into a folder, which is made if need be; gives the files' paths. */
export const writeReports = (report: Report, folder: string): Promise<string[]> =>
  writeFiles(folder, {
    'report.json': jsonText(report),
    'report.html': renderHtml(report),
    'report.md': renderMarkdown(report),
    'junit.xml': renderJunit(report),
  });

/** Writes files into a folder, which is made if need be; gives their paths. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  try {
    await makeFolder(resolve(folder));
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  } catch (error) {
    throw new UsageError(
      `--report-dir ${folder}: the reports cannot be written (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  return Object.keys(files).map((name) => join(folder, name));
}

/** Makes the folder of the reports before anything is sent: the results of a run must not be lost. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await makeFolder(resolve(folder));
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    throw new UsageError(
      `--report-dir ${folder}: the reports cannot be written (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

/** Makes a folder and its parents. Node's own `recursive` never ends where no folder can be made, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}
