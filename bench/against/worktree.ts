import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runForeign } from '../processes.ts';
import { commandIn } from '../servers.ts';

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();

/**
 * The commit of a branch, a tag or an id, short.
 * @throws Error if there is none
 */
export function commitOf(ref: string): string {
  try {
    return git('rev-parse', '--short', '--verify', '--end-of-options', `${ref}^{commit}`);
  } catch {
    throw new Error(`--against ${ref}: expected a commit, branch or tag of this repository`);
  }
}

/** Another commit, built in a folder of its own, which goes away with it: also at SIGINT, and if the build fails. */
export class Worktree implements Disposable {
  private constructor(
    private readonly folder: string,
    /** The commit, short. */
    readonly commit: string,
    /** Whether its dependencies differ from those installed here, which it is built and run with. */
    readonly hasOtherPackages: boolean,
  ) {
    process.once('exit', this.remove);
  }

  /**
   * @param commit what commitOf gives
   * @throws Error if it does not build
   */
  static async build(commit: string): Promise<Worktree> {
    const hasOtherPackages = git('diff', '--name-only', commit, '--', 'package-lock.json') !== '';
    const worktree = new Worktree(mkdtempSync(join(tmpdir(), 'platform-mock-against-')), commit, hasOtherPackages);
    try {
      git('worktree', 'add', '--quiet', '--detach', worktree.folder, commit);
      symlinkSync(join(process.cwd(), 'node_modules'), join(worktree.folder, 'node_modules'));
      await runForeign('npm', ['run', '-s', 'build'], worktree.folder);
      return worktree;
    } catch (error) {
      worktree[Symbol.dispose]();
      throw error;
    }
  }

  get command(): string {
    return commandIn(this.folder);
  }

  [Symbol.dispose](): void {
    process.off('exit', this.remove);
    this.remove();
  }

  private readonly remove = (): void => {
    try {
      git('worktree', 'remove', '--force', this.folder);
    } catch {
      // It is not one yet: the commit could not be checked out.
    }
    rmSync(this.folder, { recursive: true, force: true });
  };
}
