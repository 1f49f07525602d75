import { existsSync, type FSWatcher, lstatSync, readdirSync, readFileSync, realpathSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { asText } from '../../../contract-tests/values/json.ts';
import type { Log } from '../../core/world/world.ts';
import { packageFile } from './package-root.ts';

/** Those that are not files never change. */
interface Inputs {
  readonly profile?: unknown;
  readonly fixtures?: string | undefined;
  readonly routes?: readonly unknown[] | undefined;
  /** What the mock itself writes may be in the same folders: the file of the state, with its lock, and a recording. */
  readonly state?: string | undefined;
  readonly record?: unknown;
}

const quietMilliseconds = 100;

/** Reloads the mock when its inputs change, until the returned function is called. Invalid edits are logged, and change nothing. */
export function watchInputs(mock: { reload(): Promise<void> }, inputs: Inputs, log: Log): () => void {
  const { profile, fixtures, routes = [] } = inputs;
  const written = [inputs.state, inputs.record].filter(isText).map((file) => resolve(file));
  let timer: NodeJS.Timeout | undefined;
  const reload = async () => {
    try {
      await mock.reload();
      log('info', 'profile, fixtures and routes reloaded');
    } catch (error) {
      const reason = asText(error);
      log('error', `${reason}\nthe last valid profile, fixtures and routes stay in force`);
    }
  };
  const reloadSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(reload, quietMilliseconds);
  };
  const watchFolder = (folder: string, concerns: (name: string) => boolean): FSWatcher =>
    watch(folder, (_event, name) => {
      const isOurs = (path: string) => written.some((file) => path === file || path.startsWith(`${file}.`));
      // Behind a link, another file may be in the place of the former: Kubernetes replaces `..data`.
      const isInput = name === null || concerns(name) || isLink(resolve(folder, name));
      if (isInput && !isOurs(resolve(folder, name ?? ''))) reloadSoon();
    });
  const isYaml = (name: string) => /\.ya?ml$/.test(name);
  // Folders, because editors replace files.
  const watchers = [
    watchFolder(fixtures ?? packageFile('fixtures'), isYaml),
    watchFolder(packageFile('spec', 'profiles'), isYaml),
  ];
  const files = [profile, ...new Set(routes)].filter(isText).filter((file) => existsSync(file));
  for (const file of files.flatMap((file) => [...new Set([resolve(file), realpathSync(file)])])) {
    const folder = dirname(file);
    // Imports of a module are usually in its folder.
    const isImport = (name: string) => isModule(file) && (isModule(name) || isNamedByModule(folder, name));
    watchers.push(watchFolder(folder, (name) => name === basename(file) || isImport(name)));
  }
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

const isModule = (name: string): boolean => /\.[cm]?[jt]s$/.test(name);

const isNamedByModule = (folder: string, name: string): boolean =>
  readdirSync(folder).some((file) => isModule(file) && readFileSync(join(folder, file), 'utf8').includes(name));

const isText = (route: unknown): route is string => typeof route === 'string';
