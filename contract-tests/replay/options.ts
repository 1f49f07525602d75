import type { Entry } from '../log/entry.ts';
import type { CheckResult } from '../model.ts';
import type { Target } from '../session/target-file.ts';
import type { Fresh } from './fresh.ts';
import type { Gating } from './report.ts';

export interface ReplayOptions extends Gating {
  isPaced: boolean;
  /** The id of a finding: of the run that was recorded, only what it needs is sent. */
  finding?: string | undefined;
  /** Starts the deployment afresh: the recording is cut to the few exchanges that show the finding. */
  fresh?: (() => Promise<Fresh>) | undefined;
  /** Whether SIGINT and SIGTERM end this process, once the titles are put back. */
  isCommand?: boolean;
  onStart?: (interactions: number, target: Target) => void;
  /** By how many interactions the finding was shown, while the recording is cut. */
  onShown?: (interactions: number) => void;
  /** Gets the exchanges, and of a finding the check that they show; gives the file that holds them. */
  onEnd?: (entries: readonly Entry[], target: Target, checks: readonly CheckResult[]) => Promise<string | undefined>;
}
