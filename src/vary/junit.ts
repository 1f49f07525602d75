import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { UsageError } from '../../contract-tests/errors.ts';
import { isObject } from '../core/spec/document.ts';

export interface TestResult {
  /** File or class and name: unique within a run, but for projects of one runner. */
  readonly id: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed, where the file says it. */
  readonly message?: string | undefined;
}

type Element = Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
  htmlEntities: true,
  // The limit would count &lt; and &quot;, too: a printed DOM has thousands. What a DOCTYPE declares may expand to 100,000 characters.
  processEntities: { maxTotalExpansions: Number.POSITIVE_INFINITY },
  maxNestedTags: 1000,
  isArray: (name) => name === 'testsuite' || name === 'testcase',
});

/** When the file, or each file of the folder, was written. */
export function writtenAt(path: string): ReadonlyMap<string, number> {
  const stats = statsOf(path);
  if (!stats?.isDirectory()) return new Map(stats && [[path, stats.mtimeMs]]);
  const files = readdirSync(path).filter((name) => name.endsWith('.xml'));
  return new Map(files.map((name) => [join(path, name), statsOf(join(path, name))?.mtimeMs ?? 0]));
}

/** Those of a link itself where it leads nowhere. */
const statsOf = (path: string): Stats | undefined =>
  statSync(path, { throwIfNoEntry: false }) ?? lstatSync(path, { throwIfNoEntry: false });

/** The text of a file. Throws UsageError for a pipe, which would block, and for a link out of the folder. */
export function readInside(folder: string, file: string): string {
  if (statsOf(file)?.isSymbolicLink()) throw new UsageError(`${file} is a link that leads nowhere.`);
  const real = realpathSync(file);
  if (!real.startsWith(realpathSync(folder) + sep)) throw new UsageError(`${file} leads out of its folder.`);
  if (!statSync(real).isFile()) throw new UsageError(`${file} is not a regular file.`);
  return readFileSync(real, 'utf8');
}

/**
 * The tests in a JUnit file or a folder of them, each with its worst outcome; undefined without a file that was written since.
 * Throws UsageError for a file that cannot be read.
 */
export function readJunit(path: string, before: ReadonlyMap<string, number> = new Map()): TestResult[] | undefined {
  const files = [...writtenAt(path)].filter(([file, at]) => before.get(file) !== at).map(([file]) => file);
  if (files.length === 0) return undefined;
  const found = new Map<string, TestResult>();
  for (const file of files)
    for (const result of testsIn(file, readInside(dirname(file), file))) {
      const before = found.get(result.id);
      if (before?.outcome !== 'failed' && (before === undefined || result.outcome !== 'skipped'))
        found.set(result.id, result);
    }
  return [...found.values()];
}

function testsIn(file: string, text: string): TestResult[] {
  const checked = XMLValidator.validate(text);
  if (checked !== true) throw new UsageError(`${file}:${checked.err.line} is not XML: ${checked.err.msg}`);
  try {
    const { testsuites, testsuite } = parser.parse(text) as Element;
    return [testsuites ?? { testsuite }].flatMap((suites) => testsOf(suites as Element, ''));
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JUnit: ${(error as Error).message}`);
  }
}

function testsOf(suite: Element, file: string): TestResult[] {
  const list = (value: unknown): unknown[] => [value ?? []].flat();
  const inner = list(suite.testsuite).filter(isObject);
  const own = list(suite.testcase).filter(isObject);
  return [
    ...inner.flatMap((each) => testsOf(each, textOf(each.file) ?? textOf(each.name) ?? file)),
    ...own.map((test): TestResult => {
      const name = textOf(test.name) ?? '';
      const place = textOf(test.classname) ?? file;
      const outcome = 'failure' in test || 'error' in test ? 'failed' : 'skipped' in test ? 'skipped' : 'passed';
      const [failure] = list(test.failure ?? test.error);
      const text = isObject(failure) ? (textOf(failure.message) ?? textOf(failure['#text'])) : textOf(failure);
      const message = text?.trim().split('\n')[0];
      return { id: place === '' || place === name ? name : `${place} › ${name}`, name, outcome, message };
    }),
  ];
}

/** Of an attribute: an element of the same name is none. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
