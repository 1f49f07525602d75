// What can be said of the input without sending anything is said first: nobody waits for a run to hear of a misspelling.
import { allChecks } from '../../contract-tests/checks/catalogue.ts';
import { UsageError } from '../../contract-tests/errors.ts';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { givenAnswers, readTarget, type TargetChoice } from '../../contract-tests/target/choose.ts';
import { didYouMean } from '../core/profiles/did-you-mean.ts';
import { loadProfile } from '../server/files/profile-file.ts';

interface Input {
  readonly baseUrl?: string;
  readonly target?: string;
  readonly profile?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly allowUntested?: readonly string[];
  readonly compare?: string;
  readonly plan?: boolean;
  readonly reportDir?: string;
}

/**
 * Refuses options of `verify` that cannot be used.
 * @throws UsageError or ConfigError
 */
export function checkInput(flags: Input): void {
  const { baseUrl, target: targetFile, profile, only = [], skip = [], allowUntested = [] } = flags;
  const judged = allChecks.flatMap((check) => check.requirements);
  const checkable = [...new Set([...allChecks.map(({ id }) => id), ...judged])];
  for (const [option, ids] of [
    ['--only', only],
    ['--skip', skip],
  ] as const) {
    const unknown = ids.find((id) => !checkable.includes(id));
    if (unknown !== undefined)
      throw new UsageError(
        `${option} ${unknown}: that is neither a check nor a requirement that has one; \`platform-mock verify --plan\` lists them${didYouMean(unknown, checkable)}`,
      );
  }
  const waivable = ['all', ...loadRequirements().map(({ id }) => id)];
  const unknown = allowUntested.find((id) => !waivable.includes(id));
  if (unknown !== undefined)
    throw new UsageError(
      `--allow-untested ${unknown}: there is no such requirement; \`platform-mock verify --plan\` lists them, and all waives every one${didYouMean(unknown, waivable)}`,
    );
  if (flags.compare !== undefined && flags.reportDir !== undefined && !flags.plan)
    throw new UsageError('--compare writes no reports: leave out --report-dir, or run verify without --compare.');
  if (baseUrl !== undefined || targetFile !== undefined)
    checkTarget({ ...(baseUrl && { baseUrl }), ...(targetFile && { targetFile }), ...(profile && { profile }) });
  else loadProfile(profile);
}

/**
 * Refuses a target that cannot be used, or a profile that it names.
 * @throws UsageError or ConfigError
 */
export function checkTarget(choice: TargetChoice): void {
  const target = readTarget(choice);
  const profile = choice.profile ?? target.profile;
  // The mock's own reading of a profile says more of what is wrong with it.
  if (typeof profile === 'string') loadProfile(profile);
  givenAnswers(choice, target);
}
