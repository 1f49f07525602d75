/** An independent server for the platform API; see ../undecided.md for what the document leaves open. */
import { type DefectKind, defectRows } from './defects/index.ts';
import { styleRows } from './styles/index.ts';

export { type Running, type StartOptions, start } from './start.ts';
export type { Actor, Target } from './target.ts';

export const styles: readonly { id: string; description: string }[] = styleRows.map(({ id, description }) => ({
  id,
  description,
}));

export const defects: readonly {
  id: string;
  section: string;
  statement: string;
  description: string;
  kind: DefectKind;
}[] = defectRows.map(({ id, section, statement, description, kind }) => ({
  id,
  section,
  statement,
  description,
  kind,
}));
