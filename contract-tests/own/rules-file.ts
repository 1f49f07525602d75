import { basename } from 'node:path';
import { UsageError } from '../errors.ts';
import { importModule } from '../files/module-file.ts';
import type { Log } from '../log/entry.ts';
import type { Requirement } from '../model.ts';
import type { Judgement, Rule, Violation } from '../rules/rule.ts';
import { allRules } from '../rules/rules.ts';
import { loadRequirements } from '../spec-data.ts';
import { asText, objectOf } from '../values/json.ts';

const FORM =
  'a rule is { id, requirements, title, judge(log) } with ids of letters, digits and -, and a module exports one, or a list of them, by default';

/** Loads rules that are not ours: modules, and rules as code gives them. Throws UsageError naming file, rule and problem. */
export async function loadRules(inputs: readonly (string | Rule)[]): Promise<Rule[]> {
  const taken = new Set([...allRules, ...loadRequirements()].flatMap(({ id }) => id));
  const rules: Rule[] = [];
  for (const input of inputs) {
    const from = typeof input === 'string' ? input : 'rules.js';
    const exported = typeof input === 'string' ? await importModule(input) : input;
    for (const [at, rule] of [exported].flat().entries()) {
      if (!isRule(rule)) throw new UsageError(`${from}: rule ${at + 1}: ${FORM}.`);
      const { id, requirements, title, isOptional } = rule;
      const double = [id, ...requirements].find((name) => taken.has(name));
      if (double !== undefined)
        throw new UsageError(`${from}: rule ${at + 1}: ${double} is the id of a rule or requirement already.`);
      taken.add(id);
      rules.push({ id, requirements, title, isOptional, from, judge: (log) => judged(rule, log) });
    }
  }
  if (inputs.length > 0 && rules.length === 0)
    throw new UsageError(`${asText(inputs[0])}: there is no rule in it: ${FORM}.`);
  return rules;
}

/** The requirements of rules that are not ours; each says what its first rule asserts. */
export function ownRequirements(rules: readonly Rule[]): Requirement[] {
  const all = rules.flatMap(({ from = '', requirements, title }) =>
    requirements.map((id) => ({ id, section: basename(from), statement: title })),
  );
  return all.filter(({ id }, at) => all.findIndex((each) => each.id === id) === at);
}

function isRule(value: unknown): value is Rule {
  const { id, requirements = [], title, judge } = objectOf(value) as Partial<Rule>;
  const isName = (name: unknown): boolean => typeof name === 'string' && /^[\w.-]+$/.test(name);
  const hasNames = Array.isArray(requirements) && requirements.length > 0 && [id, ...requirements].every(isName);
  return hasNames && typeof title === 'string' && title.trim() !== '' && typeof judge === 'function';
}

/** What a rule says of a log; where it fails, or says what is no judgement, that it is broken. */
function judged(rule: Rule, log: Log): Judgement[] {
  try {
    const entries = new Set<unknown>(log.entries);
    const all: Iterable<Judgement> = Object(rule.judge(log));
    if (typeof all[Symbol.iterator] !== 'function') throw new Error('judge gives no list of judgements');
    return [...all].map((each) => judgement(each, rule, entries));
  } catch (error) {
    const reason = asText(error);
    return [{ state: 'open', reason: `the rule itself failed: ${reason.split('\n')[0]}`, kind: 'broken' }];
  }
}

function judgement(value: unknown, { requirements }: Rule, entries: ReadonlySet<unknown>): Judgement {
  const given = objectOf(value) as Partial<Omit<Violation, 'state'> & { state: string; reason: string }>;
  const { state, by, reason, message, expected, actual, requirement } = given;
  if (state === 'open' && typeof reason === 'string') return { state, reason };
  const isSeen = Array.isArray(by) && by.length > 0 && by.every((entry) => entries.has(entry));
  if (isSeen && (requirement === undefined || requirements.includes(requirement))) {
    if (state === 'shown') return { state, by, requirement };
    // As reports write it; throws for what JSON cannot represent.
    const plain = { expected: undefined, actual: undefined, ...JSON.parse(JSON.stringify({ expected, actual })) };
    if (state === 'violated' && typeof message === 'string') return { state, by, requirement, message, ...plain };
  }
  throw new Error(
    'a judgement is { state: "shown", by }, { state: "violated", message, by } or { state: "open", reason }; by lists entries of the log, and requirement is one of the rule',
  );
}
