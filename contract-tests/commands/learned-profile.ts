import { jsonText, printable } from '../report/text.ts';
import { parseGivenAnswers } from '../session/gap-answers.ts';
import { hasMember, memberOf } from '../values/json.ts';
import type { Learned } from './learn.ts';

/** The learned answers as a profile: each below its evidence, the omitted ones in comments. It is read back: always valid. */
export function profileText(learned: Learned): string {
  const { baseUrl, learnedAt, answers, gaps } = learned;
  const given = gaps.filter(({ id }) => hasMember(answers, id));
  const open = gaps.filter(({ id }) => !hasMember(answers, id));
  const lines = [
    comment('', `Learned by \`platform-mock learn\`: each answer follows what showed it.`),
    line('name', 'learned'),
    line('description', `What ${baseUrl} answered at ${learnedAt}.`),
    line('learnedFrom', baseUrl),
    line('learnedAt', learnedAt),
    given.length > 0 ? 'answers:' : 'answers: {}',
    ...given.flatMap(({ id, question, evidence = [] }) => [
      '',
      comment('  ', question),
      ...evidence.map((shown) => comment('  ', `  ${shown}`)),
      `  ${line(id, memberOf(answers, id))}`,
    ]),
    ...(open.length > 0 ? ['', comment('', "Not determined, so the default profile's answer holds:")] : []),
    ...open.map(({ id, reason = '' }) => comment('', `  ${id}: ${reason}`)),
  ];
  const text = `${lines.join('\n')}\n`;
  parseGivenAnswers(text, 'the learned profile');
  return text;
}

/** `key: value` on one line, in JSON: YAML as it is written would leave characters that command a terminal. */
const line = (key: string, value: unknown): string => `${key}: ${jsonText(value).trim().replace(/\n */g, ' ')}`;

const comment = (indent: string, text: string): string => `${indent}# ${printable(text).replaceAll('\n', ' ')}`;
