import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { packageFile } from './package-root.ts';

/** The source document's title, and titles and subjects of its sections by number. */
export interface SourceDocument {
  readonly title: string;
  readonly sections: Readonly<Record<string, string>>;
  readonly about: Readonly<Record<string, string>>;
}

/** Reads it from spec/requirements.yaml. */
export const sourceDocument = (): SourceDocument =>
  parse(readFileSync(packageFile('spec', 'requirements.yaml'), 'utf8')) as SourceDocument;
