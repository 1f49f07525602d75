import { isSignIn, OPERATIONS, type OperationId } from '../api/operations.ts';
import { isGiven, lacking } from '../api/target-fields.ts';
import { type Interruption, interruptible } from '../commands/interruption.ts';
import { refusedCredentials } from '../log/credentials.ts';
import { type Entry, isOk, jsonIn, type Log, statusOf } from '../log/entry.ts';
import { signerOf } from '../log/log.ts';
import type { CheckResult } from '../model.ts';
import { coverageOf, loadModel } from '../plan/model.ts';
import { listed } from '../report/text.ts';
import { of, type Rule } from '../rules/rule.ts';
import { allRules, alternates, isShownByWrites, needsOf, SEVERAL_INSTANCES, tiesOf } from '../rules/rules.ts';
import { titlesOfOtherRuns } from '../rules/titles.ts';
import type { SessionConfig } from '../session/connection.ts';
import { Session } from '../session/session.ts';
import { describe, OF_GATEWAY, wordsOf } from '../values/answer.ts';
import { NEEDS_WRITES } from '../wire/write-guard.ts';
import { Asker } from './asker.ts';
import { drive } from './drive.ts';
import { noneProbed } from './gap-results.ts';
import { judgeLog, NOT_SHOWN } from './judge.ts';
import { probe } from './probe.ts';
import type { Run } from './steps.ts';

export interface SuiteHooks {
  /** What begins: a phase of the plan by its name, `gaps` for all probes, `clean-up`. */
  onBegin?: (name: string) => void;
  onCheck?: (result: CheckResult) => void;
  /** The gap that is observed next, by its id. */
  onGap?: (id: string) => void;
  /** Whether SIGINT and SIGTERM end this process, once the titles are put back. */
  isCommand?: boolean;
  /** An interrupted run gives its results so far instead of ending the process, after this call. */
  onInterrupted?: (interruption: Interruption) => void;
  /** When a command ends the run, by `performance.now()`. */
  deadline?: number | undefined;
}

/**
 * Plans, sends and judges: asks a target what the rules need, and gives what they say of the log; then the probes observe
 * the gaps where the session is for that. Never throws for what the target does.
 */
export async function runSuite(config: SessionConfig, rules: readonly Rule[] = allRules, hooks: SuiteHooks = {}) {
  const session = new Session(config);
  try {
    const { isCommand, onInterrupted, deadline } = hooks;
    const run = (): Promise<SuiteResult> => runAt(session, rules, hooks);
    const seenUntil = (interruption: Interruption): SuiteResult => {
      onInterrupted?.(interruption);
      return seenIn(session, rules, interruption);
    };
    return await (isCommand ? interruptible(session, run, onInterrupted && seenUntil, deadline) : run());
  } finally {
    session.client.close();
  }
}

/** The checks are in the order of the rules; `secrets` are the credentials that the answers showed. */
export type SuiteResult = Awaited<ReturnType<typeof runAt>> & { interrupted?: Interruption };

/** What an interrupted run saw. */
function seenIn(session: Session, rules: readonly Rule[], interrupted: Interruption): SuiteResult {
  const asker = new Asker(session);
  const { config, left } = session;
  const why = `${interrupted} ended the run before an exchange showed it`;
  const checks = judgeLog(rules, asker.log, (rule) => reasonOf(rule, asker) ?? why);
  const gaps = noneProbed(config.answers, `not probed, since ${interrupted} ended the run`);
  const model = coverageOf(config.model ?? loadModel(), asker.covered);
  const refused = refusedCredentials(asker.log);
  return { checks: explain(checks, asker), model, refused, gaps, ...left, log: asker.log, interrupted };
}

async function runAt(session: Session, rules: readonly Rule[], { onBegin, onCheck, onGap }: SuiteHooks) {
  const { config } = session;
  let probed: Awaited<ReturnType<typeof probe>> | undefined;
  // Where nothing of the API answers, nothing of it shows.
  const isLost = (run: Run): boolean => run.isStopped || (rules.length > 0 && run.log.entries.every(isOfOther));
  const run = await drive(session, rules, onBegin, async (run) => {
    if (!config.probing || isLost(run)) return;
    onBegin?.('gaps');
    probed = await probe(run, undefined, onGap);
  });
  const judged = judgeLog(rules, run.log, (rule) => reasonOf(rule, run));
  const explained = explain(judged, run);
  const checks = withRefusals(config.quick ? withoutUnasked(explained) : explained, rules, run);
  for (const check of checks) onCheck?.(check);
  const unprobed = config.probing ? 'trouble ended the run' : 'the run was limited to some checks';
  const read = probed?.() ?? { gaps: noneProbed(config.answers, `not probed, since ${unprobed}`) };
  onBegin?.('clean-up');
  const model = coverageOf(config.model ?? loadModel(), run.covered);
  const refused = refusedCredentials(run.log);
  return { checks, model, refused, ...read, ...(await session.finish()), log: run.log };
}

