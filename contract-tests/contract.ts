import { beforeAll, describe, test } from 'vitest';
import { leftAt } from './commands/interruption.ts';
import { type RunOptions, readRunInput } from './commands/run-input.ts';
import { verifyInput } from './commands/verify.ts';
import type { Report } from './model.ts';
import { loadRules } from './own/rules-file.ts';
import { arrangeCheck } from './report/arrange.ts';
import { details } from './report/junit.ts';
import { printableJson } from './report/text.ts';
import { openRequirements } from './report/verdict.ts';
import type { Rule } from './rules/rule.ts';

export type { Credential, Entry, Log } from './log/entry.ts';
export type { Judgement, Rule } from './rules/rule.ts';

/** What to verify, and how: the options of `verify`. */
export interface ContractOptions extends Omit<RunOptions, 'rules'> {
  /** Rules of your own: modules that export them, or the rules themselves. */
  rules?: readonly (string | Rule)[];
}

/** Declares the suite as Vitest tests: one a rule, one for the verdict. A violation fails, and what is untested unless waived. */
export function contractTests({ rules = [], strict = false, probe = strict, ...options }: ContractOptions): void {
  describe('contract', async () => {
    const input = readRunInput({ ...options, strict, probe, rules: await loadRules(rules) });
    let report: Report;
    let open: ReadonlySet<string>;
    // All is sent before anything is judged by a test: only the whole run shows which texts are credentials.
    beforeAll(async () => {
      report = printableJson(await verifyInput(input));
      process.stderr.write(leftAt(report.leftovers));
      open = new Set(openRequirements(report.requirements).map(({ id }) => id));
    }, 0);

    for (const { id, title } of input.checks)
      test(`${id}: ${title}`, ({ skip }) => {
        const check = report.checks.find((each) => each.id === id);
        // An unreachable target: the verdict says so.
        if (!check) return skip(report.summary.text);
        if (check.outcome === 'pass') return;
        const isOpen = check.outcome !== 'violation' && check.requirements.some((requirement) => open.has(requirement));
        if (isOpen || (check.outcome === 'violation' && check.known === undefined))
          throw new NotShown(`${check.outcome}: ${details(arrangeCheck(report, check))}`);
        skip(check.known ?? check.message);
      });

    test('verdict', () => {
      if (report.exitCode !== 0) throw new NotShown(`${report.verdict}: ${report.summary.text}`);
    });
  });
}

/** A finding about the target: where it was thrown says nothing. */
class NotShown extends Error {
  override name = 'NotShown';
  override stack = undefined;
}
