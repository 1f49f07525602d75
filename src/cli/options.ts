import { type Command, InvalidArgumentError, Option } from 'commander';
import { memberOf } from '../../contract-tests/values/json.ts';
import { type Kind, type OptionsOf, type Row, wholeNumber as wholeKind } from '../core/options.ts';

type Rows = Readonly<Record<string, Row<unknown>>>;

export const inRange =
  ([expected, fits]: Kind) =>
  (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!fits(value)) throw new InvalidArgumentError(`expected ${expected}.`);
    return value;
  };

export const wholeNumber = (min: number, max: number) => inRange(wholeKind(min, max));

export const repeated = (text: string, before: readonly string[] | undefined): string[] => [...(before ?? []), text];

export function positive(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('expected a number above 0.');
  return value;
}

/** Adds the options that rows describe, but for those that only code can give. */
export function addRows(command: Command, rows: Rows): Command {
  for (const { flag, help, kind, choices, conflicts = [], usually } of Object.values(rows)) {
    if (flag === undefined) continue;
    const option = new Option(flag, help).conflicts([...conflicts]);
    if (kind[2] === 'number') option.argParser(inRange(kind));
    if (kind[2] === 'list') option.argParser(repeated);
    if (choices) option.choices([...choices]);
    if (option.optional) option.preset(choices?.[0]);
    if (usually !== undefined) option.default(usually);
    command.addOption(option);
  }
  return command;
}

/** What the command line gives, by the names of the rows. */
export function given<R extends Rows>(rows: R, flags: object): OptionsOf<R> {
  const named = Object.entries(rows).flatMap(([name, { flag }]) =>
    flag === undefined ? [] : [[name, memberOf({ ...flags }, new Option(flag).attributeName())]],
  );
  return Object.fromEntries(named) as OptionsOf<R>;
}

export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Many tools read YAML 1.1, where a time that is not quoted is no text. */
export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 120, compat: 'yaml-1.1' });
}
