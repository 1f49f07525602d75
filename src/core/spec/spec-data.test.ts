// spec/ must be consistent in itself, and with the source document if that is next to the repository.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../server/files/package-root.ts';
import { readYamlFile } from '../../server/files/yaml-file.ts';
import { apiTemplate, httpMethods, isObject, type JsonObject } from './document.ts';
import { defaultAnswers, gapLedger } from './gaps.ts';
import { memberAt, objectsIn } from './json.ts';

const { gaps, openPoints, alsoOpen } = gapLedger();
const ids: readonly string[] = gaps.map((gap) => gap.id);

test('the gaps of the open points are those of the ledger, each once', () => {
  const named = new Set([...openPoints, ...alsoOpen].flatMap((point) => point.gaps));
  expect([...named].sort()).toEqual([...ids].sort());
});

const sourceDocument = packageFile('..', 'shared', 'source-document.md');

test.runIf(existsSync(sourceDocument))('every "not shown" of the source document has its open point', () => {
  const parts = readFileSync(sourceDocument, 'utf8').split(/^## /m).slice(1);
  const shown = parts.map((part) => [part.slice(0, part.indexOf('.')), part.match(/not shown/g)?.length ?? 0]);
  const listed = parts.map((part) => {
    const number = part.slice(0, part.indexOf('.'));
    return [number, openPoints.filter(({ section }) => section.split('.')[0] === number).length];
  });
  expect(listed).toEqual(shown);
});

const containers = ['parameters', 'responses', 'properties', 'schemas', 'securitySchemes'];
const operationParts: readonly string[] = [...httpMethods, 'requestBody'];

test('every operation, parameter, body, response, schema and property of openapi.yaml cites its source', () => {
  const template = apiTemplate();
  const isElement = (path: readonly string[]) =>
    containers.includes(path.at(-2) ?? '') || operationParts.includes(path.at(-1) ?? '');
  // The citation of a gap covers what is below it.
  const isGap = (element: unknown) => isObject(element) && 'x-gap' in element && !('x-source' in element);
  const found = Array.from(objectsIn(template), ({ object, path }) => ({ object, path: path.map(String) })).filter(
    ({ path }) => isElement(path) && !path.includes('x-cases'),
  );
  const uncited = found.filter(
    ({ object, path }) =>
      !('x-source' in object || 'x-gap' in object || '$ref' in object) &&
      !path.some((_name, at) => isGap(memberAt(template, path.slice(0, at)))),
  );
  expect(found.length).toBeGreaterThan(60);
  expect(uncited.map(({ path }) => path.join('/'))).toEqual([]);
});

test('every x-gap, x-set, x-path and x-cases names a gap, and its cases are answers to it', () => {
  const bad: string[] = [];
  for (const { object: element } of objectsIn(apiTemplate())) {
    const named = [
      element['x-gap'],
      element['x-path'],
      element['x-shape'],
      ...Object.values((element['x-set'] ?? {}) as JsonObject),
    ].flat();
    bad.push(...named.filter((id) => id !== undefined && !ids.includes(String(id))).map(String));
    for (const cases of [element['x-cases'], element['x-status']]) {
      for (const [id, answers] of Object.entries((cases ?? {}) as JsonObject)) {
        const gap = gaps.find((one) => one.id === id);
        const allowed = [...Object.keys(gap?.answers ?? {}), ...(gap?.answers && gap.schema ? ['written'] : [])];
        const unknown = Object.keys(answers as JsonObject).filter((answer) => !allowed.includes(answer));
        bad.push(...unknown.map((answer) => `${id}=${answer}`));
      }
    }
  }
  expect(bad).toEqual([]);
});

test('default.yaml answers every gap as the ledger does', () => {
  const { value } = readYamlFile(packageFile('spec', 'profiles', 'default.yaml'));
  expect((value as JsonObject).answers).toEqual(defaultAnswers());
});
