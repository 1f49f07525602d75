import { basename } from 'node:path';
import { UsageError } from '../errors.ts';
import { importModule } from '../files/module-file.ts';
import type { Log } from '../log/entry.ts';
import type { Requirement } from '../model.ts';
import type { Judgement, Rule } from '../rules/rule.ts';
import { allRules } from '../rules/rules.ts';
import { loadRequirements } from '../spec-data.ts';
import { isObject } from '../values/json.ts';

const FORM =
  'a rule is { id, requirements, title, judge(log) }, and a module exports one, or a list of them, by default';
const NAME = /^[\w.-]+$/;

/**
 * Loads rules that are not ours: modules, and rules as code gives them. Their ids and requirements are their own.
 * @throws UsageError naming the file, the rule and what is wrong with it
 */
export async function loadRules(inputs: readonly (string | Rule)[]): Promise<Rule[]> {
  const taken = new Set([...allRules, ...loadRequirements()].flatMap(({ id }) => id));
  const rules: Rule[] = [];
  for (const input of inputs) {
    const from = typeof input === 'string' ? input : 'rules.js';
    const exported = typeof input === 'string' ? await load(input) : input;
    for (const [at, value] of (Array.isArray(exported) ? exported : [exported]).entries()) {
      const rule = checked(value, `${from}: rule ${at + 1}`, from);
      const double = [rule.id, ...rule.requirements].find((id) => taken.has(id));
      if (double !== undefined)
        throw new UsageError(`${from}: rule ${at + 1}: ${double} is the id of a rule or requirement already.`);
      taken.add(rule.id);
      rules.push(rule);
    }
  }
  if (inputs.length > 0 && rules.length === 0) throw new UsageError(`${inputs[0]}: there is no rule in it: ${FORM}.`);
  return rules;
}

/** The requirements of rules that are not ours; each says what its first rule asserts. */
export function ownRequirements(rules: readonly Rule[]): Requirement[] {
  const found = new Map<string, Requirement>();
  for (const { from, requirements, title } of rules)
    for (const id of from === undefined ? [] : requirements)
      if (!found.has(id)) found.set(id, { id, section: basename(from ?? ''), statement: title });
  return [...found.values()];
}

const load = (file: string): Promise<unknown> =>
  importModule(file).catch((error: Error) => {
    throw new UsageError(`${file}: ${error.message}.`);
  });

function checked(value: unknown, where: string, from: string): Rule {
  const rule = (isObject(value) ? value : {}) as unknown as Rule;
  const { id, requirements, title, judge, isOptional } = rule;
  const isName = (name: unknown): boolean => typeof name === 'string' && NAME.test(name);
  const demands: readonly [isMet: boolean, demand: string][] = [
    [isName(id), 'id must be a text of letters, digits and -'],
    [
      Array.isArray(requirements) && requirements.length > 0 && requirements.every(isName),
      'requirements must be a list of ids of your own',
    ],
    [typeof title === 'string' && title.trim() !== '', 'title must say what it asserts'],
    [typeof judge === 'function', 'judge must be a function'],
  ];
  for (const [isMet, demand] of demands) if (!isMet) throw new UsageError(`${where}: ${demand}; ${FORM}.`);
  return { id, requirements, title, isOptional, from, judge: (log) => judged(rule, log) };
}

/** What a rule says of a log; where it fails, or says what is no judgement, that it is broken. */
function judged(rule: Rule, log: Log): Judgement[] {
  try {
    const entries = new Set<unknown>(log.entries);
    return [...rule.judge(log)].map((each) => judgement(each, rule, entries));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ state: 'open', reason: `the rule itself failed: ${reason.split('\n')[0]}`, isBroken: true }];
  }
}

function judgement(value: unknown, { requirements }: Rule, entries: ReadonlySet<unknown>): Judgement {
  const { state, by, reason, message, expected, actual, requirement } = isObject(value) ? value : {};
  if (requirement !== undefined && !requirements.includes(requirement as string))
    throw new Error(`${String(requirement)} is none of its requirements`);
  if (state === 'open' && typeof reason === 'string') return { state, reason };
  if (state !== 'shown' && state !== 'violated')
    throw new Error(
      'a judgement is { state: "shown", by }, { state: "violated", message, by } or { state: "open", reason }',
    );
  if (!(Array.isArray(by) && by.length > 0 && by.every((entry) => entries.has(entry))))
    throw new Error(`by of what is ${state} must be a list of entries of the log`);
  if (state === 'violated' && typeof message !== 'string') throw new Error('message of a violation must be a text');
  // As reports write it; throws for what JSON cannot represent.
  const plain = { expected: undefined, actual: undefined, ...JSON.parse(JSON.stringify({ expected, actual })) };
  const own = { requirement: requirement as string | undefined, by };
  return state === 'shown' ? { state, ...own } : { state, message: message as string, ...plain, ...own };
}
