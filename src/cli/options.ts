import { InvalidArgumentError } from 'commander';
import { type Kind, wholeNumber as wholeKind } from '../core/options.ts';

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

export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Many tools read YAML 1.1, where a time that is not quoted is no text. */
export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 120, compat: 'yaml-1.1' });
}
