import { MOST_NAMING } from '../plan/forged-tokens.ts';
import { countChecks, printable } from '../report/text.ts';
import type { Rule } from '../rules/rule.ts';
import { isShownByWrites, needsOf } from '../rules/rules.ts';
import { writesFor } from '../run/drive.ts';
import { isWriting, ownLine } from '../run/own-requests.ts';
import { Secrets } from '../secrets/secrets.ts';
import { candidatePaths } from '../session/gap-answers.ts';
import { commandLines } from '../session/target-file.ts';
import { planOnly, type RunInput } from './run-input.ts';

/** What a run with this input would do, without sending anything to a target that a file describes. Holds no secret. */
export async function planOf(input: RunInput) {
  const { target, given, checks, probes, allowWrites, noWrites, model } = await planOnly(input);
  const writesOf = (rule: Rule) => (isShownByWrites(rule, target.actors?.admin) ? writesFor([rule]) : []);
  const own = (model?.requests ?? []).filter(isWriting).map(ownLine);
  return new Secrets(target).scrubJson({
    schemaVersion: 1,
    target: { baseUrl: target.baseUrl },
    profile: given.name,
    ...{ quick: input.quick === true, allowWrites, noWrites },
    commands: commandLines(target),
    writes: [...new Set([...writesFor(checks), ...own, ...probes.flatMap(({ writing }) => writing)])],
    checks: checks.map((rule) => {
      const { id, requirements, title } = rule;
      return { id, requirements: [...requirements], title, needs: needsOf(rule), writes: writesOf(rule) };
    }),
    probes: probes.map(({ gap, sends, writes, needs }) => ({ gap, sends, writes, needs })),
    candidatePaths: {
      'GET of the token scopes': candidatePaths('scopes-path', given.answers),
      'POST of the refresh token': candidatePaths('refresh-path', given.answers),
    },
  });
}

const PROBES = 'Probes, one a gap, after the checks (they share sign-ins, lists and PATs with them):';

/** The plan as text: every check and probe, what it sends, and every request that would write. */
export function renderPlan(plan: Awaited<ReturnType<typeof planOf>>): string {
  const { target, quick, noWrites, commands, writes, checks, probes } = plan;
  const listed = (title: string, items: readonly string[], mark: (at: number) => string = () => '-'): string[] =>
    items.length > 0 ? ['', title, ...items.map((item, at) => `  ${mark(at)} ${item}`)] : [];
  const isWriting = (at: number): string => (checks[at]?.writes.length ? 'w' : ' ');
  const named = checks.map(({ id, requirements, title }) => `${id} [${requirements.join(' ')}] ${title}`);
  const sent = probes.map(({ gap, sends }) => `${gap}: ${sends || 'nothing; learn does'}`);
  const paths = Object.entries(plan.candidatePaths).map(([what, tried]) => `${what}: ${tried.join(' ')}`);
  const writing = noWrites === undefined ? 'allowed' : `not allowed, so what needs them stays untested: ${noWrites}`;
  const lines = [
    `${countChecks(checks, quick)} at ${target.baseUrl}`,
    `Writes are ${writing}.`,
    `Bad credentials that name an account, near the end: at most ${MOST_NAMING} of each kind, since more might lock it.`,
    ...listed('Commands on this machine:', commands),
    ...listed('Every request that would write:', writes),
    ...listed('Checks:', named, isWriting),
    ...listed(PROBES, sent, (at) => (probes[at]?.writes ? 'w' : ' ')),
    ...listed('Paths that they try, until one answers:', probes.length > 0 ? paths : []),
  ];
  return printable(`${lines.join('\n')}\n`);
}
