import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { yamlLibrary } from './files/yaml-file.ts';
import type { Gap, Requirement, SuiteScore } from './model.ts';
import { lazy } from './values/once.ts';

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** The package's folder, found upwards from this file: the code runs from its source and from dist/. */
export const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

export const packageVersion: string = readJson(join(packageRoot, 'package.json')).version;

function findPackageRoot(from: string): string {
  const manifest = join(from, 'package.json');
  if (existsSync(manifest) && readJson(manifest).name === 'platform-mock') return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('The package platform-mock is incomplete: its package.json was not found.');
  return findPackageRoot(parent);
}

/** Reads a file of spec/, as data: from JSON, which the build makes of YAML, where the build has made this code, too. */
export function readSpec(name: 'requirements' | 'gaps' | 'openapi' | 'coverage'): unknown {
  if (import.meta.url.endsWith('.js')) return readJson(join(packageRoot, 'dist/spec', `${name}.json`));
  return yamlLibrary().parse(readFileSync(join(packageRoot, 'spec', `${name}.yaml`), 'utf8'));
}

export const loadRequirements = lazy(() => (readSpec('requirements') as { requirements: Requirement[] }).requirements);
export const loadGaps = lazy(() => (readSpec('gaps') as { gaps: Gap[] }).gaps);

export function gapOf(gapId: string): Gap {
  const gap = loadGaps().find(({ id }) => id === gapId);
  if (!gap) throw new Error(`There is no gap ${gapId}.`);
  return gap;
}

/** Whether a probe can observe the gap; what reports are redacted of may have been part of an id. */
export const isObservable = (gapId: string): boolean =>
  loadGaps().find(({ id }) => id === gapId)?.unobservable === undefined;

/** The suite's own measure, as it is shipped with this version; undefined where it was not measured. */
export function loadScore(): SuiteScore | undefined {
  const file = join(packageRoot, 'spec', 'score.json');
  if (!existsSync(file)) return undefined;
  const { faults, killed, killRate, variants, falseAlarms, metaFaults, metaFaultsConforming } = readJson(file);
  return { faults, killed, killRate, variants, falseAlarms, metaFaults, metaFaultsConforming };
}
