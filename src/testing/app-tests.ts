// For tests of `vary`: an app's tests as a program of their own, which knows the mock by its address only.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { nameOf } from '../vary/report-text.ts';
import type { VaryReport } from '../vary/vary.ts';

/** Sends to the mock, runs the tests that follow it, and writes a JUnit file. */
const runner = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const base = process.env.PLATFORM_MOCK_URL;
const target = await (await fetch(base + '/_mock/target')).json();
const { admin, member } = target.actors;
const call = async (method, path, { body, token, headers = {} } = {}) => {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type = text === undefined ? {} : { 'content-type': 'application/json' };
  const auth = token === undefined ? {} : { authorization: 'Bearer ' + token };
  const response = await fetch(base + path, { method, body: text, headers: { ...type, ...auth, ...headers } });
  const answer = await response.text();
  return { status: response.status, text: answer, json: answer.startsWith('{') || answer.startsWith('[') ? JSON.parse(answer) : {} };
};
const signIn = async (sso) => (await call('POST', '/v1/auth/sso', { body: sso })).json.access_token;
const not = (actual, unwanted) => {
  if (actual === unwanted) throw new Error('it is ' + unwanted);
};
const results = [];
const test = async (name, run) => results.push([name, await run().then(() => '', String)]);
const done = (file) => {
  const cases = results.map(([name, error]) =>
    '<testcase classname="app.test.ts" name="' + name + '">' + (error && '<failure message="failed"/>') + '</testcase>');
  writeFileSync(file, '<testsuites><testsuite name="app">' + cases.join('') + '</testsuite></testsuites>');
  process.exitCode = results.some(([, error]) => error) ? 1 : 0;
};
`;

export function appTests(tests: string): { folder: string; junit: string; command: readonly string[] } {
  const folder = testFolder();
  const file = join(folder, 'tests.mjs');
  const junit = join(folder, 'results.xml');
  writeFileSync(file, `${runner}${tests}\ndone(process.argv[2]);\n`);
  return { folder, junit, command: [process.execPath, file, junit] };
}

export const answersThatBreak = (report: VaryReport): Record<string, string[]> =>
  Object.fromEntries(
    report.gaps.flatMap(({ id, answers }) =>
      answers
        .filter(({ outcome }) => outcome === 'breaks')
        .map(({ answer, tests }) => [`${id}: ${JSON.stringify(answer)}`, tests.map((test) => nameOf(report, test))]),
    ),
  );
