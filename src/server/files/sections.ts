import { readSpec } from '../../../contract-tests/spec-data.ts';

/** The source document's title, and titles and subjects of its sections by number. */
export interface SourceDocument {
  readonly title: string;
  readonly sections: Readonly<Record<string, string>>;
  readonly about: Readonly<Record<string, string>>;
}

export const sourceDocument = (): SourceDocument => readSpec('requirements') as SourceDocument;
