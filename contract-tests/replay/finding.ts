import { UsageError } from '../errors.ts';
import type { Log } from '../log/entry.ts';
import { bearerOf } from '../log/log.ts';
import type { CheckResult } from '../model.ts';
import type { Rule } from '../rules/rule.ts';
import { judgeLog } from '../run/judge.ts';
import { sentIn } from '../values/answer.ts';
import { asText, objectOf } from '../values/json.ts';
import { type Interaction, overlap, type RecordedFinding, type Recording } from './recording.ts';
import { Tokens } from './tokens.ts';

/** The finding of that id, and the rule that judges it. Throws UsageError, with the ids that there are. */
export function findingOf({ findings, interactions }: Recording, id: string, rules: readonly Rule[], file: string) {
  const found = findings.get(id) ?? [...findings.values()].find(({ fingerprint }) => fingerprint === id);
  const rule = rules.find((each) => each.id === found?.check);
  if (found && rule) {
    const own = interactions.filter(({ number }) => found.entries.includes(number));
    const isOverlapping = own.some((one) => interactions.some((other) => one !== other && overlap(one, other)));
    // Which of those that overlap gets the wrong answer is chance.
    return { ...found, rule, isAnyOfCheck: isOverlapping && id === found.check };
  }
  if (found) throw new UsageError(`--finding ${id}: ${found.check} is a check of your own: name its file by --rules.`);
  const known = findings.size > 0 ? `it has ${[...findings.keys()].join(', ')}` : 'verify --report-dir writes them';
  throw new UsageError(`--finding ${id}: ${file} has no such finding; ${known}.`);
}

/** The result of the check, if a log shows the finding. @param isExact whether no other finding of the check counts */
export function shownIn(log: Log, { rule, fingerprint }: KnownFinding, isExact: boolean): CheckResult | undefined {
  const [found] = judgeLog([rule], log).filter(({ outcome }) => outcome === 'violation');
  if (!found) return undefined;
  const { also = [], ...main } = found;
  const same = [main, ...also].find((each) => each.fingerprint === fingerprint);
  return same ? { ...main, ...same } : isExact ? undefined : found;
}

/** Why a log does not show that the finding is gone, where its rule judged nothing; undefined where it did. */
export function unjudgedIn(log: Log, { rule }: KnownFinding): string | undefined {
  const [result] = judgeLog([rule], log);
  if (result && ['pass', 'violation'].includes(result.outcome)) return undefined;
  const why = result?.message ? `: ${result.message}` : '';
  return `No answer decides ${rule.id}, so that nothing shows whether it is mended${why}`;
}

export type KnownFinding = ReturnType<typeof findingOf>;

type Close = (some: Iterable<Interaction>) => Interaction[];

/** Completes a choice of interactions by those that handed out their tokens. */
export function closing(interactions: readonly Interaction[]): Close {
  const tokens = new Tokens();
  const issuers = new Map<Interaction, Interaction[]>();
  const byNumber = new Map(interactions.map((each) => [each.number, each]));
  for (const each of interactions) {
    const { recorded, number, actor } = each;
    const sent = [bearerOf(recorded), ...Object.values(objectOf(sentIn(recorded)))].map((value) => asText(value ?? ''));
    const known = sent.flatMap((token) => tokens.get(token) ?? tokens.get(tokens.originalOf(token) ?? '') ?? []);
    issuers.set(
      each,
      known.flatMap(({ by }) => byNumber.get(by) ?? []),
    );
    tokens.learn(recorded, undefined, number, actor);
  }
  return (some) => {
    const found = new Set<Interaction>();
    const add = (each: Interaction): void => {
      if (found.has(each)) return;
      found.add(each);
      issuers.get(each)?.forEach(add);
    };
    for (const each of some) add(each);
    return interactions.filter((each) => found.has(each));
  };
}

/**
 * What to send for a finding, the least first: what shows it, with what overlaps it and what went to the same operations before; all before it; all.
 * At a fresh deployment, what shows it is tried by itself first: at a running one, it might change what the later ones show.
 */
export function stagesOf(
  { interactions }: Recording,
  { entries }: RecordedFinding,
  close: Close,
  isFresh: boolean,
): Interaction[][] {
  const own = interactions.filter(({ number }) => entries.includes(number));
  const end = Math.max(...own.map(({ endedAt }) => endedAt));
  const isLike = ({ operation }: Interaction): boolean => own.some((each) => each.operation === operation);
  const isOverlapping = (each: Interaction): boolean => own.some((other) => overlap(each, other));
  const before = interactions.filter(({ startedAt }) => startedAt <= end);
  const least = isFresh ? close(before.filter((each) => own.includes(each) || isOverlapping(each))) : [];
  const like = close(before.filter((each) => isLike(each) || isOverlapping(each)));
  const stages = [least, like, before, [...interactions]];
  return stages.filter((stage, at) => stage.length > (stages[at - 1]?.length ?? 0));
}

/**
 * Delta debugging: the few of some interactions that still show it, tried by halves, then by what each part leaves.
 * @param shows whether a choice shows it
 * @param isOver whether there is no time for more
 */
export async function cut(
  all: Interaction[],
  close: Close,
  shows: (some: Interaction[]) => Promise<boolean>,
  isOver: () => boolean,
): Promise<Interaction[]> {
  const tried = new Set<string>();
  let current = all;
  let parts = 2;
  while (current.length > 1) {
    const size = Math.ceil(current.length / parts);
    const chunks = Array.from({ length: parts }, (_, at) => current.slice(at * size, (at + 1) * size));
    const rests = chunks.map((chunk) => current.filter((each) => !chunk.includes(each)));
    let found: Interaction[] | undefined;
    let next = parts * 2;
    for (const [at, candidate] of [...chunks, ...rests].map(close).entries()) {
      const key = candidate.map(({ number }) => number).join();
      if (candidate.length === 0 || candidate.length >= current.length || tried.has(key)) continue;
      if (isOver()) return current;
      tried.add(key);
      if (!(await shows(candidate))) continue;
      found = candidate;
      next = at < parts ? 2 : Math.max(2, parts - 1);
      break;
    }
    if (!found && parts >= current.length) return current;
    current = found ?? current;
    parts = Math.min(next, current.length);
  }
  return current;
}
