import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { importModule, MODULE_FILES } from '../../../contract-tests/files/module-file.ts';
import { asText } from '../../../contract-tests/values/json.ts';
import { type RouteSource, type RouteValue, routesFor, valueSources } from '../../control/routes/load.ts';
import type { RouteSet } from '../../core/custom-routes/loaded-routes.ts';
import type { Answers } from '../../core/profiles/answers.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import { isObject } from '../../core/spec/document.ts';
import { servedByPrism } from '../document-server.ts';
import { readYamlFile } from './yaml-file.ts';

const dataFiles = ['.yaml', '.yml', '.json'];

/** Loads data files, OpenAPI documents, modules and values; throws ConfigError naming file, line, column and reason. */
export async function loadRoutes(inputs: readonly (string | RouteValue)[], answers: Answers): Promise<RouteSet> {
  const values = valueSources(inputs);
  const sources: RouteSource[] = [];
  for (const [at, input] of inputs.entries()) {
    const value = values[at];
    if (typeof input === 'string') sources.push(await fileSource(input));
    else if (value) sources.push(value);
  }
  return routesFor(sources, answers, servedByPrism);
}

async function fileSource(file: string): Promise<RouteSource> {
  const extension = extname(file);
  if (MODULE_FILES.includes(extension)) return moduleSource(file);
  if (!dataFiles.includes(extension))
    throw new ConfigError([
      `${file}: not a file of routes; allowed: ${dataFiles.join(', ')} (data or OpenAPI), ${MODULE_FILES.join(', ')} (a module)`,
    ]);
  const { value, lineOf, located } = readYamlFile(file);
  return { value, file, placeOf: (path) => `${file}:${lineOf(path)}`, reason: located };
}

/** @throws ConfigError with the place of the failure */
async function moduleSource(file: string): Promise<RouteSource> {
  const exported = await importModule(file).catch((error: Error) => {
    throw new ConfigError([error.message]);
  });
  const text = readFileSync(file, 'utf8');
  const placeOf = (path: readonly (string | number)[]): string => `${file}:${lineOfRoute(text, exported, path)}`;
  return { value: exported, placeOf, reason: (path, reason) => `${placeOf(path)}: ${reason}` };
}

/** The line in a module with a route's path; of its n-th occurrence for the n-th route with that path. */
function lineOfRoute(text: string, exported: unknown, path: readonly (string | number)[]): number {
  const routes: unknown = isObject(exported) ? exported.routes : exported;
  const at = path.find((part) => typeof part === 'number');
  if (!Array.isArray(routes) || typeof at !== 'number') return 1;
  const pathOf = (route: unknown): string => (isObject(route) ? asText(route.path) : '');
  const wanted = pathOf(routes[at]);
  const nth = routes.slice(0, at).filter((route) => pathOf(route) === wanted).length;
  const lines = text.split('\n');
  const isMentioned = (line = ''): boolean => ['"', "'", '`'].some((quote) => line.includes(quote + wanted + quote));
  const mentions = [...lines.keys()].filter((at) => isMentioned(lines[at]));
  return (mentions[nth] ?? mentions[0] ?? 0) + 1;
}