/** Why a rule could not be judged, where the run knows more than the log. */
function reasonOf(rule: Rule, { session, problems, log }: Asker): string | undefined {
  if (rule.from !== undefined) return problems.get('own');
  const missing = needsOf(rule).find((field) => !isGiven(session.target, field));
  if (missing !== undefined) return lacking(missing);
  const { recordingId } = session.target.resources ?? {};
  const title = rule.of === 'recording' ? titlesOfOtherRuns(log).get(recordingId) : undefined;
  if (title !== undefined)
    return `Another run of the suite writes the same recording: it has the text ${JSON.stringify(title)}. Wait until it ends, or name another recording${otherRefused(session, log)}.`;
  if (!session.config.allowWrites && isShownByWrites(rule, session.target.actors?.admin)) return NEEDS_WRITES;
  if (needsOf(rule).includes('reads.recording')) return problems.get('reads');
  const ofPats = tiesOf(rule)?.isOfPat && (problems.get('admin.pat') ?? problems.get('member.pat'));
  return ofPats || (rule.of === 'scopes' ? problems.get('scopes') : undefined);
}

/** Why the run did not go on at the other recording. */
function otherRefused({ otherRecording: { givenId } }: Session, log: Log): string {
  const own = of(log, 'recording').filter(
    ({ resource, credential }) => resource === givenId && credential.who === 'admin',
  );
  const answer = own.find((entry) => !isOk(entry));
  if (givenId === undefined || !answer) return '';
  return ` that actors.admin may update: an update of resources.otherRecordingId was answered ${statusOf(answer)}`;
}

/** Refusals that an explanation names. */
const MAX_REFUSALS = 3;

/** Which requests that should have succeeded were refused, of those that would show a rule; undefined where there are none. */
function refusalsFor(rule: Rule, { log }: Asker): string | undefined {
  const fields = needsOf(rule);
  const isWanted = (entry: Entry): boolean => {
    // Neither a rule of the user nor a path that was searched has an operation.
    if (!isSignIn(entry.operation))
      return rule.of !== undefined && entry.operation === rule.of && !entry.credential.flaw;
    const actor = signerOf(log.actors, entry.answer) ?? '';
    // Who signs in in another way does not need this one, unless the rule is about it.
    const isIn = log.entries.some((each) => isOk(each) && each.credential.who === actor);
    return fields.some(
      (field) => field === `actors.${actor}.${entry.operation}` || (field === `actors.${actor}` && !isIn),
    );
  };
  const refused = log.entries.filter((entry) => !isOk(entry) && entry.asked?.odd.length === 0 && isWanted(entry));
  const said = refused.map((entry) => {
    const who = entry.credential.who ?? signerOf(log.actors, entry.answer);
    return `${OPERATIONS[entry.operation as OperationId].name} of ${who} answered ${statusOf(entry)}`;
  });
  return said.length > 0 ? listed([...new Set(said)], MAX_REFUSALS, ', ') : undefined;
}

/** Unshown checks, with the refusals seen instead. */
const withRefusals = (checks: CheckResult[], rules: readonly Rule[], run: Asker): CheckResult[] =>
  checks.map((check) => {
    const rule = rules.find(({ id }) => id === check.id);
    const refusals = rule && check.message === NOT_SHOWN ? refusalsFor(rule, run) : undefined;
    return refusals === undefined ? check : { ...check, message: `${NOT_SHOWN}: ${refusals}` };
  });

/** A quick run asks one operation for what each of them must do: where that shows a requirement, the others are left out. */
function withoutUnasked(checks: CheckResult[]): CheckResult[] {
  const judged = checks.filter(({ outcome }) => outcome === 'pass' || outcome === 'violation');
  const known = new Set(judged.flatMap(({ requirements }) => requirements));
  return checks.filter(
    ({ outcome, message, requirements }) =>
      outcome !== 'untested' || message !== NOT_SHOWN || !requirements.every((id) => known.has(id)),
  );
}

/** Whether a gateway, a portal or a firewall may have answered in the API's place: with nothing in it, or with JSON, it is the API's. */
function isOfOther(entry: Entry): boolean {
  const { body, headers } = entry.answer.response;
  const isText = body.trim() !== '' && jsonIn(entry) === undefined && !/json/i.test(headers['content-type'] ?? '');
  return isText || OF_GATEWAY.has(statusOf(entry));
}

const LIMITED = 'it was still answered 429 after waiting; lower limits.requestsPerSecond';
const BASIC = ' It wants Basic credentials, which cannot share a header with bearer tokens.';

/** Where nothing of the API answered, what is not judged could not be set up; findings name several instances where answers alternate as theirs do. */
function explain(checks: CheckResult[], { log, problems, session }: Asker): CheckResult[] {
  const isNothing = log.entries.length === 0;
  const silence =
    session.client.over ??
    problems.get('silence') ??
    (isNothing && session.trouble.includes('429') ? LIMITED : undefined);
  const [first] = log.entries.every(isOfOther) ? log.entries : [];
  const basic = /^basic\b/i.test(first?.answer.response.headers['www-authenticate'] ?? '') ? BASIC : '';
  const nothing =
    first &&
    `Nothing here is this API: every answer is that of a gateway or a page, as the first one: ${describe(first.answer)} ${JSON.stringify(wordsOf(first.answer))}.${basic} Is baseUrl right, and what does the gateway want?`;
  const areSeveral = checks.some(({ outcome }) => outcome === 'violation') && alternates(log);
  return checks.map((check) => {
    const { outcome, message } = check;
    if (nothing !== undefined) return { ...check, outcome: 'error', message: nothing };
    if (areSeveral && outcome === 'violation') return { ...check, message: `${message} ${SEVERAL_INSTANCES}` };
    const isSilent = silence !== undefined && outcome === 'untested' && (isNothing || message === NOT_SHOWN);
    return isSilent ? { ...check, outcome: 'error', message: `No response: ${silence}` } : check;
  });
}
