import { existsSync, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Mock } from '../index.ts';
import { logError, logInfo } from '../log.ts';
import { packageFile } from '../spec/package-root.ts';

interface Inputs {
  readonly profile: string | undefined;
  readonly fixturesDir: string | undefined;
}

const quietMilliseconds = 100;

/** Reloads the mock when its profile or fixtures change. A broken edit is told, and the last good state goes on. */
export function watchInputs(mock: Mock, { profile, fixturesDir }: Inputs): void {
  let timer: NodeJS.Timeout | undefined;
  const reloadSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void reload(mock), quietMilliseconds);
  };
  const isYaml = (name: string) => /\.ya?ml$/.test(name);
  // Folders, because editors put a new file in the old one's place.
  watchFolder(fixturesDir ?? packageFile('fixtures'), isYaml, reloadSoon);
  watchFolder(packageFile('spec', 'profiles'), isYaml, reloadSoon);
  if (profile !== undefined && existsSync(profile)) {
    const file = resolve(profile);
    watchFolder(dirname(file), (name) => name === basename(file), reloadSoon);
  }
}

function watchFolder(folder: string, concerns: (name: string) => boolean, changed: () => void): void {
  watch(folder, (_event, name) => {
    if (name === null || concerns(name)) changed();
  });
}

async function reload(mock: Mock): Promise<void> {
  try {
    await mock.reload();
    logInfo('profile and fixtures were read again');
  } catch (error) {
    logError(
      `${error instanceof Error ? error.message : String(error)}\nthe last good profile and fixtures stay in force`,
    );
  }
}
