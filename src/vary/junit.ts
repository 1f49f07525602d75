import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { asText } from '../../contract-tests/values/json.ts';
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
  htmlEntities: true,
  isArray: (name) => name === 'testsuite' || name === 'testcase',
});

/** When the file, or each file of the folder, was written. */
export function writtenAt(path: string): ReadonlyMap<string, number> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return new Map(stats && [[path, stats.mtimeMs]]);
  const names = readdirSync(path).filter((name) => name.endsWith('.xml'));
  return new Map(names.map((name) => [join(path, name), statSync(join(path, name)).mtimeMs]));
}

/** The tests in a JUnit file or a folder of them, each with its worst outcome; undefined without a file that was written since. */
export function readJunit(path: string, before: ReadonlyMap<string, number> = new Map()): TestResult[] | undefined {
  const files = [...writtenAt(path)].filter(([file, at]) => before.get(file) !== at).map(([file]) => file);
  if (files.length === 0) return undefined;
  const found = new Map<string, TestResult>();
  for (const file of files)
    for (const result of testsIn(readFileSync(file, 'utf8'))) {
      const before = found.get(result.id);
      if (before?.outcome !== 'failed' && (before === undefined || result.outcome !== 'skipped'))
        found.set(result.id, result);
    }
  return [...found.values()];
}

/** None of a text that is not XML: the run was ended while it wrote. */
function testsIn(text: string): TestResult[] {
  if (XMLValidator.validate(text) !== true) return [];
  const { testsuites, testsuite } = parser.parse(text) as Element;
  return [testsuites ?? { testsuite }].flatMap((suites) => testsOf(suites as Element, ''));
}

function testsOf(suite: Element, file: string): TestResult[] {
  const list = (value: unknown): Element[] =>
    [value ?? []].flat().filter((each) => typeof each === 'object') as Element[];
  const inner = list(suite.testsuite).flatMap((each) => testsOf(each, asText(each.file ?? each.name ?? file)));
  const own = list(suite.testcase).map((test): TestResult => {
    const name = asText(test.name ?? '');
    const place = asText(test.classname ?? file);
    const outcome = 'failure' in test || 'error' in test ? 'failed' : 'skipped' in test ? 'skipped' : 'passed';
    const failure: unknown = [test.failure ?? test.error].flat()[0];
    const text = isObject(failure) ? (failure.message ?? failure['#text']) : failure;
    const message = text === undefined ? undefined : asText(text).trim().split('\n')[0];
    return { id: place === '' || place === name ? name : `${place} › ${name}`, name, outcome, message };
  });
  return [...inner, ...own];
}
